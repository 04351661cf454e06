/**
 * How the page reaches the parts. Over http the worker fetches them by itself. A page opened from disk can neither fetch nor
 * start a worker from a file, but it can run a classic script: each part is one that calls `atlasPart(name, text)`.
 */
import { fromBase64 } from "./bytes.mjs";
import { Failure } from "./failure.mjs";

/** What every start needs, the largest first. */
const FIRST = ["memory", "wasm", "python"];

export class Parts {
  #names;
  #script;
  #kept = new Map(); // name -> what a worker has made of a part, for the next worker
  #loading = new Map(); // name -> promise of the text, from disk
  #workerCode; // Blob, from disk

  /**
   * @param {Record<string, {host: string, disk: string}>} names file names, beside the page's script
   * @param {URL} script the page's script
   */
  constructor(names, script) {
    this.#names = names;
    this.#script = script;
  }

  get #fromDisk() {
    return this.#script.protocol === "file:";
  }

  /** Start a worker, and from disk begin to read what it will ask for. */
  async worker() {
    if (!this.#fromDisk) return startWorker(this.#url("worker", "host"));
    for (const name of FIRST) if (!this.#kept.has(name)) this.#read(name).catch(() => {});
    if (!this.#workerCode) {
      const text = await runPart("worker", this.#url("worker", "disk"));
      const unzipped = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
      this.#workerCode = new Blob([await new Response(unzipped).blob()], { type: "text/javascript" });
    }
    const url = URL.createObjectURL(this.#workerCode);
    const worker = startWorker(url);
    worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
    return worker;
  }

  /**
   * Return a part for a worker: where it is, what it is, or what an earlier worker has made of it.
   * @param {string} name
   * @returns {Promise<{url: string} | {text: string} | {blob: Blob} | {module: WebAssembly.Module}>}
   */
  async part(name) {
    if (this.#kept.has(name)) return this.#kept.get(name);
    if (!this.#fromDisk) return { url: this.#url(name, "host") };
    try {
      return { text: await this.#read(name) };
    } finally {
      this.#loading.delete(name); // megabytes of text, of no more use
    }
  }

  /** Keep what a worker has made of a part. */
  keep(name, part) {
    this.#kept.set(name, part);
  }

  #read(name) {
    if (!this.#loading.has(name)) this.#loading.set(name, runPart(name, this.#url(name, "disk")));
    return this.#loading.get(name);
  }

  #url(name, way) {
    return new URL(this.#names[name][way], this.#script).href;
  }
}

function startWorker(url) {
  // From disk the theme's search puts an iframe in Worker's place; docs/assets/javascripts/native-worker.js kept the real one.
  const Native = globalThis.NativeWorker ?? globalThis.Worker;
  try {
    return new Native(url);
  } catch (error) {
    throw new Failure(`The browser refuses to start a worker (${error.message}), and live Python needs one.`);
  }
}

const waiting = new Map(); // name -> resolve

globalThis.atlasPart = (name, text) => {
  waiting.get(name)?.(text);
  waiting.delete(name);
};

/** Run the script of one part and return the text that it hands over. */
function runPart(name, url) {
  const file = url.slice(url.lastIndexOf("/") + 1);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(name, resolve);
    script.src = url;
    script.onload = () => {
      script.remove();
      // A script that was cut short has run too, as a syntax error; after a whole one this changes nothing.
      reject(new Failure(`A part of the lab (${name}, ${file}) is damaged or cut short.`));
    };
    script.onerror = () => {
      script.remove();
      reject(new Failure(`A part of the lab (${name}, ${file}) is missing beside this page.`));
    };
    document.head.append(script);
  });
}
