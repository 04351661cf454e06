/** The page's side of the talk, with the worker played by the test. */
import assert from "node:assert/strict";
import { resolveObjectURL } from "node:buffer";
import { mock, test } from "node:test";

import { Stopped } from "../../../labs/web/failure.mjs";
import { AT, at, helpers, WORKER, runtime, settled, started, workers } from "./runtime_stage.mjs";

test("the worker's name tells it what to fetch, so that it waits for nothing", async () => {
  const [, worker] = await started();
  assert.equal(await resolveObjectURL(worker.url).text(), WORKER.code);
  assert.deepEqual(worker.task, {
    lock: "lock",
    engine: "quick",
    coming: ["quick", "python", "memory"],
    parts: { python: at("python"), memory: at("memory") },
    agent: navigator.userAgent,
  });
});

test("the engine is compiled by a second worker, which ends when the start is over", async () => {
  const one = runtime();
  const start = one.start();
  await settled();
  const [helper] = helpers;
  assert.deepEqual(helper.task, { parts: { quick: at("quick") }, agent: navigator.userAgent });
  const [{ kind, name, part, port }] = helper.heard;
  assert.deepEqual([kind, name, part], ["hand", "quick", at("quick")]);
  const arrived = new Promise((resolve) => (workers[0].parts.get("quick").port.onmessage = ({ data }) => resolve(data)));
  port.postMessage({ module: "the module" });
  assert.deepEqual(await arrived, { module: "the module" });
  port.close();
  assert.equal(helper.terminated, false);
  workers[0].ready();
  await start;
  assert.equal(helper.terminated, true);
});

