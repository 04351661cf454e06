/** Python in this worker: Pyodide from the site's own parts, and the labs' package in it. */
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";

import { openPart, PartError, whole } from "./bytes.mjs";

// Where Pyodide believes its files to be. No such scheme exists, so that nothing can ever be fetched from it:
// `serve` answers instead.
const HOME = "atlas:/pyodide/";
const STDLIB = "python_stdlib.zip";
const WASM = "pyodide.asm.wasm";
const PACKAGE = "parallelism-atlas";

/**
 * Start Python and return its `labs.answer.answer`.
 * @param {Record<"wasm" | "stdlib" | "labs", {url: string} | {text: string}>} parts
 * @param {string} lock Pyodide's lock file, with the labs' package in it
 * @param {() => void} progress called at every sign of life
 * @returns {Promise<(text: string) => string>}
 */
export async function startPython(parts, lock, progress) {
  const compiled = compile(parts.wasm, progress);
  const stdlib = bytes("stdlib", parts.stdlib, progress);
  const wheel = bytes("labs", parts.labs, progress);
  // Pyodide writes a failure of any of these to the console and then waits for ever; here it ends the start.
  const failed = Promise.all([compiled, stdlib, wheel]).then(() => new Promise(() => {}));

  const file = JSON.parse(lock).packages[PACKAGE].file_name;
  const restore = serve({ [WASM]: new ArrayBuffer(0), [STDLIB]: stdlib, [file]: wheel });
  try {
    return await Promise.race([failed, Promise.race([instantiateFrom(compiled), boot(lock, progress)])]);
  } finally {
    restore();
  }
}

async function boot(lock, progress) {
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: HOME,
    packageBaseUrl: HOME, // without it the default is a CDN
    stdLibURL: HOME + STDLIB,
    lockFileContents: lock,
  });
  progress();
  const errors = [];
  await python.loadPackage(PACKAGE, { messageCallback() {}, errorCallback: (message) => errors.push(message) });
  // loadPackage reports a failure and returns as if all were well.
  if (!(PACKAGE in python.loadedPackages)) throw new PartError(errors.join(" "));
  progress();
  return python.pyimport("labs.answer").answer;
}

/** Compile while the bytes arrive: Pyodide would begin only when its own script is ready. */
async function compile(part, progress) {
  const response = await openPart("wasm", part, "application/wasm", progress);
  return whole("wasm", WebAssembly.compileStreaming(response));
}

async function bytes(name, part, progress) {
  const response = await openPart(name, part, "application/octet-stream", progress);
  return whole(name, response.arrayBuffer());
}

/** Hand the compiled module to Pyodide. The promise never resolves; it rejects where the module can't be instantiated. */
function instantiateFrom(compiled) {
  return new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (_response, imports) => {
      try {
        const module = await compiled;
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
}

/** Answer Pyodide's own requests from memory, until the returned function is called. */
function serve(files) {
  const original = self.fetch;
  self.fetch = async (resource, options = {}) => {
    const url = String(resource.url ?? resource);
    if (!url.startsWith(HOME)) return original(resource, options);
    const name = url.slice(HOME.length);
    const content = await files[name];
    await verify(name, content, options.integrity);
    return new Response(content, { headers: { "content-type": "application/wasm" } });
  };
  return () => {
    self.fetch = original;
  };
}

/** Compare with the lock file's sha256, as fetch would. Browsers keep `crypto.subtle` from plain http except on localhost. */
async function verify(name, content, integrity) {
  if (!integrity || !self.crypto?.subtle) return;
  const digest = new Uint8Array(await self.crypto.subtle.digest("SHA-256", content));
  if (`sha256-${btoa(String.fromCharCode(...digest))}` !== integrity) {
    throw new PartError(`A part of the lab (${name}) is not the one that this page was built with.`);
  }
}
