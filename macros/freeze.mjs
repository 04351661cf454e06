/**
 * Run at build, by Node: start Python, import the labs that every page has at once, answer each of them, and write Python's
 * memory for the worker to start from. Beside it goes the code of the other labs.
 *
 *     node macros/freeze.mjs PYODIDE_FOLDER WHEEL MEMORY SUPPLEMENT
 */
import nodeCrypto from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

import { ENVIRONMENT, packMemory } from "../labs/web/memory.mjs";

const [folder, wheel, memory, supplement] = process.argv.slice(2);

// The same sources give the same bytes: while Python starts there is no clock, no chance, and no path of this machine.
process.argv.length = 1;
const EPOCH = Date.UTC(2026, 0, 1);
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length ? given : [EPOCH]));
  }
  static now() {
    return EPOCH;
  }
};
performance.now = () => 0;
nodeCrypto.randomFillSync = (bytes) => bytes.fill(7);
Math.random = () => 0.5;

const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const { default: createPyodideModule } = await import(pathToFileURL(`${folder}/pyodide.asm.mjs`).href);

// The labs keep their docstrings, so that help(...) tells a reader something; the standard library has none.
const IMPORT_LABS = `
from importlib.machinery import PathFinder, SourceFileLoader
import sys

class WithDocstrings(SourceFileLoader):
    def source_to_code(self, data, path, *, _optimize=-1):
        return compile(data, path, "exec", dont_inherit=True, optimize=0)

class Labs:
    @staticmethod
    def find_spec(name, path, target=None):
        if name.partition(".")[0] != "labs":
            return None
        spec = PathFinder.find_spec(name, path, target)
        spec.loader = WithDocstrings(name, spec.origin)
        return spec

sys.meta_path.insert(0, Labs)
import json
import labs.answer
from labs.catalog import EARLY
import labs.supplement
for lab in EARLY:
    for _ in range(20):  # by then Python has adapted its byte code to the types that it meets
        reply = json.loads(labs.answer.answer(json.dumps({"id": 0, "lab": lab, "inputs": {}})))
    if not reply["ok"]:
        raise SystemExit(f"the lab {lab} gives no frame: {reply}")
sys.meta_path.remove(Labs)
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] == "labs":  # as if imported in the usual way
        module.__loader__ = module.__spec__.loader = SourceFileLoader(name, module.__file__)
del _, lab, reply, json, labs, EARLY, Labs, WithDocstrings, name, module, PathFinder, SourceFileLoader
`;

// What is alive now stays so: a collection that walked all of it would cost an answer 10 ms.
const CLEAN = `
import gc, importlib, linecache
linecache.clearcache()
importlib.invalidate_caches()
sys._clear_internal_caches()
for _ in range(3):
    gc.collect()
gc.freeze()
gc.disable()  # labs/web/rest.mjs collects while nobody waits
del gc, importlib, linecache, sys, _
`;

// The last value is what all other labs import. Each must give a frame here: a module that is missing would look as if it had not come yet.
const PACK_OTHERS = `
import json
import sys
here = set(sys.modules)
import labs.answer
from labs.catalog import LABS
from labs.supplement import pack
for lab in LABS:
    reply = labs.answer.answer(json.dumps({"id": 0, "lab": lab, "inputs": {}}))
    if not reply or not json.loads(reply)["ok"]:
        LABS[lab].frame(**LABS[lab].LAB.defaults())
        raise SystemExit(f"the lab {lab} gives no frame: {reply}")
pack(set(sys.modules) - here)
`;

/**
 * Fill with zeros, which cost nothing in the part, what is free of the stack and of the heap: both keep their bytes. Large
 * blocks of the heap come first, since each leaves a head behind.
 */
function zeroWhatIsFree({ _malloc, _free, _sbrk, _emscripten_stack_get_end, _emscripten_stack_get_current, HEAPU8 }) {
  HEAPU8.fill(0, _emscripten_stack_get_end(), _emscripten_stack_get_current());
  const end = _sbrk(0);
  const blocks = [];
  for (let size = 1 << 20; size >= 16; size /= 2) {
    let block = _malloc(size);
    for (; block + size <= end; block = _malloc(size)) {
      HEAPU8.fill(0, block, block + size);
      blocks.push(block);
    }
    _free(block); // beyond what was ever in use
  }
  for (const block of blocks) _free(block);
}

async function freeze() {
  let initial;
  const python = await loadPyodide({
    _makeSnapshot: true,
    env: ENVIRONMENT,
    indexURL: `${folder}/`,
    createPyodideModule: (settings) => {
      const instantiate = settings.instantiateWasm;
      settings.instantiateWasm = (imports, received) =>
        instantiate(imports, (instance, module) => {
          initial = new Uint8Array(instance.exports.memory.buffer.slice(0));
          received(instance, module);
        });
      return createPyodideModule(settings);
    },
  });
  python.unpackArchive(new Uint8Array(await readFile(wheel)), "wheel");
  python.runPython(IMPORT_LABS);
  python.runPython(CLEAN);
  zeroWhatIsFree(python._module);
  await writeFile(memory, packMemory(python.makeMemorySnapshot(), initial));
  await writeFile(supplement, python.runPython(PACK_OTHERS).toJs());
}

try {
  await freeze();
} catch (error) {
  // Uncaught, Node would print the line of Pyodide that threw, which is a megabyte long.
  console.error(error.message);
  process.exit(1);
}
process.exit(0); // Python's own timers would keep Node alive
