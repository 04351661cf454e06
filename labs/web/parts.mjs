/**
 * How the page reaches the parts. Over http the worker fetches them by itself. A page opened from disk can fetch nothing, but it can
 * run a classic script: each part is one that calls `atlasPart(name, text)`. The worker's own code comes with the page, since
 * Firefox fetches that of a file only once the page is idle.
 */
import { QUICK, WHOLE } from "./engines.mjs";
import { Failure } from "./failure.mjs";

/** What a start with this engine needs, in the order of its use. */
export const first = (engine) => [engine, "python", "memory"];

export class Parts {
  #names;
  #folder;
  #worker;
  #address; // of the worker's code
  #kept = new Map(); // name -> what a worker has made of a part, for the next worker
  #loading = new Map(); // name -> promise of the text, from disk
  #helper; // a worker that compiles the engine while the first one is busy with the rest of a start

  /**
   * @param {{names: Record<string, {host: string, disk: string}>, folder: URL, worker: {code: string, file: string}}} where
   *   files by their part, the folder that they are in, and the worker as text and as a file there
   */
  constructor({ names, folder, worker }) {
    this.#names = names;
    this.#folder = folder;
    this.#worker = worker;
    this.#address = URL.createObjectURL(new Blob([worker.code], { type: "text/javascript" }));
  }

  get #fromDisk() {
    return this.#folder.protocol === "file:";
  }

  /**
   * Start a worker, and from disk begin to read what it will need.
   * @param {string} lock Pyodide's lock file
   * @param {"quick" | "wasm"} engine
   */
  worker(lock, engine) {
    const coming = first(engine);
    const wanted = coming.filter((name) => !this.#kept.has(name));
    if (this.#fromDisk) for (const name of wanted) this.#read(name).catch(() => {});
    // From disk each worker is an origin of its own to Chromium, and they can share no module.
    const helped = wanted.includes(engine) && !this.#fromDisk;
    const own = wanted.filter((name) => !helped || name !== engine);
    const worker = startWorker(this.#address, { lock, engine, coming, parts: this.#places(own) });
    if (helped) this.#helper = startWorker(this.#address, { parts: this.#places([engine]) });
    return worker;
  }

  /**
   * A worker did not run. A host's policy may forbid one from text: take its file from now on.
   * @returns {boolean} whether that is another way
   */
  workerAsFile() {
    if (this.#fromDisk || !this.#address.startsWith("blob:")) return false;
    URL.revokeObjectURL(this.#address);
    this.#address = new URL(this.#worker.file, this.#folder).href;
    return true;
  }

  /** Return where parts are, for a worker that can fetch them by itself. */
  #places(names) {
    return this.#fromDisk ? {} : Object.fromEntries(names.map((name) => [name, { url: this.#url(name, "host") }]));
  }

  /**
   * Return a part for a worker: where it is, what it is, who opens it, or what an earlier worker has made of it.
   * @param {string} name
   * @returns {Promise<{url: string} | {url: string, port: MessagePort} | {text: string} | {blob: Blob} | {module: WebAssembly.Module}>}
   */
  async part(name) {
    if (this.#kept.has(name)) return this.#kept.get(name);
    const helper = name === QUICK || name === WHOLE ? this.#helper : undefined;
    const part = this.#fromDisk ? { text: await this.#taken(name) } : { url: this.#url(name, "host") };
    return helper && helper === this.#helper ? this.#beside(name, part) : part; // it may be that of a later start by now
  }

  /** Let the second worker compile a part, and send the module straight to the first one. */
  #beside(name, part) {
    const { port1, port2 } = new MessageChannel();
    this.#helper.postMessage({ kind: "hand", name, part, port: port1 }, [port1]);
    return { ...part, port: port2 };
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
  // From disk the theme's search has an iframe in Worker's place; the page's head kept the real one.
  const Native = globalThis.NativeWorker ?? globalThis.Worker;
  // Firefox blurs the time by chance, and whoever asks first in a process makes the source of it. A worker that is first waits for the
  // page's thread; a page that paints meanwhile waits for the worker, and both for ever.
  performance.now();
  try {
    return new Native(url, { name: JSON.stringify({ ...task, agent: navigator.userAgent }) });
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
