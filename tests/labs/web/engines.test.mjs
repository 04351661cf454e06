/** The page's side: which engine a worker has, and a page that is left and comes back. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Stopped } from "../../../labs/web/failure.mjs";
import { helpers, runtime, settled, started, workers } from "./runtime_stage.mjs";

test("a reader's code has the whole engine, and what a lab was asked meanwhile the next worker answers", async () => {
  const [one, worker] = await started();
  const states = [];
  one.addEventListener("state", ({ detail }) => states.push(detail));
  const lab = one.ask({ lab: "network", inputs: {} });
  await settled();
  const code = one.ask({ code: "1", name: "cell" });
  await settled();
  assert.equal(worker.terminated, true);
  assert.deepEqual([workers[1].task.engine, workers[1].task.coming], ["wasm", ["wasm", "python", "memory"]]);
  workers[1].ready();
  await settled();
  for (const text of workers[1].heard) workers[1].answer(text);
  assert.deepEqual([(await lab).ok, (await code).ok], [true, true]);
  assert.deepEqual(states, ["starting", "ready", "busy", "ready"]);
  one.ask({ code: "2", name: "cell" });
  await settled();
  assert.equal(workers.length, 2, "once is enough");
});

test("the whole engine is there before a reader's code is, where somebody foresees it", async () => {
  const one = runtime();
  const start = one.start();
  await settled();
  one.whole(); // while the quick one starts
  workers[0].ready();
  await start;
  await settled();
  assert.deepEqual([workers[0].terminated, workers[1].task.engine], [true, "wasm"]);
});

test("a worker that had to start without the memory has the whole engine already", async () => {
  const one = runtime();
  const start = one.start();
  await settled();
  workers[0].ready("wasm");
  await start;
  await one.whole();
  assert.deepEqual([workers.length, workers[0].terminated], [1, false]);
});

test("where the quick engine lacks what a lab calls, the whole one answers, now and from then on", async () => {
  const [one, worker] = await started();
  const lab = one.ask({ lab: "network", inputs: {} });
  await settled();
  worker.say({ kind: "short" });
  await settled();
  assert.deepEqual([worker.terminated, workers[1].task.engine], [true, "wasm"]);
  workers[1].ready();
  await settled();
  workers[1].answer();
  assert.equal((await lab).ok, true);
  one.stop();
  await settled();
  assert.equal(workers[2].task.engine, "wasm");
});

test("Stop ends code that waits for the whole engine while the quick one starts", async () => {
  const one = runtime();
  one.start();
  await settled();
  one.whole(); // a cell is unfolded
  const code = one.ask({ code: "while True: pass", name: "cell" });
  const ended = assert.rejects(code, Stopped);
  await settled();
  one.stop();
  workers[0].ready();
  await settled();
  workers[1].ready();
  await ended;
  assert.deepEqual(workers.slice(0, 2).map(({ terminated }) => terminated), [true, true]);
});

test("where the whole engine does not come, the labs have the quick one again", async () => {
  const [one] = await started();
  const failed = assert.rejects(one.ask({ code: "1", name: "cell" }), /no such part/);
  await settled();
  workers[1].say({ kind: "failed", message: "no such part" });
  await failed;
  one.start();
  await settled();
  assert.equal(workers[2].task.engine, "quick");
  workers[2].ready();
  one.ask({ code: "1", name: "cell" }).catch(() => {});
  await settled();
  assert.equal(workers[3].task.engine, "wasm", "and the next code asks for it anew");
});

test("a start that came down to the whole engine is not tried with the quick one again", async () => {
  const one = runtime();
  const start = one.start();
  await settled();
  workers[0].ready("wasm");
  await start;
  one.stop();
  await settled();
  assert.equal(workers[1].task.engine, "wasm");
});

test("a page that is left ends a start under way, and goes on with it when it comes back", async () => {
  const one = runtime();
  const start = one.start();
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  one.leave();
  await settled();
  assert.deepEqual([...workers, ...helpers].map(({ terminated }) => terminated), [true, true], "a frozen one would keep the compiler");
  mock.timers.tick(100_000);
  await settled();
  assert.equal(workers.length, 1, "nothing starts while nobody looks");
  one.comeBack();
  await settled();
  assert.equal(workers.length, 2);
  const { id, lab } = JSON.parse(workers[1].heard[0]);
  assert.equal(lab, "network", "what was asked of the worker that ended, the next one answers");
  workers[1].ready();
  await start;
  workers[1].say(JSON.stringify({ id, ok: true }));
  assert.equal((await asked).ok, true);
  assert.equal(workers[1].heard.length, 1);
});

test("a start that is wanted while the page is put aside waits for it, as often as it is left", async () => {
  const one = runtime();
  one.leave();
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  assert.equal(workers.length, 0);
  for (let times = 1; times <= 2; times += 1) {
    one.comeBack();
    await settled();
    assert.equal(workers.length, times);
    one.leave();
    await settled();
  }
  one.comeBack();
  await settled();
  workers[2].ready();
  await settled();
  workers[2].answer();
  assert.equal((await asked).ok, true);
});

test("a page that is left keeps a Python that is ready", async () => {
  const [one, worker] = await started();
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  one.leave();
  mock.timers.tick(100_000);
  one.comeBack();
  await settled();
  assert.equal(worker.terminated, false, "the time away is nobody's");
  assert.equal(workers.length, 1);
  worker.answer();
  assert.equal((await asked).ok, true);
});
