/**
 * How the page reaches the parts. Over http the worker fetches them by itself. A page opened from disk can neither fetch nor
 * start a worker from a file, but it can run a classic script: each part is one that calls `atlasPart(name, text)`.
 */
import { Failure } from "./failure.mjs";

/** What a start with this engine needs, in the order of its use. */
export const first = (engine) => [engine, "python", "memory"];
const BESIDE = "memory"; // unzipped by a second worker, while the first one compiles

export class Parts {
  #names;
  #folder;
  #kept = new Map(); // name -> what a worker has made of a part, for the next worker
  #loading = new Map(); // name -> promise of the text, from disk
  #workerCode; // Blob, from disk
  #helper; // a worker for the start that is under way

  /**
   * @param {Record<string, {host: string, disk: string}>} names of files
   * @param {URL} folder where they are
   */
  constructor(names, folder) {
    this.#names = names;
    this.#folder = folder;
  }

  get #fromDisk() {
    return this.#folder.protocol === "file:";
  }

  /**
   * Start a worker, and from disk begin to read what it will need.
   * @param {string} lock Pyodide's lock file
   * @param {"quick" | "wasm"} engine
   */
  async worker(lock, engine) {
    const url = this.#fromDisk ? await this.#workerFromDisk(engine) : this.#url("worker", "host");
    const coming = first(engine);
    const wanted = coming.filter((name) => !this.#kept.has(name));
    const own = wanted.filter((name) => name !== BESIDE);
    const worker = startWorker(url, { lock, engine, coming, parts: this.#places(own) });
    if (own.length < wanted.length) this.#helper = startWorker(url, { parts: this.#places([BESIDE]) });
    if (this.#fromDisk) worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
    return worker;
  }

  /** Return where parts are, for a worker that can fetch them by itself. */
  #places(names) {
    return this.#fromDisk ? {} : Object.fromEntries(names.map((name) => [name, { url: this.#url(name, "host") }]));
  }

  async #workerFromDisk(engine) {
    const code = this.#workerCode ? null : runPart("worker", this.#url("worker", "disk"));
    for (const name of first(engine)) if (!this.#kept.has(name)) this.#read(name).catch(() => {});
    if (code) this.#workerCode = new Blob([await code], { type: "text/javascript" });
    return URL.createObjectURL(this.#workerCode);
  }

  /**
   * Return a part for a worker: where it is, what it is, who opens it, or what an earlier worker has made of it.
   * @param {string} name
   * @returns {Promise<{url: string} | {text: string} | {port: MessagePort} | {blob: Blob} | {module: WebAssembly.Module}>}
   */
  async part(name) {
    if (this.#kept.has(name)) return this.#kept.get(name);
    const helper = name === BESIDE ? this.#helper : undefined;
    const part = this.#fromDisk ? { text: await this.#taken(name) } : { url: this.#url(name, "host") };
    return helper && helper === this.#helper ? this.#beside(name, part) : part; // it may be that of a later start by now
  }

  /** Let the second worker unzip a part, and send the bytes straight to the first one. */
  #beside(name, part) {
    const { port1, port2 } = new MessageChannel();
    this.#helper.postMessage({ kind: "hand", name, part, port: port1 }, [port1]);
    return { port: port2 };
  }

  /** The start is over, well or not: end the second worker. */
  started() {
    this.#helper?.terminate();
    this.#helper = undefined;
  }

  async #taken(name) {
    try {
      return await this.#read(name);
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
    return new URL(this.#names[name][way], this.#folder).href;
  }
}

/** Start a worker. Its name tells it what to do: a message would wait until a busy page has heard that the worker is there. */
function startWorker(url, task) {
  // From disk the theme's search puts an iframe in Worker's place; docs/assets/javascripts/native-worker.js kept the real one.
  const Native = globalThis.NativeWorker ?? globalThis.Worker;
  try {
    return new Native(url, { name: JSON.stringify(task) });
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
