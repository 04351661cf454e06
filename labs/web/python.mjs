/** Python in this worker: Pyodide from the site's own parts, with the labs in it. The part "python" of the site. */
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";

import { PartError } from "./bytes.mjs";
import { WHOLE } from "./engines.mjs";
import { ENVIRONMENT, restoreMemory, unpackMemory } from "./memory.mjs";
import { Rest } from "./rest.mjs";

// Where Pyodide believes its files to be. No such scheme exists, so that nothing can ever be fetched from it:
// `serve` answers instead.
const HOME = "atlas:/pyodide/";
const STDLIB = "python_stdlib.zip";
const WASM = "pyodide.asm.wasm";
const PACKAGE = "parallelism-atlas";
const NO_FILES = Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18)); // an empty zip

/**
 * Start Python, from its memory if that part is there and fits, else from the beginning; on the whole engine where the quick one
 * does not do.
 * @param {{supply: import("./supply.mjs").Supply, lock: string, engine: "quick" | "wasm", progress: () => void,
 *   broken?: (error: Error, engine: string) => void}} with_
 *   `engine`: what the labs need of Python's own code, or all of it; with `broken`, Python has things to do while nobody asks, and that
 *   hears if it breaks over them
 * @returns {Promise<{how: "memory" | "plain", engine: "quick" | "wasm", answer: (text: string, write: Function) => Promise<string>, clear: () => void}>}
 *   `clear` frees what answers have left behind
 */
export async function startPython({ supply, lock, engine, progress, broken }) {
  const memory = supply.bytes("memory");
  memory.catch(() => {});
  for (const one of new Set([engine, WHOLE])) {
    try {
      const started = await fromMemory(await supply.module(one), await memory, { supply, lock, progress });
      const answer = broken ? resting(started, (error) => broken(error, one)) : started.answer;
      return { ...started, engine: one, answer };
    } catch (error) {
      console.info(`Python does not start from its memory on the engine "${one}": ${error.message}`);
    }
  }
  return { engine: WHOLE, ...(await fromTheBeginning(await supply.module(WHOLE), { supply, lock, progress })) };
}

async function fromMemory(module, part, { supply, lock, progress }) {
  const frozen = unpackMemory(part);
  let instance;
  let initial;
  const restored = async (settings) => {
    const instantiate = settings.instantiateWasm;
    settings.instantiateWasm = (imports, received) =>
      instantiate(imports, (made, of) => {
        instance = made;
        initial = new Uint8Array(made.exports.memory.buffer.slice(0, frozen.set));
        received(made, of);
      });
    const made = await createPyodideModule(settings);
    progress();
    const heap = [made._emscripten_stack_get_base(), made._sbrk(0)];
    restoreMemory(new Uint8Array(instance.exports.memory.buffer), initial, frozen, heap);
    return made;
  };
  // The header alone: the memory behind it is in place already.
  const python = await load(module, { createPyodideModule: restored, _loadSnapshot: frozen.header }, { [STDLIB]: NO_FILES }, lock);
  let library; // the standard library and the labs' files: for a reader's code, not for the labs
  return {
    how: "memory",
    clear: clearing(python),
    answer: answering(python, supply, () => {
      library ??= putFiles(python, supply, lock).catch((error) => {
        library = undefined;
        throw error;
      });
      return library;
    }),
  };
}

async function fromTheBeginning(module, { supply, lock, progress }) {
  const [stdlib, wheel] = await Promise.all([supply.bytes("stdlib"), supply.bytes("labs")]);
  const file = JSON.parse(lock).packages[PACKAGE].file_name;
  const python = await load(module, { createPyodideModule }, { [STDLIB]: stdlib, [file]: wheel }, lock, async (python) => {
    progress();
    const errors = [];
    await python.loadPackage(PACKAGE, { messageCallback() {}, errorCallback: (message) => errors.push(message) });
    // loadPackage reports a failure and returns as if all were well.
    if (!(PACKAGE in python.loadedPackages)) throw new PartError(errors.join(" "));
  });
  return { how: "plain", clear: clearing(python), answer: answering(python, supply, () => {}) };
}

