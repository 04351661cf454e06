/**
 * Python's memory as it is once the labs are imported: made at build by macros/freeze.mjs, put back by the worker.
 *
 * Such a picture of memory is 30 MB. Most of it is zero, and much of the rest is what WebAssembly itself puts there when
 * it is instantiated; so the part holds only the pages that differ from that, as their XOR with it.
 *
 * The file: the length of the head (4 bytes, little-endian), the head as JSON, then the pages one after another.
 */

const PAGE = 4096;

/** The environment of the Python that is frozen. Both sides need the same: its effects are in the memory. */
export const ENVIRONMENT = {
  PYTHONOPTIMIZE: "2", // without docstrings of the standard library: a fifth of the size
  PYTHONHASHSEED: "0", // the same memory from build to build
};

/**
 * Return the part for a memory.
 * @param {Uint8Array} snapshot what Pyodide's makeMemorySnapshot gives: its own header, then the memory
 * @param {Uint8Array} initial the memory just after WebAssembly was instantiated
 * @returns {Uint8Array}
 */
export function packMemory(snapshot, initial) {
  const [, offset] = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2);
  const memory = snapshot.subarray(offset);
  if (memory.length !== initial.length) {
    // Pyodide can restore a memory only into one of the size that it starts with.
    throw new Error(`expected a memory of ${initial.length} bytes, found one that has grown to ${memory.length}`);
  }
  const runs = [];
  const pages = [];
  for (let start = 0; start < memory.length; start += PAGE) {
    const page = memory.slice(start, start + PAGE);
    xor(page, 0, initial.slice(start, start + PAGE));
    if (page.every((byte) => byte === 0)) continue;
    const number = start / PAGE;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === number) last[1] += 1;
    else runs.push([number, 1]);
    pages.push(page);
  }
  const header = btoa(String.fromCharCode(...snapshot.subarray(0, offset)));
  const head = encodeHead({ size: memory.length, set: setLength(initial), runs, header });
  const part = new Uint8Array(4 + head.length + pages.length * PAGE);
  new DataView(part.buffer).setUint32(0, head.length, true);
  part.set(head, 4);
  pages.forEach((page, i) => part.set(page, 4 + head.length + i * PAGE));
  return part;
}

/**
 * Take a part to pieces.
 * @param {Uint8Array} part
 * @returns {{size: number, set: number, header: Uint8Array, runs: [number, number][], pages: Uint8Array}} `set` is the length of
 *   the initial memory up to its last page that is not zero
 */
export function unpackMemory(part) {
  const length = new DataView(part.buffer, part.byteOffset).getUint32(0, true);
  const { size, set, runs, header } = JSON.parse(new TextDecoder().decode(part.subarray(4, 4 + length)));
  const pages = part.subarray(4 + length);
  const count = runs.reduce((sum, [, pages]) => sum + pages, 0);
  if (pages.length !== count * PAGE) throw new Error(`expected ${count} pages of memory, found ${pages.length / PAGE}`);
  return { size, set, header: Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0)), runs, pages };
}

/**
 * Put a memory back in place of whatever is there.
 * @param {Uint8Array} memory
 * @param {Uint8Array} initial the first `set` bytes of the memory just after WebAssembly was instantiated
 * @param {{size: number, runs: [number, number][], pages: Uint8Array}} frozen
 * @param {[number, number]} heap where it begins, and how far it was ever in use: what lies beyond is zero, and a browser gives
 *   such pages no memory until they are touched; what lies before, between `initial` and the heap, is the stack, whose old
 *   content means nothing
 */
export function restoreMemory(memory, initial, { size, runs, pages }, heap = [initial.length, memory.length]) {
  if (memory.length !== size) throw new Error(`expected a memory of ${size} bytes, found ${memory.length}`);
  memory.set(initial);
  memory.fill(0, Math.max(heap[0], initial.length), heap[1]);
  let from = 0;
  for (const [number, count] of runs) {
    const start = number * PAGE;
    const bytes = pages.subarray(from, from + count * PAGE);
    // Beyond what WebAssembly sets, the page is the memory itself.
    if (start >= initial.length) memory.set(bytes, start);
    else xor(memory, start, bytes);
    from += bytes.length;
  }
}

/** Return how long the memory is up to its last page that is not zero. */
function setLength(memory) {
  let end = memory.length;
  while (end > 0 && memory[end - 1] === 0) end -= 1;
  return Math.ceil(end / PAGE) * PAGE;
}

/** Return the head as bytes, so long that the pages behind it begin at a whole word. */
function encodeHead(head) {
  const text = JSON.stringify(head);
  return new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
}

/** A word at a time: this runs once, before any compiler has warmed to it. */
function xor(target, at, bytes) {
  const to = new Uint32Array(target.buffer, target.byteOffset + at, bytes.length / 4);
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  for (let i = 0; i < to.length; i += 1) to[i] ^= from[i];
}
