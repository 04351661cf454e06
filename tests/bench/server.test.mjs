/** The host that the measurements are taken from: what it sends, and how it counts. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { serve } from "../../bench/server.mjs";

const TEXT = "a page ".repeat(1000);
const BYTES = Uint8Array.from({ length: 3000 }, (_, i) => i % 251);

let folder;
let server;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atlas-"));
  await mkdir(join(folder, "pyodide"));
  for (const [name, content] of Object.entries({
    "index.html": TEXT,
    "main.0123abcd.js": TEXT,
    "memory.0123abcd.bin": BYTES,
    "memory.0123abcd.disk.js": TEXT,
    "pyodide/pyodide.asm.wasm": BYTES,
  })) {
    await writeFile(join(folder, name), content);
  }
  server = await serve({ site: folder });
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const get = (path) => fetch(server.url(`site/${path}`));

test("text and WebAssembly travel zipped, what is zipped already travels as it is", async () => {
  const zipped = ["index.html", "main.0123abcd.js", "pyodide/pyodide.asm.wasm"];
  for (const path of zipped) assert.equal((await get(path)).headers.get("content-encoding"), "gzip", path);
  const memory = await get("memory.0123abcd.bin");
  assert.equal(memory.headers.get("content-encoding"), null);
  assert.deepEqual(new Uint8Array(await memory.arrayBuffer()), BYTES);
});

test("hashed names and pinned versions are kept for a year, pages for minutes", async () => {
  const kept = async (path) => (await get(path)).headers.get("cache-control");
  assert.equal(await kept("main.0123abcd.js"), "public, max-age=31536000");
  assert.equal(await kept("pyodide/pyodide.asm.wasm"), "public, max-age=31536000");
  assert.equal(await kept("index.html"), "public, max-age=600");
});

test("WebAssembly has its type, without which browsers do not compile it while it comes", async () => {
  assert.equal((await get("pyodide/pyodide.asm.wasm")).headers.get("content-type"), "application/wasm");
});

test("it counts the bytes as sent, and begins anew each time", async () => {
  server.sent();
  const before = Date.now();
  await (await get("index.html")).text();
  await (await get("memory.0123abcd.bin")).arrayBuffer();
  const sent = server.sent();
  assert.deepEqual(
    sent.map(({ path, bytes }) => [path, bytes]),
    [["/site/index.html", gzipSync(TEXT, { level: 9 }).length], ["/site/memory.0123abcd.bin", BYTES.length]],
  );
  assert.ok(sent.every(({ at }) => at >= before - 1 && at <= Date.now() + 1), "each with the time when it was asked for");
  assert.deepEqual(server.sent(), []);
});

test("what only a page from disk reads is not there", async () => {
  assert.equal((await get("memory.0123abcd.disk.js")).status, 404);
});
