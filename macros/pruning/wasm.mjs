/** A WebAssembly module with fewer exports, and without the code and the imports that only the others led to. */
import { noteCode } from "./code.mjs";
import { Reader } from "./reader.mjs";
import { keepingFunctions } from "./renumber.mjs";
import {
  assemble, body, CODE, ELEMENT, EXPORT, FUNCTION, GLOBAL, GLOBAL_VALUE, I32_THAT_CHANGES, IMPORT, items, readElement, readExport, readFunction,
  readGlobal, readImport, split, START,
} from "./sections.mjs";

// An imported global that is not needed becomes one of the module's own, so that the others keep their numbers.
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
    [GLOBAL]: body([...own.map(() => ZERO), ...items(found[GLOBAL], readGlobal)]),
    [EXPORT]: body(exports),
  };
  const rest = assemble(wasm, sections.map(({ id, body }) => ({ id, body: pruned[id] ?? body })));
  return keepingFunctions(rest, new Set(functions.keys().filter((number) => living.functions.has(first + number))));
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
  items(found[GLOBAL], (reader) => readGlobal(reader, note));
  // What is in the table can be called by a number that was computed: all of it is needed.
  for (const { numbers } of items(found[ELEMENT], (reader) => readElement(reader, note))) numbers.forEach(note.function);
  while (waiting.length > 0) {
    const { start, end } = waiting.pop();
    noteCode(new Reader(found[CODE], start), end, note);
  }
  return living;
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
