/** A WebAssembly module with fewer exports, and without the code that only the others led to. */
import { eachNamedInCode, eachNamedInConstant } from "./calls.mjs";
import { encode, join, Reader } from "./reader.mjs";

const HEAD = 8; // magic number and version
const [IMPORT, GLOBAL, EXPORT, START, ELEMENT, CODE] = [2, 6, 7, 8, 9, 10];
const FUNCTION = 0;
// No locals; unreachable; end. The function itself stays, so that all the others keep their numbers.
const EMPTY = Uint8Array.of(3, 0, 0x00, 0x0b);

/**
 * Return the module with these exports only; a function that nothing leads to any more has lost its code.
 * @param {Uint8Array} wasm
 * @param {Set<string>} kept names of exports
 * @returns {Uint8Array}
 */
export function pruneWasm(wasm, kept) {
  const sections = [...eachSection(wasm)];
  const named = (id) => sections.find((section) => section.id === id)?.body;
  for (const [id, name] of [[EXPORT, "export"], [CODE, "code"]]) {
    if (!named(id)) throw new Error(`expected ${name}s in the WebAssembly module, found none`);
  }
  const exports = [...eachExport(named(EXPORT))];
  for (const name of kept) {
    if (!exports.some((one) => one.name === name)) throw new Error(`expected the WebAssembly module to export ${name}, it does not`);
  }
  const staying = exports.filter(({ name }) => kept.has(name));
  const roots = [
    ...staying.filter(({ kind }) => kind === FUNCTION).map(({ index }) => index),
    ...(named(START) ? [new Reader(named(START)).number()] : []),
    ...functionsOfGlobals(named(GLOBAL)),
    ...functionsOfElements(named(ELEMENT)),
  ];
  const bodies = {
    [EXPORT]: vector(staying.map(({ bytes }) => bytes)),
    [CODE]: pruneCode(named(CODE), countImportedFunctions(named(IMPORT)), roots),
  };
  return join([wasm.subarray(0, HEAD), ...sections.flatMap(({ id, body }) => section(id, bodies[id] ?? body))]);
}

function* eachSection(wasm) {
  const reader = new Reader(wasm, HEAD);
  while (reader.at < wasm.length) {
    const id = reader.byte();
    const length = reader.number();
    yield { id, body: wasm.subarray(reader.at, reader.at + length) };
    reader.at += length;
  }
}

function* eachExport(body) {
  const reader = new Reader(body);
  for (let count = reader.number(); count > 0; count -= 1) {
    const start = reader.at;
    const [name, kind, index] = [reader.name(), reader.byte(), reader.number()];
    yield { name, kind, index, bytes: body.subarray(start, reader.at) };
  }
}

function countImportedFunctions(body) {
  const reader = new Reader(body ?? Uint8Array.of(0));
  let functions = 0;
  for (let count = reader.number(); count > 0; count -= 1) {
    reader.name();
    reader.name();
    const kind = reader.byte();
    if (kind === FUNCTION) functions += 1;
    skipImported(reader, kind);
  }
  return functions;
}

function skipImported(reader, kind) {
  if (kind === FUNCTION) reader.skip(); // its type
  else if (kind === 3 || kind === 4) reader.skip(2); // a global: type, whether it changes; a tag: attribute, type
  else {
    if (kind === 1) reader.skip(); // a table: the type of its elements
    const flags = reader.number();
    reader.skip(flags & 1 ? 2 : 1); // its limits
  }
}

/** Return the functions that the globals' first values name. */
function functionsOfGlobals(body) {
  const found = [];
  const reader = new Reader(body ?? Uint8Array.of(0));
  for (let count = reader.number(); count > 0; count -= 1) {
    reader.skip(2); // type, whether it changes
    eachNamedInConstant(reader, (index) => found.push(index));
  }
  return found;
}

/** Return the functions that can be called by a number in the table. */
function functionsOfElements(body) {
  const found = [];
  const reader = new Reader(body ?? Uint8Array.of(0));
  for (let count = reader.number(); count > 0; count -= 1) {
    const form = reader.number();
    if (form !== 0) throw new Error(`expected elements of form 0 in the WebAssembly module, found form ${form}`);
    eachNamedInConstant(reader, (index) => found.push(index)); // where in the table
    for (let functions = reader.number(); functions > 0; functions -= 1) found.push(reader.number());
  }
  return found;
}

/** Return the code section with the code that the roots lead to; the first function of it has the number `first`. */
function pruneCode(body, first, roots) {
  const bodies = [...eachBody(body)];
  const alive = new Set();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const index = waiting.pop();
    if (index < first || alive.has(index)) continue;
    alive.add(index);
    const { start, end } = bodies[index - first];
    eachNamedInCode(codeOf(body, start), end, (named) => waiting.push(named));
  }
  return vector(bodies.map(({ size, end }, i) => (alive.has(first + i) ? body.subarray(size, end) : EMPTY)));
}

/** Yield where each function's size, its content and its end stand. */
function* eachBody(body) {
  const reader = new Reader(body);
  for (let count = reader.number(); count > 0; count -= 1) {
    const size = reader.at;
    const length = reader.number();
    const start = reader.at;
    reader.at += length;
    yield { size, start, end: reader.at };
  }
}

/** Return a reader at a function's first instruction, behind its locals. */
function codeOf(body, start) {
  const reader = new Reader(body, start);
  reader.skip(2 * reader.number()); // each run of locals: how many, their type
  return reader;
}

function vector(items) {
  return join([encode(items.length), ...items]);
}

function section(id, body) {
  return [Uint8Array.of(id), encode(body.length), body];
}
