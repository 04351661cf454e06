/** How the page starts its workers. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Parts } from "../../../labs/web/parts.mjs";

const NAMES = Object.fromEntries(["quick", "python", "memory"].map((name) => [name, { host: `${name}.bin`, disk: `${name}.js` }]));

test("the page has asked for the time before a worker can: Firefox hangs where the worker is first", (t) => {
  const order = [];
  t.mock.method(performance, "now", () => order.push("time"));
  globalThis.Worker = class {
    constructor() {
      order.push("worker");
    }
  };
  t.after(() => delete globalThis.Worker);
  new Parts({ names: NAMES, folder: new URL("http://host/lab/"), worker: { code: "", file: "worker.js" } }).worker("{}", "quick");
  assert.deepEqual(order.slice(0, 2), ["time", "worker"]);
});
