/** The page's side of Python: one worker for all labs and cells of the page, a promise for each request. */
import { Failure, Stopped } from "./failure.mjs";
import { QUICK, WHOLE } from "./engines.mjs";
import { first, Parts } from "./parts.mjs";

const SILENCE = 60_000; // ms without any sign of progress, after which a start counts as failed; a slow phone needs half of it
const PULSE = 3_000; // ms for an idle worker to show that it lives
const TRIES = 3; // workers that a request may be sent to, one after another
const PATIENCE = 30_000; // ms for the reply of a lab; a reader's code may take as long as it likes, and has Stop

/** A worker that died without a word, or gives way to one with more: what was asked of it goes to the next one. */
class Gone extends Failure {}

/** A worker never came to run. */
class Refused extends Failure {}

/** The page was left while Python started. */
class Left extends Error {}

/** "state" events tell in `detail`: starting, ready, busy (a reader's code runs), stopped, failed. */
export class Runtime extends EventTarget {
  #parts;
  #lock;
  #least; // the engine that the labs start with
  #engine; // of the next start
  #has; // the engine of the worker
  #widening; // promise that no worker has less than the whole engine, once that is wanted
  #starting; // promise of the worker that is ready, kept until it fails
  #launching; // promise of the worker that is there and starts
  #worker; // the worker, once it is ready
  #requests = new Map(); // id -> {text, worker, resolve, reject, onOutput, isCode, timer}
  #lastId = 0;
  #pulses = new Set(); // called when an idle worker answers
  #foreseen; // a request that went out before anybody made it: {request, reply}
  #away; // promise that the page is there again, and its end, while it is left: {promise, resolve}
  #giveUp; // ends the start that is under way

  /**
   * @param {{names: Record<string, {host: string, disk: string}>, folder: URL, worker: {code: string, file: string}, lock: string}} where
   *   see Parts; `lock` is Pyodide's lock file
   */
  constructor({ names, folder, worker, lock }) {
    super();
    this.#parts = new Parts({ names, folder, worker });
    this.#least = names[QUICK] ? QUICK : WHOLE;
    this.#engine = this.#least;
    this.#lock = lock;
  }

  /**
   * Start Python if it is not there or has failed.
   * @returns {Promise<void>} rejects with a Failure
   */
  async start() {
    await this.#ready();
  }

  /**
   * Send a lab's request ahead: whoever makes the same one next has this reply. What goes wrong, they hear.
   * @returns {Promise<void>} when it is over, well or not
   */
  async foresee(request) {
    const reply = this.ask(request);
    this.#foreseen = { request, reply };
    await reply.catch(() => {});
  }

  /**
   * Ask Python: a lab for its frame, or for the outcome of a reader's code.
   * @param {{lab: string, inputs: Record<string, string>} | {code: string, name: string}} request
   * @param {{defaults?: Record<string, string>, onOutput?: (output: {stream: "stdout" | "stderr", text: string}) => void}} options
   *   `defaults`: the inputs that Python takes where a request does not name them
   * @returns {Promise<object>} the reply; rejects with a Failure
   */
  async ask(request, { defaults = {}, onOutput } = {}) {
    const foreseen = this.#foreseen;
    this.#foreseen = undefined;
    if (foreseen && isSame(foreseen.request, request, defaults)) return foreseen.reply;
    for (let left = TRIES; ; left -= 1) {
      try {
        return await this.#send(request, onOutput);
      } catch (error) {
        if (!(error instanceof Gone) || left === 1) throw error;
      }
    }
  }

  /**
   * Have the whole of Python from now on: a reader's code may call any of it, the labs are quicker with less. A worker that
   * has less is replaced; what it was asked, the next one answers.
   * @returns {Promise<void>} when no worker has less
   */
  whole() {
    this.#widening ??= this.#widen();
    return this.#widening;
  }

  async #widen() {
    this.#engine = WHOLE;
    const worker = await this.#starting?.catch(() => {});
    if (!worker || worker !== this.#worker || this.#has === WHOLE) return;
    this.#end(worker, new Gone("Python starts again, with all of its code."));
    this.#ready().catch(() => {});
  }

