/** The page's side of the talk, with the worker played by the test: what each test of it begins with. */
import { afterEach, beforeEach, mock } from "node:test";

import { Runtime } from "../../../labs/web/runtime.mjs";

const PARTS = ["python", "quick", "wasm", "memory", "stdlib", "labs"];
const names = Object.fromEntries(PARTS.map((name) => [name, { host: `${name}.0.bin`, disk: `${name}.0.disk.js` }]));

export const AT = "https://host.example/deep/assets/lab/";
export const at = (name) => ({ url: `${AT}${name}.0.bin` });

export let workers; // those that start Python
export let helpers; // those that open a part for one of them
class StandIn {
  heard = [];
  parts = new Map();
  terminated = false;
  constructor(url, { name }) {
    this.url = url;
    this.task = JSON.parse(name);
    (this.task.lock ? workers : helpers).push(this);
  }
  postMessage(message) {
    if (message.kind === "part") this.parts.set(message.name, message.part);
    else if (message.kind !== "ping") this.heard.push(message);
    else if (!this.mute) queueMicrotask(() => this.say({ kind: "pong" }));
  }
  terminate() {
    this.terminated = true;
  }
  say(data) {
    this.onmessage({ data });
  }
  ready(engine = this.task.engine) {
    this.say({ kind: "ready", how: "memory", engine });
  }
  answer(text = this.heard.at(-1)) {
    this.say(JSON.stringify({ id: JSON.parse(text).id, ok: true }));
  }
}

export const settled = () => new Promise(setImmediate);
export const WORKER = { code: "the worker's code", file: "worker.0.js" };
export const runtime = () => new Runtime({ names, folder: new URL(AT), worker: WORKER, lock: "lock" });

/** Start a runtime and return it with its worker, which says that it is ready; for a reader's code with the whole engine. */
export async function started({ whole = false } = {}) {
  const one = runtime();
  if (whole) await one.whole();
  const start = one.start();
  await settled();
  workers[0].ready();
  await start;
  return [one, workers[0]];
}

beforeEach(() => {
  workers = [];
  helpers = [];
  globalThis.Worker = StandIn;
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => {
  mock.timers.reset();
  delete globalThis.Worker;
});
