import assert from "node:assert/strict";
import { test } from "node:test";

import { linkedRequest, readInputs, writeInputs } from "../../../labs/web/fragment.mjs";

const NAMES = ["ranks", "payload"];

test("a lab's inputs are read as texts", () => {
  assert.deepEqual(readInputs("#network.ranks=32&network.payload=1+GB", "network", NAMES), { ranks: "32", payload: "1 GB" });
  assert.deepEqual(readInputs("network.payload=5%20%C2%B5s", "network", NAMES), { payload: "5 µs" });
});

test("what is no input of this lab is none", () => {
  for (const fragment of ["", "#", "#mechanism", "#network", "#network.ranks", "#other.ranks=3", "#a=b&network.ranks=3"]) {
    assert.equal(readInputs(fragment, "network", NAMES), null, fragment);
  }
  assert.equal(readInputs("#network.unknown=3&network.constructor=3&network.__proto__=3", "network", NAMES), null);
  assert.equal(readInputs(`#network.ranks=${"9".repeat(101)}`, "network", NAMES), null);
});

test("a broken escape is text too", () => {
  assert.ok(readInputs("#network.ranks=%E0%A4%A", "network", NAMES).ranks);
});

test("what is written is read back", () => {
  const inputs = { ranks: "1 & 2 = # %", payload: "5 µs + x" };
  assert.deepEqual(readInputs(`#${writeInputs("", "network", inputs)}`, "network", NAMES), inputs);
});

test("the inputs of other labs stay, a heading's anchor goes", () => {
  assert.equal(writeInputs("#other.a=1&network.ranks=2", "network", { ranks: "3" }), "other.a=1&network.ranks=3");
  assert.equal(writeInputs("#other.a=1&network.ranks=2", "network", {}), "other.a=1");
  assert.equal(writeInputs("#mechanism", "network", { ranks: "3" }), "network.ranks=3");
  assert.equal(writeInputs("#network.ranks=2", "network", {}), "");
});

test("a link says what its first lab will ask, word for word", () => {
  const inputs = { ranks: "33", payload: "100 MB" };
  const link = writeInputs("", "network", inputs);
  assert.deepEqual(linkedRequest(`#${link}`), { lab: "network", inputs });
  assert.equal(JSON.stringify(linkedRequest(`#${link}&other.a=1`).inputs), JSON.stringify(inputs), "in the order of the link");
  for (const fragment of ["", "#mechanism", "#a=b", `#network.ranks=${"9".repeat(101)}`]) assert.equal(linkedRequest(fragment), null);
});
