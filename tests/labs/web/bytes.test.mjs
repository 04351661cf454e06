import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { fromBase64, openPart, PartError, whole } from "../../../labs/web/bytes.mjs";

const content = Buffer.from("every byte counts ".repeat(5000));
const text = (bytes) => Buffer.from(bytes).toString("base64");

test("base64 gives every byte, with the browser's own function and without", () => {
  const all = Uint8Array.from({ length: 259 }, (_, i) => i % 256);
  const own = Uint8Array.fromBase64;
  try {
    Uint8Array.fromBase64 = undefined;
    assert.deepEqual(fromBase64(text(all)), all);
  } finally {
    if (own) Uint8Array.fromBase64 = own;
    else delete Uint8Array.fromBase64;
  }
  assert.deepEqual(fromBase64(text(all)), all);
});

test("a part is unzipped, has its content type, and shows signs of progress", async () => {
  let signs = 0;
  const response = await openPart("wasm", { text: text(gzipSync(content)) }, "application/wasm", () => (signs += 1));
  assert.equal(response.headers.get("content-type"), "application/wasm");
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
  assert.ok(signs > 0);
});

for (const [what, damage] of [
  ["cut short", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["with one byte changed", (bytes) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 1)],
  ["that is something else", () => Buffer.from("<!doctype html>")],
]) {
  test(`a part ${what} is refused by name`, async () => {
    const zipped = new Uint8Array(gzipSync(content));
    const response = await openPart("stdlib", { text: text(damage(zipped)) }, "application/octet-stream", () => {});
    await assert.rejects(whole("stdlib", response.arrayBuffer()), (error) => {
      assert.ok(error instanceof PartError);
      assert.match(error.message, /\(stdlib\) arrived damaged or cut short/);
      return true;
    });
  });
}
