import assert from "node:assert/strict";
import { test } from "node:test";

import { CLAIMS, judge } from "../../bench/claims.mjs";
import { MEASUREMENTS } from "../../bench/measurements.mjs";

const measured = (id, { ratio = null, median = 1, p95 = 1, browser = "chromium" }) => ({ id, browser, ratio, ours: { median, p95 } });

test("a claim of a ratio is held against the ratio", () => {
  const [found] = judge([measured("http-first", { ratio: 0.24, median: 9, p95: 9 })]);
  assert.deepEqual(found, { measurement: "http-first", browser: "chromium", of: "ratio", limit: 0.25, found: 0.24, met: true });
});

test("a claim of a percentile is held against the percentile, one of a median against the median", () => {
  const [frame] = judge([measured("frame", { ratio: 0.1, median: 0.001, p95: 0.017 })]);
  assert.deepEqual([frame.of, frame.found, frame.met], ["p95", 0.017, false]);
  const [stop] = judge([measured("stop", { ratio: 0.1, median: 0.4, p95: 0.9 })]);
  assert.deepEqual([stop.of, stop.found, stop.met], ["median", 0.4, true]);
});

test("the limit itself is met", () => {
  assert.equal(judge([measured("bytes", { ratio: 1.25 })])[0].met, true);
  assert.equal(judge([measured("bytes", { ratio: 1.2501 })])[0].met, false);
});

test("each browser is judged by itself", () => {
  const both = judge([measured("disk", { ratio: 0.2 }), measured("disk", { ratio: 0.4, browser: "firefox" })]);
  assert.deepEqual(both.map(({ browser, met }) => [browser, met]), [["chromium", true], ["firefox", false]]);
});

test("a ratio that could not be formed is no claim met, but a mistake", () => {
  assert.throws(() => judge([measured("disk", {})]), /disk in chromium: expected a ratio, found null/);
});

test("what is measured without a claim is not judged, and each claim has its measurement", () => {
  assert.deepEqual(judge([measured("reply", {})]), []);
  const known = MEASUREMENTS.map(({ id }) => id);
  assert.deepEqual(CLAIMS.filter(({ measurement }) => !known.includes(measurement)), []);
});
