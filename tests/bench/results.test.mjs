import assert from "node:assert/strict";
import { test } from "node:test";

import { Runs } from "../../bench/results.mjs";
import { shown, table, verdicts } from "../../bench/table.mjs";

function measured() {
  const runs = new Runs();
  runs.add("plain", { "http-first": 2, bytes: 6e6 });
  runs.add("site", { "http-first": 0.5, bytes: 7e6 });
  runs.add("plain", { "http-first": 4, bytes: 6e6 });
  runs.add("site", { "http-first": 0.75, bytes: 7e6 });
  runs.add("plain", { "http-first": 2.5, bytes: 6e6 });
  runs.add("site", { "http-first": 1.5, bytes: 7e6 });
  runs.add("site", { disk: 0.75, frame: [0.01, 0.02, 0.03] });
  runs.add("bare", { disk: 3 });
  return Object.fromEntries(runs.measurements("firefox").map((measurement) => [measurement.id, measurement]));
}

test("a ratio is the quotient of the two medians", () => {
  const { "http-first": first, bytes } = measured();
  assert.deepEqual(first.ours, { count: 3, median: 0.75, p95: 1.5, values: [0.5, 0.75, 1.5] });
  assert.deepEqual(first.other, { count: 3, median: 2.5, p95: 4, values: [2, 4, 2.5] });
  assert.equal(first.ratio, 0.3);
  assert.equal(bytes.ratio, 1.1667);
  assert.equal(first.browser, "firefox");
});

test("from disk the other side is the site without its memory", () => {
  assert.equal(measured().disk.ratio, 0.25);
});

test("what has no alternative has no ratio, and keeps no single values", () => {
  assert.deepEqual(measured().frame.ours, { count: 3, median: 0.02, p95: 0.03 });
  assert.deepEqual([measured().frame.other, measured().frame.ratio], [null, null]);
});

test("the measurements come in a fixed order, those that were not made left out", () => {
  assert.deepEqual(Object.keys(measured()), ["http-first", "disk", "bytes", "frame"]);
});

test("the table shows medians, percentiles and ratios", () => {
  const lines = table([measured()["http-first"]]).split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[1], /^First visit .* 750 ms +1\.50 s +2\.50 s +0\.300$/);
});

test("a promise that is not kept is told as such, with both numbers", () => {
  const claim = { measurement: "stop", browser: "chromium", of: "median", limit: 0.5, found: 0.6, met: false };
  assert.equal(verdicts([claim]), "NOT MET  chromium  stop: median at most 500 ms, found 600 ms");
});

test("values are shown with their unit", () => {
  assert.deepEqual([shown(0.0123, "s"), shown(0.4, "s"), shown(2, "s"), shown(7.43e6, "byte")], ["12.3 ms", "400 ms", "2.00 s", "7.43 MB"]);
});