  async #send(request, onOutput) {
    const isCode = request.code !== undefined;
    if (isCode && this.#has !== WHOLE) await this.whole();
    // A lab may ask while Python starts: it is answered when Python is ready.
    const worker = this.#worker ?? (await (isCode ? this.#ready() : this.#launched()));
    if (worker === this.#worker && this.#requests.size === 0) this.#feel(worker);
    this.#lastId += 1;
    const id = this.#lastId;
    try {
      return await new Promise((resolve, reject) => {
        const sent = { text: JSON.stringify({ ...request, id }), resolve, reject, onOutput, isCode };
        this.#requests.set(id, sent);
        if (isCode) this.#tell("busy");
        this.#watch();
        this.#post(sent, worker);
      });
    } finally {
      clearTimeout(this.#requests.get(id)?.timer);
      this.#requests.delete(id);
      if (isCode && this.#worker === worker && !this.#codeRuns) this.#tell("ready");
      this.#watch();
    }
  }

  #post(request, worker) {
    request.worker = worker;
    worker.postMessage(request.text);
  }

  /**
   * The page is left. A browser may keep it as it is, with its workers frozen, and bring it back; a frozen worker that compiles would
   * keep Firefox's compiler from every page that is opened meanwhile. So a start under way ends, and begins anew at `comeBack`.
   */
  leave() {
    this.#away ??= Promise.withResolvers();
    this.#giveUp?.();
    this.#watch();
  }

  /** The page is there again. */
  comeBack() {
    this.#away?.resolve();
    this.#away = undefined;
    this.#watch();
  }

  /**
   * End what runs, at once and whatever it is, and start anew.
   * @returns {Promise<void>} when Python is ready again
   */
  async stop() {
    await this.#widening; // code that waits for the whole engine is ended too
    const worker = await this.#starting?.catch(() => {});
    if (worker) this.#end(worker, new Stopped(), "stopped");
    await this.start();
  }

  get #codeRuns() {
    return [...this.#requests.values()].some(({ isCode }) => isCode);
  }

  /** Give each lab's request its time, but not while Python starts, the page is away, or a reader's code keeps it waiting. */
  #watch() {
    const worker = this.#worker;
    const held = this.#codeRuns || !worker || this.#away;
    for (const request of this.#requests.values()) {
      if (request.isCode) continue;
      if (held) {
        clearTimeout(request.timer);
        request.timer = undefined;
      } else {
        const failure = () => new Failure(`Python gave no answer in ${PATIENCE / 1000} seconds.`);
        request.timer ??= setTimeout(() => this.#end(worker, failure(), "failed"), PATIENCE);
      }
    }
  }

  /**
   * Ask an idle worker for a sign of life, which comes before its next reply. A browser may end a worker without a word, and so may a
   * reader's code: one that is silent is given up.
   */
  #feel(worker) {
    const gone = setTimeout(() => this.#end(worker, new Gone("Python has stopped without a word."), "stopped"), PULSE);
    this.#pulses.add(() => clearTimeout(gone));
    worker.postMessage({ kind: "ping" });
  }

  #launched() {
    this.#ready().catch(() => {});
    return this.#launching;
  }

  #ready() {
    this.#starting ??= this.#start().catch((error) => {
      this.#starting = undefined;
      this.#engine = this.#least; // it may be the whole engine that does not come
      this.#widening = undefined;
      this.#refuse(error);
      this.#tell("failed");
      throw error;
    });
    return this.#starting;
  }

  async #start() {
    this.#tell("starting");
    let worker;
    while (!worker) worker = await this.#attempt();
    this.#worker = worker;
    this.#watch();
    this.#tell("ready");
    return worker;
  }

  /** Return a worker that is ready, or none where the page was left meanwhile, or the worker can be had in another way. */
  async #attempt() {
    const engine = this.#engine; // it may be another while this one starts
    this.#launching = this.#launch(engine);
    const worker = await this.#launching;
    try {
      // What was asked of a worker that ended with the page's leaving.
      for (const request of this.#requests.values()) if (request.worker !== worker) this.#post(request, worker);
      await this.#begin(worker, engine);
      return worker;
    } catch (error) {
      worker.terminate();
      if (!(error instanceof Left || (error instanceof Refused && this.#parts.workerAsFile()))) throw error;
      return undefined;
    } finally {
      this.#parts.started();
    }
  }

  async #launch(engine) {
    if (typeof WebAssembly !== "object") {
      throw new Failure("This browser has WebAssembly switched off, and live Python needs it.");
    }
    await this.#away?.promise;
    return this.#parts.worker(this.#lock, engine);
  }

  /** Hand the worker what it needs, and wait until it is ready, has failed, or has said nothing for too long. */
  #begin(worker, engine) {
    return new Promise((resolve, reject) => {
      const silent = () => reject(new Failure(`Python did not start: nothing happened for ${SILENCE / 1000} seconds.`));
      let timer = setTimeout(silent, SILENCE);
      this.#giveUp = () => {
        clearTimeout(timer);
        reject(new Left());
      };
      if (this.#away) this.#giveUp();
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        if (data.kind === "ready") {
          this.#has = data.engine;
          if (data.engine === WHOLE) this.#engine = WHOLE; // also where the quick one failed
          worker.onmessage = (event) => this.#hear(worker, event.data);
          worker.onerror = (event) => this.#broken(worker, event);
          resolve();
        } else if (data.kind === "failed") {
          reject(new Failure(data.message));
        } else {
          if (data.kind === "need") this.#deliver(worker, data.name);
          timer = setTimeout(silent, SILENCE);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        clearTimeout(timer);
        reject(new Refused("The browser did not run the lab's worker, or its file is missing."));
      };
      for (const name of first(engine)) this.#deliver(worker, name); // unasked: a busy page would be slow to hear of the need
    });
  }

  async #deliver(worker, name) {
    const part = await this.#parts.part(name).catch((error) => ({ error: error.message }));
    worker.postMessage({ kind: "part", name, part }, part.port ? [part.port] : []);
  }

  #hear(worker, data) {
    if (typeof data === "string") {
      const reply = JSON.parse(data);
      this.#requests.get(reply.id)?.resolve(reply);
    } else if (data.kind === "output") {
      this.#requests.get(data.id)?.onOutput?.({ stream: data.stream, text: data.text });
    } else if (data.kind === "pong") {
      for (const lives of this.#pulses) lives();
      this.#pulses.clear();
    } else if (data.kind === "need") {
      this.#deliver(worker, data.name);
    } else if (data.kind === "kept") {
      this.#parts.keep(data.name, data.part);
    } else if (data.kind === "short") {
      console.info("The labs' engine lacks what was called; Python goes on with the whole one.");
      this.whole();
    } else if (data.kind === "failed") {
      this.#end(worker, new Failure(data.message), "failed");
    }
  }

  #broken(worker, event) {
    event.preventDefault();
    this.#end(worker, new Failure(`Python has stopped: ${event.message ?? "the worker ended"}.`), "failed");
  }

  /** End a worker that is of no more use; the next start makes a new one. Without a state, nobody needs to hear of it. */
  #end(worker, failure, state) {
    worker.terminate();
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#has = undefined;
    this.#starting = undefined;
    this.#refuse(failure);
    if (state) this.#tell(state);
  }

  #refuse(failure) {
    for (const { reject } of this.#requests.values()) reject(failure);
  }

  #tell(state) {
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}

/** Return whether two requests are the same to a lab: what one of them leaves out has its default. */
function isSame(one, other, defaults) {
  const rest = (request) => JSON.stringify({ ...request, inputs: undefined });
  const names = new Set([...Object.keys(one.inputs ?? {}), ...Object.keys(other.inputs ?? {})]);
  const text = ({ inputs }, name) => inputs?.[name] ?? defaults[name];
  return rest(one) === rest(other) && [...names].every((name) => text(one, name) === text(other, name));
}
