/** What the last change brought, in words. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { compare, inWords } from "../../../labs/web/changes.mjs";

const rows = (...given) => new Map(given.map(([name, state = ""]) => [name, { name, state }]));
const said = (before, after) => inWords(before, after, compare(before, after));

test("what came, what went, and what is there in another way", () => {
  const before = rows(["gradients", "all-reduce"], ["tokens", "all-to-all"]);
  const after = rows(["gradients", "reduce-scatter"], ["updated weights", "all-gather"]);
  assert.equal(said(before, after), "The last change. Added: updated weights. Removed: tokens. Changed: gradients (all-reduce → reduce-scatter).");
});

test("nothing is said of what stays, and of many the rest is counted", () => {
  const before = rows(["a"]);
  assert.equal(said(before, rows(["a"])), "");
  assert.equal(said(before, rows(["a"], ["b, c"], ["d"], ["e"], ["f"], ["g"], ["h"])), "The last change. Added: b, c; d; e; f; and 2 more.");
});
