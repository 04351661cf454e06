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
    bundle.onResolve({ filter: /\/supply\.mjs$/ }, () => ({ path: "supply", namespace: "stand-in" }));
    bundle.onLoad({ filter: /.*/, namespace: "stand-in" }, () => ({
      contents: `export class Supply {
        module = bytes; bytes = bytes; kept = () => [["wasm", { module: "compiled" }]];
        script = async () => { self.atlasPython = { startPython: self.startPython }; }; }
        async function bytes() {}`,
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
  return { self, say, said: () => JSON.parse(JSON.stringify(said)) };
}

const START = { kind: "start", lock: "{}" };
const REQUEST = JSON.stringify({ id: 7, lab: "network", inputs: { ranks: "2" } });
const READY = [{ kind: "ready", how: "memory" }, { kind: "kept", name: "wasm", part: { module: "compiled" } }];
const python = (answer) => async () => ({ how: "memory", answer: async (text, output) => answer(text, output) });

test("it is ready when Python is, says what the next worker may keep, and hands texts to and fro untouched", async () => {
  const { say, said } = worker(python((text) => `reply to ${text}`));
  await say(START);
  await say(REQUEST);
  assert.deepEqual(said(), [...READY, `reply to ${REQUEST}`]);
});

test("an exception in Python is a refusal in one sentence, and Python lives on", async () => {
  const error = new Error('Traceback (most recent call last):\n  File "x", line 1\nZeroDivisionError: division by zero\n');
  error.name = "PythonError";
  let fails = true;
  const { say, said } = worker(
    python(() => {
      if (fails) throw error;
      return "fine";
    }),
  );
  await say(START);
  await say(REQUEST);
  const message = "the lab's own code failed: ZeroDivisionError: division by zero";
  assert.deepEqual(JSON.parse(said()[2]), { id: 7, ok: false, lab: "network", control: null, message });
  fails = false;
  await say(REQUEST);
  assert.equal(said()[3], "fine");
});

test("anything else has broken Python, and says so", async () => {
  const { say, said } = worker(
    python(() => {
      throw new RangeError("memory access out of bounds");
    }),
  );
  await say(START);
  await say(REQUEST);
  assert.deepEqual(said()[2], { kind: "failed", message: "Python has stopped: memory access out of bounds." });
});

test("output of code is told with the request that makes it", async () => {
  const { say, said } = worker(
    python((text, output) => {
      output(7, "stdout", "1\n");
      return text;
    }),
  );
  await say(START);
  await say(REQUEST);
  assert.deepEqual(said().slice(2), [{ kind: "output", id: 7, stream: "stdout", text: "1\n" }, REQUEST]);
});

test("a start that fails says why", async () => {
  const { say, said } = worker(async () => {
    throw new Error("no such thing.");
  });
  await say(START);
  assert.deepEqual(said(), [{ kind: "failed", message: "Python did not start: no such thing." }]);
});
