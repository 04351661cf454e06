/** The parts as they reach the worker: each is opened once, when it is first wanted, and kept for the next start. */
import { openPart, PartError, unzip, whole } from "./bytes.mjs";
import { QUICK, WHOLE } from "./engines.mjs";

export class Supply {
  #asked = new Map(); // name -> {promise, resolve, reject} of the part as it travels
  #opened = new Map(); // name -> promise of its bytes or its module
  #kept = new Map(); // name -> the part as the next worker can take it without any work
  #need;
  #progress;

  /**
   * @param {(name: string) => void} need asks the page for a part
   * @param {() => void} progress called as bytes arrive
   */
  constructor(need, progress) {
    this.#need = need;
    this.#progress = progress;
  }

  /** These parts will come unasked. */
  expect(names) {
    for (const name of names) if (!this.#asked.has(name)) this.#asked.set(name, promised());
  }

  /**
   * A part arrives: {url}, {text}, {url, port} where a worker compiles it, {blob} of what was unzipped, {module} that is compiled;
   * or {error}, why it does not.
   */
  deliver(name, part) {
    const asked = this.#asked.get(name);
    if (part.error) asked?.reject(new PartError(part.error));
    else asked?.resolve(part);
  }

  /** Begin to open a part. Whoever wants it hears what goes wrong. */
  open(name) {
    (name === QUICK || name === WHOLE ? this.module(name) : this.bytes(name)).catch(() => {});
  }

  /**
   * Return the bytes of a part.
   * @param {string} name
   * @returns {Promise<Uint8Array>}
   */
  bytes(name) {
    return this.#once(name, () => this.#bytes(name));
  }

  /**
   * Return the compiled module of a part; it compiles while its bytes arrive.
   * @param {string} name
   * @returns {Promise<WebAssembly.Module>}
   */
  module(name) {
    return this.#once(name, () => this.#module(name));
  }

  /** Run a part as a script, in the worker's global scope. */
  async script(name) {
    const bytes = await this.bytes(name);
    try {
      (0, eval)(new TextDecoder().decode(bytes));
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      importBlob(bytes); // a host's security policy forbids eval
    }
  }

  /** Yield [name, part] of what the next worker can take as it is. */
  *kept() {
    for (const [name, part] of this.#kept) yield [name, part()];
    this.#kept.clear();
  }

  async #bytes(name) {
    const part = await this.#ask(name);
    if (part.blob) return new Uint8Array(await part.blob.arrayBuffer());
    const bytes = await unzip(name, part, this.#progress);
    this.#kept.set(name, () => ({ blob: new Blob([bytes]) }));
    return bytes;
  }

  async #module(name) {
    const part = await this.#ask(name);
    if (part.module) return part.module;
    const sent = part.port && (await compiled(part.port, this.#progress));
    const module = sent ?? (await this.#compile(name, part));
    this.#kept.set(name, () => ({ module }));
    return module;
  }

  async #compile(name, part) {
    const stream = await openPart(name, part, this.#progress);
    const response = new Response(stream, { headers: { "content-type": "application/wasm" } });
    return whole(name, WebAssembly.compileStreaming(response));
  }

  /** A part that did not arrive may be asked for again. */
  #once(name, open) {
    if (!this.#opened.has(name)) {
      const opening = open();
      this.#opened.set(name, opening);
      opening.catch(() => {
        this.#opened.delete(name);
        this.#asked.delete(name);
      });
    }
    return this.#opened.get(name);
  }

  #ask(name) {
    if (!this.#asked.has(name)) {
      this.#asked.set(name, promised());
      this.#need(name);
    }
    return this.#asked.get(name).promise;
  }
}

/** The slower way: it waits for the page, which is busy at this time, and nothing else can go on here meanwhile. */
function importBlob(bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    self.importScripts(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Return a promise with its two ends. A failure that nobody waits for yet is told to whoever asks later. */
function promised() {
  const ends = Promise.withResolvers();
  ends.promise.catch(() => {});
  return ends;
}

/** Return the module that another worker sends, or nothing where the browser keeps the two apart. */
function compiled(port, progress) {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }) => {
      if (data.module) resolve(data.module);
      else if (data.error) reject(new PartError(data.error));
      else progress();
    };
    port.onmessageerror = () => resolve();
  });
}
