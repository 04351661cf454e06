/** Which functions of a WebAssembly module are called: a module that notes it. */
import { encode, join, Reader } from "./reader.mjs";
import { assemble, body, CODE, EXPORT, functionsOf, items, MEMORY, readFunction, split } from "./sections.mjs";

const MEMORIES = 5; // the section's number
const NOTES = "atlas_calls";
const PAGE = 65536;
const SECOND_MEMORY = 0x40; // a flag beside the alignment: the number of the memory follows
const [CONST, STORE_BYTE] = [0x41, 0x3a];

/**
 * Return the module with one more memory, exported, where each function sets its own byte when it is called.
 * @param {Uint8Array} wasm
 * @returns {Uint8Array}
 */
export function notingCalls(wasm) {
  const count = functionsOf(wasm).length;
  const changed = {
    [MEMORIES]: (section) => withItem(section, [0, Math.ceil(count / PAGE)]),
    [EXPORT]: (section) => withItem(section, [NOTES.length, ...new TextEncoder().encode(NOTES), MEMORY, 1]),
    [CODE]: (section) => body(items(section, readFunction).map(noting)),
  };
  return assemble(wasm, split(wasm).map(({ id, body }) => ({ id, body: changed[id]?.(body) ?? body })));
}

/**
 * Return the numbers of the functions that were called, those of the module's own from 0.
 * @param {WebAssembly.Instance} instance of the module that notes it
 * @returns {Set<number>}
 */
export function calledIn(instance) {
  const notes = new Uint8Array(instance.exports[NOTES].buffer);
  const called = new Set();
  notes.forEach((note, number) => note && called.add(number));
  return called;
}

/** Return a section with one more item at its end. */
function withItem(section, bytes) {
  const reader = new Reader(section);
  const count = reader.number();
  return join([encode(count + 1), section.subarray(reader.at), Uint8Array.from(bytes)]);
}

/** Return a function that begins with setting its byte to one. */
function noting({ bytes }, number) {
  const reader = new Reader(bytes);
  reader.number(); // the size, which grows
  const locals = reader.at;
  reader.skip(2 * reader.number());
  const note = join([Uint8Array.of(CONST, 0, CONST, 1, STORE_BYTE, SECOND_MEMORY, 1), encode(number)]);
  const parts = [bytes.subarray(locals, reader.at), note, bytes.subarray(reader.at)];
  return { bytes: join([encode(parts.reduce((size, { length }) => size + length, 0)), ...parts]) };
}
