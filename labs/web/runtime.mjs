/** The page's side of Python: one worker for all labs of the page, a promise for each request. */
import { Failure } from "./failure.mjs";
import { openParts } from "./parts.mjs";

const SILENCE = 30_000; // ms without any sign of progress, after which a start counts as failed
const PATIENCE = 30_000; // ms for one reply

export class Runtime {
  #names;
  #lock;
  #script;
  #starting; // promise of the worker, kept until it fails
  #requests = new Map(); // id -> {resolve, reject}
  #lastId = 0;

  /**
   * @param {{names: Record<string, {host: string, disk: string}>, lock: string, script: URL}} where
   */
  constructor({ names, lock, script }) {
    this.#names = names;
    this.#lock = lock;
    this.#script = script;
  }

  /**
   * Start Python if it is not there or has failed.
   * @returns {Promise<void>} rejects with a Failure
   */
  async start() {
    this.#starting ??= this.#start().catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    await this.#starting;
  }

  /**
   * Ask a lab for its frame.
   * @param {string} lab
   * @param {Record<string, string>} inputs as the person typed them
   * @returns {Promise<object>} the reply; rejects with a Failure
   */
  async ask(lab, inputs) {
    await this.start();
    const worker = await this.#starting;
    this.#lastId += 1;
    const id = this.#lastId;
    const failed = new Failure(`Python gave no answer in ${PATIENCE / 1000} seconds.`);
    const timer = setTimeout(() => this.#end(worker, failed), PATIENCE);
    try {
      return await new Promise((resolve, reject) => {
        this.#requests.set(id, { resolve, reject });
        worker.postMessage(JSON.stringify({ id, lab, inputs }));
      });
    } finally {
      clearTimeout(timer);
      this.#requests.delete(id);
    }
  }

  async #start() {
    if (typeof WebAssembly !== "object") {
      throw new Failure("This browser has WebAssembly switched off, and live Python needs it.");
    }
    const { worker, parts } = await openParts(this.#names, this.#script);
    try {
      await ready(worker, { kind: "start", parts, lock: this.#lock });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    worker.onmessage = ({ data }) => {
      if (typeof data === "string") this.#settle(JSON.parse(data));
      else if (data.kind === "failed") this.#end(worker, new Failure(data.message));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(worker, new Failure(`Python has stopped: ${event.message ?? "the worker ended"}.`));
    };
    return worker;
  }

  #settle(reply) {
    this.#requests.get(reply.id)?.resolve(reply);
  }

  /** End a worker that is of no more use; the next start makes a new one. */
  #end(worker, failure) {
    worker.terminate();
    this.#starting = undefined;
    for (const { reject } of this.#requests.values()) reject(failure);
  }
}

/** Send the first message, and wait until the worker says that it is ready, that it failed, or nothing for too long. */
function ready(worker, message) {
  return new Promise((resolve, reject) => {
    const silent = () => reject(new Failure(`Python did not start: nothing happened for ${SILENCE / 1000} seconds.`));
    let timer = setTimeout(silent, SILENCE);
    worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      if (data.kind === "ready") resolve();
      else if (data.kind === "failed") reject(new Failure(data.message));
      else timer = setTimeout(silent, SILENCE);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      reject(new Failure("The browser did not run the lab's worker, or its file is missing."));
    };
    worker.postMessage(message);
  });
}
