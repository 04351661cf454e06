/** A WebAssembly module with fewer exports, and without the code and the imports that only the others led to. */
import { noteCode, noteConstant } from "./code.mjs";
import { Reader } from "./reader.mjs";
import {
  assemble, body, CODE, ELEMENT, EMPTY_FUNCTION, EXPORT, FUNCTION, GLOBAL, GLOBAL_VALUE, IMPORT, items, readExport, readFunction, readImport,
  split, START,
} from "./sections.mjs";

// Code names everything by number, so what is not needed keeps its number: of a function the code goes, and an imported
// global becomes one of the module's own.
const I32_THAT_CHANGES = [0x7f, 1];
const ZERO = { bytes: Uint8Array.of(...I32_THAT_CHANGES, 0x41, 0, 0x0b) }; // i32.const 0; end

/**
 * Return the module with these exports only.
 * @param {Uint8Array} wasm
 * @param {Set<string>} kept names of exports
 * @returns {Uint8Array}
 */
export function pruneWasm(wasm, kept) {
  const sections = split(wasm);
  const found = Object.fromEntries(sections.map(({ id, body }) => [id, body]));
  if (!found[EXPORT] || !found[CODE]) throw new Error("expected exports and code in the WebAssembly module, found none");
  const exports = keptExports(found[EXPORT], kept);
  const imports = items(found[IMPORT], readImport);
  const functions = items(found[CODE], readFunction);
  const first = imports.filter(({ kind }) => kind === FUNCTION).length; // the number of the first function with code
  const living = reach(found, exports, functions, first);
  const own = found[GLOBAL] ? unusedAddresses(imports, living.globals) : [];
  const pruned = {
    [IMPORT]: body(imports.filter((one) => !own.includes(one))),
    [GLOBAL]: body([...own.map(() => ZERO), ...items(found[GLOBAL], skipGlobal)]),
    [EXPORT]: body(exports),
    [CODE]: body(functions.map((one, i) => (living.functions.has(first + i) ? one : EMPTY_FUNCTION))),
  };
  return assemble(wasm, sections.map(({ id, body }) => ({ id, body: pruned[id] ?? body })));
}

function keptExports(section, kept) {
  const exports = items(section, readExport).filter(({ name }) => kept.has(name));
  const names = new Set(exports.map(({ name }) => name));
  const missing = [...kept].filter((name) => !names.has(name));
  if (missing.length > 0) throw new Error(`expected the WebAssembly module to export ${missing.join(", ")}, it does not`);
  return exports;
}

/** Return the numbers of all functions and globals that the exports and the table lead to. */
function reach(found, exports, functions, first) {
  const living = { functions: new Set(), globals: new Set() };
  const waiting = [];
  const note = {
    function(index) {
      if (living.functions.has(index)) return;
      living.functions.add(index);
      if (index >= first) waiting.push(functions[index - first]);
    },
    global: (index) => living.globals.add(index),
  };
  for (const { kind, index } of exports) {
    if (kind === FUNCTION) note.function(index);
    if (kind === GLOBAL_VALUE) note.global(index);
  }
  if (found[START]) note.function(new Reader(found[START]).number());
  items(found[GLOBAL], (reader) => skipGlobal(reader, note));
  items(found[ELEMENT], (reader) => noteElement(reader, note));
  while (waiting.length > 0) {
    const { start, end } = waiting.pop();
    noteCode(new Reader(found[CODE], start), end, note);
  }
  return living;
}

function skipGlobal(reader, note = { function() {}, global() {} }) {
  reader.skip(I32_THAT_CHANGES.length);
  noteConstant(reader, note);
}

/** What is in the table can be called by a number that was computed: all of it is needed. */
function noteElement(reader, note) {
  const form = reader.number();
  if (form !== 0) throw new Error(`expected elements of form 0 in the WebAssembly module, found form ${form}`);
  noteConstant(reader, note); // where in the table
  for (let count = reader.number(); count > 0; count -= 1) note.function(reader.number());
}

/**
 * Return the imported addresses that nothing needs. For each, Emscripten would compile a module, to have something in
 * the table whose place is the address.
 */
function unusedAddresses(imports, living) {
  const globals = imports.filter(({ kind }) => kind === GLOBAL_VALUE);
  let needed = globals.length; // imported globals have the first numbers, so only the last of them can change sides
  while (needed > 0 && !living.has(needed - 1) && isAddress(globals[needed - 1])) needed -= 1;
  return globals.slice(needed);
}

function isAddress({ from, type }) {
  return from.startsWith("GOT.") && String(type) === String(I32_THAT_CHANGES);
}
