/** A file's text, in what shells write; what is no text of a log is refused in words. */
import assert from "node:assert/strict";
import { File } from "node:buffer";
import { test } from "node:test";

import { LARGEST, readText } from "../../../labs/web/textfile.mjs";

const file = (bytes) => new File([bytes], "log.txt");

test("UTF-8, with and without a mark, and both kinds of UTF-16 that say so", async () => {
  const text = "8 µs\n";
  const wide = Buffer.from(text, "utf16le");
  assert.equal(await readText(file(Buffer.from(text))), text);
  assert.equal(await readText(file(Buffer.from(`\ufeff${text}`))), text);
  assert.equal(await readText(file(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))), text);
  assert.equal(await readText(file(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]))), text);
});

test("a file that is too large, or can't be read, is refused in a sentence", async () => {
  await assert.rejects(readText({ size: LARGEST + 1 }), /^Error: expected a file of at most 8 MB, found 8\.0 MB$/);
  const gone = { size: 1, name: "log.txt", arrayBuffer: () => Promise.reject(new Error("NotFoundError")) };
  await assert.rejects(readText(gone), /^Error: expected a file that can be read, found that the browser can't read log\.txt$/);
});
