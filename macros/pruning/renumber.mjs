/**
 * A WebAssembly module with fewer functions. Everything names a function by its number, so each number that is left out moves
 * those behind it, wherever they stand: in code, in the table, among the exports.
 */
import { noteCode } from "./code.mjs";
import { encode, join, Reader } from "./reader.mjs";
import {
  assemble, body, CODE, ELEMENT, EXPORT, FUNCTION, functionsOf, GLOBAL, IMPORT, items, readElement, readExport, readGlobal, readImport, SIGNATURE,
  split, START,
} from "./sections.mjs";

const ENDS = { bytes: Uint8Array.of(3, 0, 0x00, 0x0b) }; // its size; no locals; unreachable; end

/**
 * Return the module with these functions only. What names another one then names one that ends everything when it is called: a
 * single one for each type, since a browser compiles each function that there is.
 * @param {Uint8Array} wasm
 * @param {Set<number>} kept the module's own functions, from 0
 * @returns {Uint8Array}
 */
export function keepingFunctions(wasm, kept) {
  const sections = split(wasm);
  const found = Object.fromEntries(sections.map(({ id, body }) => [id, body]));
  const types = items(found[SIGNATURE], (reader) => ({ type: reader.number() }));
  const first = items(found[IMPORT], readImport).filter(({ kind }) => kind === FUNCTION).length;
  const own = [...kept].toSorted((one, other) => one - other);
  const places = new Map(own.map((number, place) => [first + number, first + place]));
  const ends = new Map(); // type -> number of the function that ends everything
  const place = (number) => {
    if (number < first) return number;
    const { type } = types[number - first];
    if (!places.has(number) && !ends.has(type)) ends.set(type, first + own.length + ends.size);
    return places.get(number) ?? ends.get(type);
  };

  items(found[GLOBAL], (reader) => readGlobal(reader, { function: refuse, global() {} }));
  const functions = functionsOf(wasm);
  const code = own.map((number) => withPlaces(functions[number].bytes, place));
  const changed = {
    [EXPORT]: body(items(found[EXPORT], readExport).map((one) => exported(one, place))),
    [ELEMENT]: found[ELEMENT] && body(items(found[ELEMENT], readElement).map((one) => element(one, place))),
    [START]: found[START] && encode(place(new Reader(found[START]).number())),
  };
  // At the end, when every type that is named is known.
  changed[CODE] = body([...code, ...[...ends].map(() => ENDS)]);
  changed[SIGNATURE] = body([...own.map((number) => types[number]), ...[...ends.keys()].map((type) => ({ bytes: encode(type) }))]);
  return assemble(wasm, sections.map(({ id, body }) => ({ id, body: changed[id] ?? body })));
}

function refuse() {
  throw new Error("expected no global of the WebAssembly module to name a function, found one that does");
}

/** Return a function's code with the numbers that it names put in place. */
function withPlaces(bytes, place) {
  const reader = new Reader(bytes);
  reader.number(); // the size, which may change
  const pieces = [];
  let from = reader.at;
  const note = {
    function(number, at) {
      pieces.push(bytes.subarray(from, at), encode(place(number)));
      from = reader.at;
    },
    global() {},
  };
  reader.skip(2 * reader.number()); // locals
  noteCode(reader, bytes.length, note);
  pieces.push(bytes.subarray(from));
  return { bytes: join([encode(pieces.reduce((size, { length }) => size + length, 0)), ...pieces]) };
}

function exported({ name, kind, index, bytes }, place) {
  if (kind !== FUNCTION) return { bytes };
  const text = new TextEncoder().encode(name);
  return { bytes: join([encode(text.length), text, encode(kind), encode(place(index))]) };
}

function element({ place: from, numbers }, place) {
  return { bytes: join([from, encode(numbers.length), ...numbers.map((number) => encode(place(number)))]) };
}
