/** The sections of a WebAssembly module: taken apart, and put together again. */
import { noteConstant } from "./code.mjs";
import { encode, join, Reader } from "./reader.mjs";

const HEAD = 8; // magic number and version
export const [IMPORT, SIGNATURE, GLOBAL, EXPORT, START, ELEMENT, CODE] = [2, 3, 6, 7, 8, 9, 10];
/** Kinds of what is imported and exported. */
export const [FUNCTION, TABLE, MEMORY, GLOBAL_VALUE, TAG] = [0, 1, 2, 3, 4];

/**
 * Return a module's sections in their order.
 * @param {Uint8Array} wasm
 * @returns {{id: number, body: Uint8Array}[]}
 */
export function split(wasm) {
  const sections = [];
  const reader = new Reader(wasm, HEAD);
  while (reader.at < wasm.length) {
    const id = reader.byte();
    const length = reader.number();
    sections.push({ id, body: wasm.subarray(reader.at, reader.at + length) });
    reader.at += length;
  }
  return sections;
}

/** Return the module of these sections; `wasm` gives its head. */
export function assemble(wasm, sections) {
  return join([wasm.subarray(0, HEAD), ...sections.flatMap(({ id, body }) => [Uint8Array.of(id), encode(body.length), body])]);
}

/** Return the items of a section, each as `read` gives it and with the bytes that it was read from. */
export function items(body, read) {
  if (body === undefined) return [];
  const reader = new Reader(body);
  return Array.from({ length: reader.number() }, () => {
    const start = reader.at;
    const item = read(reader);
    return { ...item, bytes: body.subarray(start, reader.at) };
  });
}

/** Return the code of the functions. */
export function functionsOf(wasm) {
  const section = split(wasm).find(({ id }) => id === CODE);
  if (!section) throw new Error("expected code in the WebAssembly module, found none");
  return items(section.body, readFunction);
}

/** Return a section of these items. */
export function body(items) {
  return join([encode(items.length), ...items.map(({ bytes }) => bytes)]);
}

export function readExport(reader) {
  return { name: reader.name(), kind: reader.byte(), index: reader.number() };
}

export function readImport(reader) {
  const item = { from: reader.name(), name: reader.name(), kind: reader.byte() };
  if (item.kind === FUNCTION) reader.skip(); // its type
  else if (item.kind === GLOBAL_VALUE) item.type = [reader.byte(), reader.byte()]; // and whether it changes
  else if (item.kind === TAG) reader.skip(2); // attribute, type
  else {
    if (item.kind === TABLE) reader.skip(); // the type of its elements
    const limited = reader.number() & 1;
    reader.skip(limited ? 2 : 1);
  }
  return item;
}

export const I32_THAT_CHANGES = [0x7f, 1];

/** A global: its type, and the constant that it begins with. */
export function readGlobal(reader, note) {
  reader.skip(I32_THAT_CHANGES.length);
  noteConstant(reader, note);
}

/** Which functions stand in the table, from where: `place` is form and place as they are written. */
export function readElement(reader, note) {
  const start = reader.at;
  const form = reader.number();
  if (form !== 0) throw new Error(`expected elements of form 0 in the WebAssembly module, found form ${form}`);
  noteConstant(reader, note);
  const place = reader.bytes.subarray(start, reader.at);
  return { place, numbers: Array.from({ length: reader.number() }, () => reader.number()) };
}

/** A function's code: where its first instruction stands, and where it ends. */
export function readFunction(reader) {
  const end = reader.number() + reader.at;
  reader.skip(2 * reader.number()); // each run of locals: how many, their type
  const start = reader.at;
  reader.at = end;
  return { start, end };
}
