/** The labs' Python in Node, started the way it is in the worker. Pyodide takes this process for a browser's worker from then on. */
import { readFile } from "node:fs/promises";

/**
 * Return a function that starts Python from its memory, as often as it is called.
 * @param {Uint8Array} wasm the engine
 * @param {string[]} files paths: the part "python" as a script, memory, supplement, Pyodide's lock file
 * @returns {Promise<() => Promise<{answer: (text: string) => Promise<string>, clear: () => void, instance: WebAssembly.Instance}>>}
 */
export async function starter(wasm, [script, memory, supplement, lock]) {
  const parts = { memory: await bytes(memory), supplement: await bytes(supplement) };
  const [code, lockText] = [await readFile(script, "utf8"), await readFile(lock, "utf8")];
  const module = await WebAssembly.compile(wasm);
  let instance;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    instance = await instantiate(...given);
    return instance;
  };
  const supply = {
    module: async () => module,
    bytes: async (name) => parts[name] ?? Promise.reject(new Error(`expected to need no part ${name}`)),
  };
  asWorker();
  (0, eval)(code); // defines atlasPython
  return async () => {
    const { how, answer, clear } = await globalThis.atlasPython.startPython({ supply, lock: lockText, engine: "wasm", progress() {} });
    if (how !== "memory") throw new Error("expected Python to start from its memory, it did not");
    return { answer, clear, instance };
  };
}

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
