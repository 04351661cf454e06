/** What a worker does while nobody asks. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Rest } from "../../../labs/web/rest.mjs";

/** A worker at rest, its clock moved by hand; an answer takes `ms`. */
function worker(t, { ms = 1, again = () => {} } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const done = [];
  const answer = async (text) => {
    now += ms;
    done.push(text);
    again();
  };
  const rest = new Rest(answer, () => done.push("clear"), (error) => done.push(error.message));
  const pass = async (ms) => {
    for (let i = 0; i < ms; i += 1) {
      t.mock.timers.tick(1);
      for (let j = 0; j < 5; j += 1) await Promise.resolve();
    }
  };
  return { rest, pass, done, later: (ms) => (now += ms) };
}

test("when nobody has asked for a while, the last question is answered thirty times, and Python clears up", async (t) => {
  const { rest, pass, done } = worker(t);
  rest.asked();
  rest.answered("question");
  await pass(399);
  assert.deepEqual(done, []);
  await pass(100);
  assert.deepEqual(done, [...Array(30).fill("question"), "clear"]);
  rest.asked();
  rest.answered("another");
  await pass(500);
  assert.deepEqual(done.slice(31), ["clear"], "the compiler has seen it all");
});

test("whoever asks waits for one answer at most, and what is left is done later", async (t) => {
  const { rest, pass, done } = worker(t);
  rest.asked();
  rest.answered("one");
  await pass(405);
  const before = done.length;
  assert.ok(before > 0 && before < 30);
  rest.asked();
  await pass(1000);
  assert.deepEqual(done.length, before, "nothing goes on while Python answers");
  rest.answered("two");
  await pass(500);
  assert.deepEqual(done.slice(before), [...Array(30 - before).fill("two"), "clear"]);
});

test("all of it takes half a second at most, once", async (t) => {
  const { rest, pass, done } = worker(t, { ms: 100 });
  rest.asked();
  rest.answered("one");
  rest.answered("one"); // two requests at once come to one rest
  await pass(500);
  assert.deepEqual(done, [...Array(5).fill("one"), "clear"]);
});

test("a lab that takes its time is not answered for nobody: a reader would wait for it", async (t) => {
  const { rest, pass, done, later } = worker(t);
  rest.asked();
  later(201);
  rest.answered("slow");
  await pass(500);
  assert.deepEqual(done, ["clear"]);
});

test("after a reader's code, Python clears up, and no code runs again", async (t) => {
  const { rest, pass, done } = worker(t);
  rest.answered(undefined);
  await pass(500);
  assert.deepEqual(done, ["clear"]);
});

test("what breaks Python here is told", async (t) => {
  const { rest, pass, done } = worker(t, {
    again: () => {
      throw new Error("out of memory");
    },
  });
  rest.answered("question");
  await pass(500);
  assert.deepEqual(done, ["question", "out of memory"]);
});
