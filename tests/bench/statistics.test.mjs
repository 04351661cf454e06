import assert from "node:assert/strict";
import { test } from "node:test";

import { median, percentile, rounded, summary } from "../../bench/statistics.mjs";

test("the median is the middle value, whatever the order", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([10, 9, 2]), 9, "numbers, not texts");
  assert.equal(median([7]), 7);
});

test("of an even count it is the mean of the two in the middle", () => {
  assert.equal(median([1, 2, 4, 100]), 3);
});

test("a percentile is the smallest value that the share of all does not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(percentile(hundred, 0.95), 95);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 1), 100);
});

test("of seven values the 95th percentile is the largest: six are less than 95 % of them", () => {
  assert.equal(percentile([1, 2, 3, 4, 5, 6, 7], 0.95), 7);
});

test("nothing measured is no number", () => {
  assert.throws(() => median([]), { name: "RangeError", message: "expected at least one value, found none" });
  assert.throws(() => percentile([], 0.95), RangeError);
});

test("values are not sorted in place", () => {
  const values = [3, 1, 2];
  median(values);
  percentile(values, 0.95);
  assert.deepEqual(values, [3, 1, 2]);
});

test("a summary keeps the values of runs, but not those of hundreds of changes", () => {
  assert.deepEqual(summary([0.2, 0.1, 0.3]), { count: 3, median: 0.2, p95: 0.3, values: [0.2, 0.1, 0.3] });
  assert.deepEqual(summary([0.2, 0.1, 0.3], { keep: false }), { count: 3, median: 0.2, p95: 0.3 });
});

test("numbers are kept to five digits", () => {
  assert.equal(rounded(1.2345678), 1.2346);
  assert.equal(rounded(7923456), 7923500);
  assert.equal(rounded(0), 0);
});
