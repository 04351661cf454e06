/**
 * Start the Pyodide of a folder, in Node, and say what a reader's code meets there, as JSON.
 *     node python_without_packages.mjs PYODIDE_FOLDER
 */
import { pathToFileURL } from "node:url";

const MODULES = [
  ...["argparse", "array", "ast", "asyncio", "bz2", "csv", "ctypes", "dataclasses", "datetime", "decimal", "doctest"],
  ...["email", "fractions", "functools", "hashlib", "heapq", "html.parser", "inspect", "itertools", "json", "logging"],
  ...["lzma", "math", "pickle", "pydoc", "random", "re", "sqlite3", "ssl", "statistics", "string", "struct", "threading"],
  ...["time", "timeit", "tomllib", "traceback", "typing", "unicodedata", "unittest", "urllib.parse", "uuid"],
  ...["xml.etree.ElementTree", "zipfile", "zlib", "zoneinfo"],
];
const CODE = {
  "the last value": "sum(range(10))",
  "an exception": "1/0",
  "a proxy of JavaScript": "from js import Array, Date; len(Array.of(1, 2)) + (Date.now() > 0)",
  "a function for JavaScript": "from pyodide.ffi import create_proxy; create_proxy(len)([1, 2])",
  "a function for C": "import ctypes\nctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)(2)",
  "a function of C by name": "import ctypes\nctypes.pythonapi.Py_GetVersion",
  "a file": "open('/tmp/note', 'w').write('kept'); open('/tmp/note').read()",
};

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/` });

function outcome(code) {
  try {
    return String(python.runPython(code));
  } catch (error) {
    return error.message.trim().split("\n").at(-1).slice(0, 120);
  }
}

const missing = MODULES.filter((name) => outcome(`import ${name}`) !== "undefined");
const found = Object.fromEntries(Object.entries(CODE).map(([what, code]) => [what, outcome(code)]));
found["a coroutine"] = String(await python.runPythonAsync("import asyncio\nawait asyncio.sleep(0.001, 'awake')"));
console.log(JSON.stringify({ missing, found }));
process.exit(0);
