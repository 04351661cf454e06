/** Parts as they reach the worker, in the ways that no browser of the tests takes. */
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { gzipSync } from "node:zlib";

import { Supply } from "../../../labs/web/supply.mjs";

const EMPTY = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0); // the smallest module
const URL = "https://host.example/quick.0.bin";

afterEach(() => mock.restoreAll());

/** Let a supply wait for a module from another worker, and return its promise and the port. */
async function waiting() {
  const fetched = mock.method(globalThis, "fetch", async () => new Response(gzipSync(EMPTY)));
  const supply = new Supply(() => {}, () => {});
  const port = {};
  supply.expect(["quick"]);
  supply.deliver("quick", { url: URL, port });
  const module = supply.module("quick");
  await new Promise(setImmediate);
  return { supply, port, module, fetched };
}

test("another worker's module is taken as it is, and kept for the next start", async () => {
  const { supply, port, module, fetched } = await waiting();
  const sent = new WebAssembly.Module(EMPTY);
  port.onmessage({ data: { module: sent } });
  assert.equal(await module, sent);
  assert.deepEqual([...supply.kept()], [["quick", { module: sent }]]);
  assert.equal(fetched.mock.callCount(), 0);
});

test("where the browser keeps a module from another worker away, it is compiled here", async () => {
  const { port, module, fetched } = await waiting();
  port.onmessageerror();
  assert.ok((await module) instanceof WebAssembly.Module);
  assert.deepEqual(fetched.mock.calls.map(({ arguments: [url] }) => url), [URL]);
});

test("what the other worker says of its failure is what is heard", async () => {
  const { port, module } = await waiting();
  port.onmessage({ data: { error: "A part of the lab (quick) is missing." } });
  await assert.rejects(module, /quick\) is missing/);
});
