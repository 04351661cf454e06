import assert from "node:assert/strict";
import { test } from "node:test";

import { newestWins } from "../../../labs/web/queue.mjs";

/** Work that ends when told to, and notes what it was given. */
function workshop() {
  const begun = [];
  const ends = [];
  const newest = [];
  const submit = newestWins(async (value, isNewest) => {
    begun.push(value);
    await new Promise((end) => ends.push(end));
    newest.push(isNewest());
  });
  const finish = async () => {
    ends.shift()();
    await new Promise(setImmediate);
  };
  return { submit, finish, begun, newest };
}

test("one at a time, and of those that wait only the newest", async () => {
  const { submit, finish, begun, newest } = workshop();
  for (const value of [1, 2, 3, 4]) submit(value);
  assert.deepEqual(begun, [1]);
  await finish();
  assert.deepEqual(begun, [1, 4]);
  await finish();
  assert.deepEqual(begun, [1, 4]);
  assert.deepEqual(newest, [false, true]);
});

test("it works again after a rest", async () => {
  const { submit, finish, begun } = workshop();
  submit("a");
  await finish();
  submit("b");
  await finish();
  assert.deepEqual(begun, ["a", "b"]);
});

test("an empty value is a value", async () => {
  const { submit, finish, begun } = workshop();
  submit(undefined);
  submit(0);
  await finish();
  assert.deepEqual(begun, [undefined, 0]);
});