test("a worker that does not run is tried as a file, once", async () => {
  const one = runtime();
  const failed = assert.rejects(one.start(), /did not run the lab's worker/);
  await settled();
  const refused = () => workers.at(-1).onerror({ preventDefault() {} });
  refused();
  await settled();
  assert.deepEqual(workers.map(({ url }) => url.split(":")[0]), ["blob", "https"]);
  assert.equal(workers[1].url, AT + WORKER.file);
  assert.equal(workers[0].terminated, true);
  refused();
  await failed;
  assert.equal(workers.length, 2);
});

test("a start that fails ends both workers", async () => {
  const one = runtime();
  const failed = assert.rejects(one.start(), /no such thing/);
  await settled();
  workers[0].say({ kind: "failed", message: "no such thing" });
  await failed;
  assert.deepEqual([workers[0].terminated, helpers[0].terminated], [true, true]);
});

test("what a reader's code needs is sent when it is asked for", async () => {
  const [, worker] = await started();
  assert.deepEqual([...worker.parts.keys()], ["quick", "python", "memory"]);
  for (const name of ["stdlib", "labs"]) worker.say({ kind: "need", name });
  await settled();
  assert.deepEqual([worker.parts.get("stdlib"), worker.parts.get("labs")], [at("stdlib"), at("labs")]);
});

test("two labs share one start", async () => {
  const one = runtime();
  const both = Promise.all([one.start(), one.start()]);
  await settled();
  assert.equal(workers.length, 1);
  workers[0].ready();
  await both;
});

test("each reply finds its request, in whatever order they come", async () => {
  const [one, worker] = await started();
  const first = one.ask({ lab: "network", inputs: { ranks: "2" } });
  const second = one.ask({ lab: "other", inputs: {} });
  await settled();
  const [a, b] = worker.heard.map((text) => JSON.parse(text));
  assert.deepEqual([a.lab, a.inputs, b.lab], ["network", { ranks: "2" }, "other"]);
  assert.notEqual(a.id, b.id);
  worker.say(JSON.stringify({ id: b.id, ok: true, lab: "other" }));
  worker.say(JSON.stringify({ id: a.id, ok: true, lab: "network" }));
  assert.deepEqual([(await first).lab, (await second).lab], ["network", "other"]);
});

test("a start with signs of progress may last; silence ends it, and the next start is a new one", async () => {
  const one = runtime();
  const failed = assert.rejects(one.start(), /nothing happened for 60 seconds/);
  await settled();
  for (let i = 0; i < 3; i += 1) {
    mock.timers.tick(59_000);
    workers[0].say({ kind: "progress" });
  }
  mock.timers.tick(59_000);
  assert.equal(workers[0].terminated, false);
  mock.timers.tick(1_001);
  await failed;
  assert.equal(workers[0].terminated, true);
  const again = one.start();
  await settled();
  workers[1].ready();
  await again;
});

test("a reply that does not come ends the worker and everything that waits for it", async () => {
  const [one, worker] = await started();
  const failures = [one.ask({ lab: "network", inputs: {} }), one.ask({ lab: "other", inputs: {} })].map((asked) => assert.rejects(asked, /no answer in 30 seconds/));
  await settled();
  mock.timers.tick(30_001);
  await Promise.all(failures);
  assert.equal(worker.terminated, true);
  one.start().catch(() => {});
  await settled();
  assert.equal(workers.length, 2);
});

test("a worker that breaks says why, and the next question starts another", async () => {
  const [one, worker] = await started();
  const failed = assert.rejects(one.ask({ lab: "network", inputs: {} }), /^Failure: Python has stopped: out of memory\.$/);
  await settled();
  worker.say({ kind: "failed", message: "Python has stopped: out of memory." });
  await failed;
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  workers[1].ready();
  await settled();
  workers[1].answer();
  assert.equal((await asked).ok, true);
});

test("Stop ends whatever runs, starts anew from what was kept, and takes nobody else along", async () => {
  const [one, worker] = await started({ whole: true });
  const states = [];
  one.addEventListener("state", ({ detail }) => states.push(detail));
  worker.say({ kind: "kept", name: "wasm", part: { module: "compiled" } });
  const stopped = assert.rejects(one.ask({ code: "while True: pass", name: "cell" }), /^Stopped: Stopped\.$/);
  await settled();
  const stop = one.stop();
  await settled();
  await stopped;
  assert.equal(worker.terminated, true);
  assert.deepEqual(workers[1].parts.get("wasm"), { module: "compiled" });
  assert.deepEqual(Object.keys(workers[1].task.parts), ["python", "memory"], "what was kept is not fetched again");
  workers[1].ready();
  await stop;
  assert.deepEqual(states, ["busy", "stopped", "starting", "ready"]);
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  workers[1].answer();
  assert.equal((await asked).ok, true);
});

test("a lab waits behind a reader's code without being given up, and has its full time after it", async () => {
  const [one, worker] = await started({ whole: true });
  const code = one.ask({ code: "…", name: "cell" });
  const lab = one.ask({ lab: "network", inputs: {} });
  await settled();
  mock.timers.tick(300_000);
  assert.equal(worker.terminated, false);
  const [first] = worker.heard.map((text) => JSON.parse(text));
  worker.say(JSON.stringify({ id: first.id, ok: true }));
  await code;
  const given = assert.rejects(lab, /no answer in 30 seconds/);
  mock.timers.tick(29_000);
  assert.equal(worker.terminated, false);
  mock.timers.tick(1_001);
  await given;
  assert.equal(worker.terminated, true);
});

test("output reaches the code that makes it", async () => {
  const [one, worker] = await started({ whole: true });
  const heard = [];
  const code = one.ask({ code: "print(1)", name: "cell" }, { onOutput: (output) => heard.push(output) });
  await settled();
  const { id } = JSON.parse(worker.heard.at(-1));
  worker.say({ kind: "output", id, stream: "stdout", text: "1\n" });
  worker.say({ kind: "output", id: id + 1, stream: "stdout", text: "not ours" });
  worker.say(JSON.stringify({ id, ok: true, value: null }));
  await code;
  assert.deepEqual(heard, [{ stream: "stdout", text: "1\n" }]);
});

test("an idle worker that has died is replaced before anything is asked of it", async () => {
  const [one, worker] = await started();
  worker.mute = true;
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  mock.timers.tick(3_001);
  await settled();
  assert.equal(worker.terminated, true);
  workers[1].ready();
  await settled();
  workers[1].answer();
  assert.equal((await asked).ok, true);
});

test("a lab may ask before Python is ready, and its time begins when it is", async () => {
  const one = runtime();
  const start = one.start();
  const asked = one.ask({ lab: "network", inputs: {} });
  await settled();
  assert.equal(JSON.parse(workers[0].heard[0]).lab, "network");
  mock.timers.tick(50_000);
  workers[0].ready();
  await start;
  mock.timers.tick(20_000);
  assert.equal(workers[0].terminated, false);
  workers[0].answer();
  assert.equal((await asked).ok, true);
});

test("whoever asks before a start that fails hears why", async () => {
  const one = runtime();
  const failed = assert.rejects(one.ask({ lab: "network", inputs: {} }), /no such thing/);
  await settled();
  workers[0].say({ kind: "failed", message: "no such thing" });
  await failed;
});

test("a request that was foreseen is sent once, and its reply is the first asker's", async () => {
  const one = runtime();
  const request = { lab: "network", inputs: { ranks: "33" } };
  one.foresee(request);
  await settled();
  const asked = one.ask({ lab: "network", inputs: { ranks: "33" } });
  await settled();
  assert.equal(workers[0].heard.length, 1);
  workers[0].ready();
  workers[0].say(JSON.stringify({ id: JSON.parse(workers[0].heard[0]).id, ok: true, summary: "as linked" }));
  assert.equal((await asked).summary, "as linked");
  one.ask(request);
  await settled();
  assert.equal(workers[0].heard.length, 2, "the next one is asked anew");
});

test("what a link leaves out has its default: it was foreseen all the same", async () => {
  const one = runtime();
  one.foresee({ lab: "network", inputs: { ranks: "33" } });
  const request = { lab: "network", inputs: { ranks: "33", step: "0" } };
  const asked = one.ask(request, { defaults: { ranks: "8", step: "0" } });
  await settled();
  assert.equal(workers[0].heard.length, 1);
  workers[0].ready();
  workers[0].say(JSON.stringify({ id: JSON.parse(workers[0].heard[0]).id, ok: true, summary: "as linked" }));
  assert.equal((await asked).summary, "as linked");

  one.foresee({ lab: "network", inputs: { ranks: "33" } });
  one.ask({ lab: "network", inputs: { ranks: "33", step: "5" } }, { defaults: { ranks: "8", step: "0" } });
  await settled();
  assert.equal(workers[0].heard.length, 3, "another step is another request");
});

test("another request than the foreseen one goes its own way", async () => {
  const one = runtime();
  one.foresee({ lab: "network", inputs: { ranks: "33" } });
  const asked = one.ask({ lab: "network", inputs: { ranks: "34" } });
  await settled();
  const [, second] = workers[0].heard.map((text) => JSON.parse(text));
  workers[0].ready();
  workers[0].say(JSON.stringify({ id: second.id, ok: true, summary: "34" }));
  assert.equal((await asked).summary, "34");
});
