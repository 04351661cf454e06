/** A memory goes into a part and comes out again; what WebAssembly sets by itself costs nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { packMemory, restoreMemory, unpackMemory } from "../../../labs/web/memory.mjs";

const PAGE = 4096;
const SIZE = 64 * PAGE;
const HEADER = 128;

/** Bytes that look like chance and are the same each time. */
function noise(length, seed) {
  let state = seed;
  return Uint8Array.from({ length }, () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16);
}

function snapshotOf(memory) {
  const snapshot = new Uint8Array(HEADER + memory.length);
  new Uint32Array(snapshot.buffer, 0, 2).set([0x706e7300, HEADER]);
  snapshot.fill(9, 8, HEADER);
  snapshot.set(memory, HEADER);
  return snapshot;
}

function sample() {
  const initial = new Uint8Array(SIZE);
  initial.set(noise(10 * PAGE + 100, 1), PAGE); // ends inside a page
  const memory = initial.slice();
  memory.set(noise(300, 2), 3 * PAGE + 7); // changed where WebAssembly had set something
  memory.fill(0, 5 * PAGE, 6 * PAGE); // cleared there
  memory.set(noise(2 * PAGE, 3), 40 * PAGE); // new
  memory[SIZE - 1] = 1;
  return { initial, memory };
}

test("what was packed is restored to the byte, whatever stood there before", () => {
  const { initial, memory } = sample();
  const part = packMemory(snapshotOf(memory), initial);
  const target = noise(SIZE, 4);
  const frozen = unpackMemory(part);
  restoreMemory(target, initial.slice(0, frozen.set), frozen);
  assert.deepEqual(target, memory);
});

test("the part holds the pages that differ, and no others", () => {
  const { initial, memory } = sample();
  const { runs, pages, header, size, set } = unpackMemory(packMemory(snapshotOf(memory), initial));
  assert.deepEqual(runs, [[3, 1], [5, 1], [40, 2], [63, 1]]);
  assert.equal(pages.length, 5 * PAGE);
  assert.deepEqual([size, set], [SIZE, 12 * PAGE]); // 100 bytes into the twelfth page
  assert.deepEqual(header, snapshotOf(memory).subarray(0, HEADER));
});

test("what no heap has reached is left alone, so that it takes no memory; what was in use is cleared", () => {
  const { initial, memory } = sample();
  const frozen = unpackMemory(packMemory(snapshotOf(memory), initial));
  const target = new Uint8Array(SIZE);
  target.set(noise(PAGE, 5), 20 * PAGE);
  target[50 * PAGE] = 7;
  restoreMemory(target, initial.slice(0, frozen.set), frozen, [14 * PAGE, 30 * PAGE]);
  assert.equal(target[50 * PAGE], 7);
  target[50 * PAGE] = 0;
  assert.deepEqual(target, memory);
});

test("a memory that has grown is refused: Pyodide starts with one of its own size", () => {
  const { initial, memory } = sample();
  const grown = new Uint8Array(SIZE + PAGE);
  grown.set(memory);
  assert.throws(() => packMemory(snapshotOf(grown), initial), /expected a memory of 262144 bytes, found one that has grown to 266240/);
});

test("a part that does not fit is refused before anything is written", () => {
  const { initial, memory } = sample();
  const part = packMemory(snapshotOf(memory), initial);
  const target = new Uint8Array(SIZE / 2).fill(3);
  assert.throws(() => restoreMemory(target, initial, unpackMemory(part)), /expected a memory of 262144 bytes, found 131072/);
  assert.ok(target.every((byte) => byte === 3));
  assert.throws(() => unpackMemory(part.subarray(0, part.length - PAGE)), /expected 5 pages of memory, found 4/);
});
