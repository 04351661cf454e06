/** The worker's side of the talk, with Python's part played by the test. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { build } from "esbuild";

const entry = fileURLToPath(new URL("../../../labs/web/worker.mjs", import.meta.url));
const standIn = {
  name: "stand-in",
  setup(bundle) {
    bundle.onResolve({ filter: /\/python\.mjs$/ }, () => ({ path: "python", namespace: "stand-in" }));
    bundle.onLoad({ filter: /.*/, namespace: "stand-in" }, () => ({
      contents: "export const startPython = (...given) => self.startPython(...given)",
    }));
  },
};
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false, plugins: [standIn] });

/** Start the worker with this stand-in for Python, and return what to say to it and what it says. */
function worker(startPython) {
  const said = [];
  const self = { startPython, postMessage: (message) => said.push(message) };
  runInNewContext(outputFiles[0].text, { self });
  const say = async (data) => {
    self.onmessage({ data });
    await new Promise(setImmediate);
  };
  return { self, say, said: () => said.map((message) => (typeof message === "string" ? message : { ...message })) };
}

const START = { kind: "start", parts: {}, lock: "{}" };
const REQUEST = JSON.stringify({ id: 7, lab: "network", inputs: { ranks: "2" } });

test("it is ready when Python is, and hands texts to and fro untouched", async () => {
  const { say, said } = worker(async () => (text) => `reply to ${text}`);
  await say(START);
  await say(REQUEST);
  assert.deepEqual(said(), [{ kind: "ready" }, `reply to ${REQUEST}`]);
});

test("an exception in Python is a refusal in one sentence, and Python lives on", async () => {
  const error = new Error('Traceback (most recent call last):\n  File "x", line 1\nZeroDivisionError: division by zero\n');
  error.name = "PythonError";
  let fails = true;
  const { say, said } = worker(async () => () => {
    if (fails) throw error;
    return "fine";
  });
  await say(START);
  await say(REQUEST);
  const message = "the lab's own code failed: ZeroDivisionError: division by zero";
  assert.deepEqual(JSON.parse(said()[1]), { id: 7, ok: false, lab: "network", control: null, message });
  fails = false;
  await say(REQUEST);
  assert.equal(said()[2], "fine");
});

test("anything else has broken Python, and says so", async () => {
  const { say, said } = worker(async () => () => {
    throw new RangeError("memory access out of bounds");
  });
  await say(START);
  await say(REQUEST);
  assert.deepEqual(said()[1], { kind: "failed", message: "Python has stopped: memory access out of bounds." });
});

test("a start that fails says why", async () => {
  const { say, said } = worker(async () => {
    throw new Error("no such thing.");
  });
  await say(START);
  assert.deepEqual(said(), [{ kind: "failed", message: "Python did not start: no such thing." }]);
});

test("importScripts refuses: Pyodide would not start where it works", () => {
  const { self } = worker(async () => {});
  assert.throws(() => self.importScripts("data:text/javascript,"), /switched off/);
});