/** Load Pyodide with this module and these files, and whatever `then` still needs of them. */
async function load(module, how, files, lock, then = () => {}) {
  const original = { fetch: self.fetch, instantiate: WebAssembly.instantiateStreaming };
  self.fetch = serve({ ...files, [WASM]: new Uint8Array() }, original.fetch);
  // Pyodide writes a failure to instantiate to the console and then waits for ever; here it ends the start.
  const failed = new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (_response, imports) => {
      try {
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
  const begun = async () => {
    const python = await loadPyodide({
      ...how,
      env: ENVIRONMENT,
      indexURL: HOME,
      packageBaseUrl: HOME, // without it the default is a CDN
      stdLibURL: HOME + STDLIB,
      lockFileContents: lock,
    });
    await then(python);
    return python;
  };
  try {
    return await Promise.race([failed, begun()]);
  } finally {
    self.fetch = original.fetch;
    WebAssembly.instantiateStreaming = original.instantiate;
  }
}

function answering(python, supply, putFiles) {
  const answer = python.pyimport("labs.answer").answer;
  let installed; // the code of the labs that the memory was made without
  const install = async () => python.pyimport("labs.supplement").install(await supply.bytes("supplement"));
  return async (text, output) => {
    const { id, code } = JSON.parse(text);
    if (code === undefined) {
      const reply = answer(text);
      if (reply !== undefined) return reply;
      installed ??= install().catch((error) => {
        installed = undefined;
        throw error;
      });
      await installed;
      return answer(text);
    }
    await putFiles();
    return answer(text, (stream, written) => output(id, stream, written));
  };
}

/** Return how to have Python free what nothing leads to any more. One from its memory does so at no other time, but while a reader's code runs. */
function clearing(python) {
  let collect;
  return () => {
    collect ??= python.pyimport("gc").collect;
    collect();
  };
}

/** Return how to answer, and do what is to be done while nobody asks. */
function resting({ answer, clear }, broken) {
  const rest = new Rest((text) => answer(text, () => {}), clear, (error) => {
    if (error.name !== "PythonError") broken(error);
  });
  return async (text, output) => {
    rest.asked();
    const reply = await answer(text, output);
    rest.answered(JSON.parse(text).code === undefined ? text : undefined);
    return reply;
  };
}

/** Put in place what the memory was made without: the standard library's zip, and the labs' sources for tracebacks. */
async function putFiles(python, supply, lock) {
  const [stdlib, wheel] = await Promise.all([supply.bytes("stdlib"), supply.bytes("labs")]);
  await verify(JSON.parse(lock).packages[PACKAGE].file_name, wheel, `sha256:${JSON.parse(lock).packages[PACKAGE].sha256}`);
  const version = python.runPython("import sys; f'python{sys.version_info[0]}{sys.version_info[1]}.zip'");
  python.FS.writeFile(`/lib/${version}`, stdlib);
  python.unpackArchive(wheel, "wheel");
  // Frozen Python repeats its random numbers from start to start.
  python.runPython("import importlib, random; importlib.invalidate_caches(); random.seed(); del importlib, random, sys");
}

/** Answer Pyodide's own requests from memory. */
function serve(files, original) {
  return async (resource, options = {}) => {
    const url = String(resource.url ?? resource);
    if (!url.startsWith(HOME)) return original(resource, options);
    const name = url.slice(HOME.length);
    await verify(name, files[name], options.integrity);
    return new Response(files[name], { headers: { "content-type": "application/wasm" } });
  };
}

/** Compare with the lock file's sha256, as fetch would. Browsers keep `crypto.subtle` from plain http except on localhost. */
async function verify(name, content, expected) {
  if (!expected || !self.crypto?.subtle) return;
  const digest = new Uint8Array(await self.crypto.subtle.digest("SHA-256", content));
  const found = [`sha256-${btoa(String.fromCharCode(...digest))}`, `sha256:${digest.toHex?.() ?? hex(digest)}`];
  if (!found.includes(expected)) throw new PartError(`A part of the lab (${name}) is not the one that this page was built with.`);
}

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
