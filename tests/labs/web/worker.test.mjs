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
        expect = (names) => self.expected.push(...names); deliver = (name, part) => self.delivered.push([name, part]);
        module = async () => "compiled"; bytes = bytes; kept = () => [["wasm", { module: "compiled" }]]; open = () => {};
        script = async () => { self.atlasPython = { startPython: self.startPython }; }; }
        async function bytes() { return new Uint8Array([1, 2, 3]); }`,
    }));
  },
};
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "iife", write: false, plugins: [standIn] });

/** Start the worker with this stand-in for Python, and return what to say to it and what it says. */
async function worker(startPython, task = TASK) {
  const said = [];
  const [expected, delivered] = [[], []];
  const name = JSON.stringify(task);
  const navigator = {
    get userAgent() {
      throw new Error("Firefox would wait for the page here");
    },
  };
  const self = { startPython, name, navigator, expected, delivered, postMessage: (message) => said.push(message) };
  runInNewContext(outputFiles[0].text, { self, performance, setTimeout: (call) => setImmediate(call), Uint8Array });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const say = async (data) => {
    self.onmessage({ data });
    await new Promise(setImmediate);
  };
  return { self, say, said: () => JSON.parse(JSON.stringify(said)) };
}

const TASK = { lock: "{}", engine: "wasm", coming: ["wasm", "python", "memory"], parts: { wasm: { url: "where the wasm is" } }, agent: "a browser" };
const REQUEST = JSON.stringify({ id: 7, lab: "network", inputs: { ranks: "2" } });
const READY = [{ kind: "ready", how: "memory", engine: "wasm" }, { kind: "kept", name: "wasm", part: { module: "compiled" } }];
const python = (answer) => async ({ engine }) => ({ how: "memory", engine, answer: async (text, output) => answer(text, output) });

test("it is ready when Python is, says what the next worker may keep, and hands texts to and fro untouched", async () => {
  const { say, said } = await worker(python((text) => `reply to ${text}`));
  await say(REQUEST);
  assert.deepEqual(said(), [...READY, `reply to ${REQUEST}`]);
});

test("an exception in Python is a refusal in one sentence, and Python lives on", async () => {
  const error = new Error('Traceback (most recent call last):\n  File "x", line 1\nZeroDivisionError: division by zero\n');
  error.name = "PythonError";
  let fails = true;
  const { say, said } = await worker(
    python(() => {
      if (fails) throw error;
      return "fine";
    }),
  );
  await say(REQUEST);
  const message = "the lab's own code failed: ZeroDivisionError: division by zero";
  assert.deepEqual(JSON.parse(said()[2]), { id: 7, ok: false, lab: "network", control: null, message });
  fails = false;
  await say(REQUEST);
  assert.equal(said()[3], "fine");
});

const broken = python(() => {
  throw new RangeError("memory access out of bounds");
});

test("anything else has broken Python, and says so", async () => {
  const { say, said } = await worker(broken);
  await say(REQUEST);
  assert.deepEqual(said()[2], { kind: "failed", message: "Python has stopped: memory access out of bounds." });
});

test("what breaks the quick engine may only be more than it holds", async () => {
  const { say, said } = await worker(broken, { ...TASK, engine: "quick" });
  await say(REQUEST);
  assert.deepEqual(said().slice(2), [{ kind: "short" }]);
});

test("output of code is told with the request that makes it", async () => {
  const { say, said } = await worker(
    python((text, output) => {
      output(7, "stdout", "1\n");
      return text;
    }),
  );
  await say(REQUEST);
  assert.deepEqual(said().slice(2), [{ kind: "output", id: 7, stream: "stdout", text: "1\n" }, REQUEST]);
});

test("a start that fails says why", async () => {
  const { say, said } = await worker(async () => {
    throw new Error("no such thing.");
  });
  assert.deepEqual(said(), [{ kind: "failed", message: "Python did not start: no such thing." }]);
});

test("it opens what its name says without being told, and waits for the rest", async () => {
  const { self } = await worker(python((text) => text));
  assert.deepEqual(JSON.parse(JSON.stringify([self.expected, self.delivered])), [
    ["wasm", "python", "memory", "wasm"],
    [["wasm", { url: "where the wasm is" }]],
  ]);
});

test("without a lock it starts no Python: it hands over the module that it compiles", async () => {
  const { say, said, self } = await worker(null, { parts: {}, agent: "a browser" });
  const handed = [];
  await say({ kind: "hand", name: "quick", part: { text: "zipped" }, port: { postMessage: (...sent) => handed.push(sent) } });
  assert.deepEqual(said(), []);
  assert.deepEqual(JSON.parse(JSON.stringify(self.delivered)), [["quick", { text: "zipped" }]]);
  assert.deepEqual(JSON.parse(JSON.stringify(handed)), [[{ module: "compiled" }]]);
});
