/** What a terminal would leave of a text. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { asTerminal } from "../../../labs/web/output.mjs";

test("a carriage return writes over its line", () => {
  assert.equal(asTerminal("10 %\r50 %\r100 %\ndone\n"), "100 %\ndone\n");
  assert.equal(asTerminal("longer\rshort"), "shortr");
  assert.equal(asTerminal("a\r\nb\r\n"), "a\nb\n");
  assert.equal(asTerminal("kept\r"), "kept");
});

test("a backspace takes a step back", () => {
  assert.equal(asTerminal("abc\b\bX"), "aXc");
  assert.equal(asTerminal("\b\ba"), "a");
});

test("colours are left out, and nothing else that looks like them", () => {
  assert.equal(asTerminal("\u001b[1;31mred\u001b[0m and [31m plain"), "red and [31m plain");
  assert.equal(asTerminal("\u001b[2K\u001b[1Aline"), "line");
});

test("what is no control stays, characters of two halves too", () => {
  for (const text of ["", "a\tb\n\n", "m̂ₜ 5 µs 😀\n", "<b>&amp;</b>"]) assert.equal(asTerminal(text), text);
  assert.equal(asTerminal("😀😀\r😁"), "😁😀");
});
