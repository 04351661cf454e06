import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";

import { fromBase64, openPart, PartError, unzip } from "../../../labs/web/bytes.mjs";

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

test("a part is unzipped, and shows signs of progress", async () => {
  let signs = 0;
  const bytes = await unzip("wasm", { text: text(gzipSync(content)) }, () => (signs += 1));
  assert.deepEqual(Buffer.from(bytes), content);
  assert.ok(signs > 0);
});

test("what is larger than any buffer between the streams arrives whole", async () => {
  const large = randomBytes(3_000_000);
  const zipped = gzipSync(large);
  globalThis.fetch = async () => new Response(new ReadableStream({
    async start(controller) {
      for (let at = 0; at < zipped.length; at += 10_000) controller.enqueue(new Uint8Array(zipped.subarray(at, at + 10_000)));
      controller.close();
    },
  }));
  assert.ok(large.equals(await unzip("memory", { url: "https://host.example/memory.0.bin" }, () => {})));
});

test("a part is a stream, for WebAssembly to compile while it arrives", async () => {
  const stream = await openPart("wasm", { text: text(gzipSync(content)) }, () => {});
  assert.deepEqual(Buffer.from(await new Response(stream).arrayBuffer()), content);
});

test("a connection that breaks off is told as a part cut short", async () => {
  const zipped = new Uint8Array(gzipSync(content));
  globalThis.fetch = async () => new Response(new ReadableStream({
    start: (controller) => controller.enqueue(zipped.subarray(0, 40)),
    pull: (controller) => controller.error(new TypeError("network error")),
  }));
  await assert.rejects(unzip("wasm", { url: "https://host.example/wasm.0.bin" }, () => {}), /\(wasm\) arrived damaged or cut short/);
});

for (const [what, damage] of [
  ["cut short", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["with one byte changed", (bytes) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 1)],
  ["that is something else", () => Buffer.from("<!doctype html>")],
]) {
  test(`a part ${what} is refused by name`, async () => {
    const zipped = new Uint8Array(gzipSync(content));
    await assert.rejects(unzip("stdlib", { text: text(damage(zipped)) }, () => {}), (error) => {
      assert.ok(error instanceof PartError);
      assert.match(error.message, /\(stdlib\) arrived damaged or cut short/);
      return true;
    });
  });
}
