/**
 * Run at build, by Node: write the WebAssembly module that the labs need, and no more of it.
 *
 *     node macros/tailor.mjs PYODIDE_FOLDER PYTHON_SCRIPT MEMORY SUPPLEMENT LOCK REQUESTS TARGET
 *
 * Of Python's 17,000 functions the labs call 2,000. A browser compiles all that it is sent, and a start is mostly that. So Python
 * starts here the way it does in the worker, answers what the labs are tried with, and each function that was never called
 * goes. One that is called in a browser nevertheless ends Python there, and the page goes on with the whole module,
 * which a reader's code has from its beginning.
 */
import { readFile, writeFile } from "node:fs/promises";

import { calledIn, notingCalls } from "./pruning/calls.mjs";
import { keepingFunctions } from "./pruning/renumber.mjs";

const [folder, script, memory, supplement, lock, requests, target] = process.argv.slice(2);

/** Start Python as the worker does, from its memory, and return how it answers and its instance. */
async function started(wasm) {
  const parts = { memory: await bytes(memory), supplement: await bytes(supplement) };
  const [code, lockText] = [await readFile(script, "utf8"), await readFile(lock, "utf8")];
  let instance;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    instance = await instantiate(...given);
    return instance;
  };
  const supply = {
    module: () => WebAssembly.compile(wasm),
    bytes: async (name) => parts[name] ?? Promise.reject(new Error(`expected to need no part ${name}`)),
  };
  asWorker();
  (0, eval)(code); // defines atlasPython
  const { how, answer } = await globalThis.atlasPython.startPython({ supply, lock: lockText, engine: "wasm", progress() {} });
  if (how !== "memory") throw new Error("expected Python to start from its memory, it did not");
  return { answer, instance };
}

/** Let Pyodide believe that it is in a browser's worker. */
function asWorker() {
  globalThis.self = globalThis;
  globalThis.location = "http://localhost/";
  globalThis.WorkerGlobalScope = class {};
  Object.setPrototypeOf(globalThis, WorkerGlobalScope.prototype);
  delete globalThis.process;
}

async function bytes(path) {
  return new Uint8Array(await readFile(path));
}

async function tailor() {
  const wasm = await bytes(`${folder}/pyodide.asm.wasm`);
  const { answer, instance } = await started(notingCalls(wasm));
  for (const request of JSON.parse(await readFile(requests, "utf8"))) await answer(JSON.stringify(request));
  await writeFile(target, keepingFunctions(wasm, calledIn(instance)));
}

const { process: node } = globalThis;
try {
  await tailor();
} catch (error) {
  console.error(error.message);
  node.exit(1);
}
node.exit(0);
