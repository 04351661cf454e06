/** Edited code is kept, and a browser that refuses costs nothing. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { forgetCode, keepCode, keptCode } from "../../../labs/web/keepcode.mjs";

beforeEach(() => {
  const kept = new Map();
  globalThis.location = { pathname: "/cards/a.html" };
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
});
afterEach(() => {
  delete globalThis.location;
  delete globalThis.localStorage;
});

test("kept, found again, forgotten; each cell and each page for itself", () => {
  keepCode("cell-1", "x = 1");
  assert.equal(keptCode("cell-1"), "x = 1");
  assert.equal(keptCode("cell-2"), null);
  location.pathname = "/cards/b.html";
  assert.equal(keptCode("cell-1"), null);
  location.pathname = "/cards/a.html";
  forgetCode("cell-1");
  assert.equal(keptCode("cell-1"), null);
});

test("code that is too long is not kept, and neither is what it was before", () => {
  keepCode("cell-1", "short");
  keepCode("cell-1", "x".repeat(50_001));
  assert.equal(keptCode("cell-1"), null);
});

test("storage that is refused, full or not there at all is no failure", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  for (const storage of [{ getItem: refuse, setItem: refuse, removeItem: refuse }, undefined]) {
    globalThis.localStorage = storage;
    keepCode("cell-1", "x");
    forgetCode("cell-1");
    assert.equal(keptCode("cell-1"), null);
  }
});
