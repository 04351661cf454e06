import assert from "node:assert/strict";
import { test } from "node:test";

import { nearestStop } from "../../../labs/web/controls.mjs";

test("the nearest stop: by ratio, and at the ends the last", () => {
  const stops = [1, 10, 100];
  const expected = [
    [0.001, 0],
    [1, 0],
    [3, 0], // 10 / 3 is more than 3 / 1
    [3.2, 1],
    [10, 1],
    [31, 1], // 31 / 10 is less than 100 / 31
    [32, 2],
    [1e9, 2],
  ];
  for (const [value, stop] of expected) assert.equal(nearestStop(stops, value), stop, `${value}`);
});

test("next to zero a ratio says nothing: by difference", () => {
  const stops = [0, 1e-7, 1e-6];
  assert.equal(nearestStop(stops, 0), 0);
  assert.equal(nearestStop(stops, 4e-8), 0);
  assert.equal(nearestStop(stops, 6e-8), 1);
});
