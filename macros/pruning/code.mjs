/**
 * Which functions and globals a piece of WebAssembly code names. Nothing says where an instruction ends but the
 * instruction itself, so every one that the code uses must be known here; one that is not ends the build.
 */

const NUMBERS = new Map(); // instruction -> how many numbers follow it
const numbers = (count, from, to = from) => {
  for (let code = from; code <= to; code += 1) NUMBERS.set(code, count);
};
numbers(0, 0x00, 0x01); // unreachable, nop
numbers(1, 0x02, 0x04); // block, loop, if: a type
numbers(0, 0x05); // else
numbers(1, 0x06, 0x09); // try, catch, throw, rethrow
numbers(0, 0x0a, 0x0b); // throw_ref, end
numbers(1, 0x0c, 0x0d); // br, br_if
numbers(0, 0x0f); // return
numbers(1, 0x10); // call
numbers(2, 0x11); // call_indirect
numbers(1, 0x12); // return_call
numbers(2, 0x13); // return_call_indirect
numbers(1, 0x18); // delegate
numbers(0, 0x19, 0x1b); // catch_all, drop, select
numbers(1, 0x20, 0x26); // locals, globals, table.get, table.set
numbers(2, 0x28, 0x3e); // loads and stores
numbers(1, 0x3f, 0x42); // memory.size, memory.grow, i32.const, i64.const
numbers(0, 0x45, 0xc4); // arithmetic
numbers(1, 0xd0); // ref.null
numbers(0, 0xd1); // ref.is_null
numbers(1, 0xd2); // ref.func

const END = 0x0b;
const QUIET = { function() {}, global() {} };
const NAMES_A_FUNCTION = new Set([0x10, 0x12, 0xd2]);
const NAMES_A_GLOBAL = new Set([0x23, 0x24]);
const AFTER_FC = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1]; // conversions, then bulk memory and tables

/**
 * Note what a function's code names.
 * @param {import("./reader.mjs").Reader} reader at the first instruction
 * @param {number} end where the code ends
 * @param {{function: (index: number, at: number) => void, global: (index: number) => void}} note `at`: where the number
 *   of the function stands; the reader is behind it
 */
export function noteCode(reader, end, note) {
  while (reader.at < end) step(reader, note);
  if (reader.at !== end) throw new Error(`expected code to end at byte ${end}, found an instruction that goes on to ${reader.at}`);
}

/** The same for the expression that gives a constant; it ends at its first `end`. */
export function noteConstant(reader, note = QUIET) {
  while (step(reader, note) !== END);
}

function step(reader, note) {
  const code = reader.byte();
  const count = NUMBERS.get(code);
  if (NAMES_A_FUNCTION.has(code)) noteFunction(reader, note);
  else if (NAMES_A_GLOBAL.has(code)) note.global(reader.number());
  else if (count !== undefined) reader.skip(count);
  else skipIrregular(reader, code);
  return code;
}

function noteFunction(reader, note) {
  const { at } = reader;
  note.function(reader.number(), at);
}

function skipIrregular(reader, code) {
  if (code === 0x0e) reader.skip(reader.number() + 1); // br_table
  else if (code === 0x1c) reader.skip(reader.number()); // select with types
  else if (code === 0x1f) skipTryTable(reader);
  else if (code === 0x43) reader.at += 4; // f32.const
  else if (code === 0x44) reader.at += 8; // f64.const
  else if (code === 0xfc) reader.skip(known(AFTER_FC[reader.number()], code));
  else known(undefined, code);
}

function skipTryTable(reader) {
  reader.skip();
  for (let catches = reader.number(); catches > 0; catches -= 1) {
    const withTag = reader.byte() < 2;
    reader.skip(withTag ? 2 : 1);
  }
}

function known(count, code) {
  if (count === undefined) throw new Error(`expected instructions known to macros/pruning/code.mjs, found 0x${code.toString(16)}`);
  return count;
}
