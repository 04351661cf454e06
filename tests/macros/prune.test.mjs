/** What pruning leaves of a module made by hand, and of a script of the shape that it knows; what it refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { calledIn, notingCalls } from "../../macros/pruning/calls.mjs";
import { keepingFunctions } from "../../macros/pruning/renumber.mjs";
import { Script, withLessWork, withoutProbe } from "../../macros/pruning/script.mjs";
import { functionsOf } from "../../macros/pruning/sections.mjs";
import { withoutUnused } from "../../macros/pruning/unused.mjs";
import { pruneWasm } from "../../macros/pruning/wasm.mjs";

const name = (text) => [text.length, ...new TextEncoder().encode(text)];
const section = (id, items) => [id, items.flat().length + 1, items.length, ...items.flat()];
const code = (...instructions) => [instructions.length + 2, 0, ...instructions, 0x0b];
const [CONST, CALL, GLOBAL_GET, DROP] = [0x41, 0x10, 0x23, 0x1a];
const [FUNCTION, TABLE, GLOBAL] = [0, 1, 3];

/** A module: kept (1) calls 2; dropped (3) calls 4 and reads an address from outside; 5 stands in the table. */
function made({ inKept = [] } = {}) {
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 0, 1, 0x7f]]),
    ...section(2, [
      [...name("env"), ...name("outside"), FUNCTION, 0],
      [...name("GOT.func"), ...name("address"), GLOBAL, 0x7f, 1],
    ]),
    ...section(3, [[0], [0], [0], [0], [0]]),
    ...section(4, [[0x70, 0, 1]]),
    ...section(5, [[0, 1]]),
    ...section(6, [[0x7f, 0, CONST, 42, 0x0b]]),
    ...section(7, [
      [...name("kept"), FUNCTION, 1],
      [...name("dropped"), FUNCTION, 3],
      [...name("table"), TABLE, 0],
      [...name("own"), GLOBAL, 1],
    ]),
    ...section(9, [[0, CONST, 0, 0x0b, 1, 5]]),
    ...section(10, [
      code(...inKept, CALL, 2),
      code(CONST, 7),
      code(GLOBAL_GET, 0, DROP, CALL, 4),
      code(CONST, 9),
      code(CONST, 5),
    ]),
  );
}

const STAYING = new Set(["kept", "table", "own"]);
const holds = (wasm, ...bytes) => Buffer.from(wasm).includes(Buffer.from(bytes));

test("what stays is what is named, and all that it leads to", () => {
  const module = new WebAssembly.Module(pruneWasm(made(), STAYING));
  assert.deepEqual(WebAssembly.Module.exports(module).map((one) => one.name), ["kept", "table", "own"]);
  const { exports } = new WebAssembly.Instance(module, { env: { outside: () => 0 } });
  assert.equal(exports.kept(), 7);
  assert.equal(exports.table.get(0)(), 5, "a function in the table may be called by its place");
  assert.equal(exports.own.value, 42, "globals keep their numbers");
});

test("code and addresses that only a dropped export led to are gone", () => {
  const wasm = made();
  const pruned = pruneWasm(wasm, STAYING);
  assert.ok(holds(wasm, CONST, 9, 0x0b) && !holds(pruned, CONST, 9, 0x0b));
  assert.deepEqual([functionsOf(wasm).length, functionsOf(pruned).length], [5, 3]);
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(pruned)).map((one) => one.name), ["outside"]);
});

test("an address that living code reads stays imported", () => {
  const pruned = pruneWasm(made(), new Set([...STAYING, "dropped"]));
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(pruned)).map((one) => one.name), ["outside", "address"]);
  const inKept = pruneWasm(made({ inKept: [GLOBAL_GET, 0, DROP] }), STAYING);
  assert.equal(WebAssembly.Module.imports(new WebAssembly.Module(inKept)).length, 2);
});

test("long numbers, floats, branches and blocks are passed over as they are", () => {
  const inKept = [
    ...[CONST, 0xff, 0xff, 0xff, 0xff, 0x7f, DROP], // -1 in five bytes
    ...[0x43, CALL, 4, 0, 0, DROP], // a float whose bytes look like a call
    ...[0x44, CALL, 4, 0, 0, 0, 0, 0, 0, DROP],
    ...[0x02, 0x40, CONST, 0, 0x0e, 1, 0, 0, 0x0b], // block, br_table, end
  ];
  const pruned = pruneWasm(made({ inKept }), STAYING);
  assert.ok(!holds(pruned, CONST, 9, 0x0b), "no call was seen where there is none");
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(pruned), { env: { outside: () => 0 } });
  assert.equal(exports.kept(), 7);
});

test("a module of another shape is refused", () => {
  assert.throws(() => pruneWasm(made(), new Set(["kept", "lost"])), {
    message: "expected the WebAssembly module to export lost, it does not",
  });
  assert.throws(() => pruneWasm(made().subarray(0, 8), new Set()), {
    message: "expected exports and code in the WebAssembly module, found none",
  });
  assert.throws(() => pruneWasm(made({ inKept: [0xfd, 12] }), STAYING), {
    message: "expected instructions known to macros/pruning/code.mjs, found 0xfd",
  });
});

test("a module tells which of its functions were called, and loses the others", () => {
  const outside = { env: { outside: () => 0 }, "GOT.func": { address: new WebAssembly.Global({ value: "i32", mutable: true }, 0) } };
  const run = (module) => new WebAssembly.Instance(new WebAssembly.Module(module), outside);
  const noting = run(notingCalls(made()));
  assert.deepEqual(calledIn(noting), new Set());
  assert.equal(noting.exports.kept(), 7);
  assert.deepEqual(calledIn(noting), new Set([0, 1]), "kept, and what it calls");
  const { exports } = run(keepingFunctions(made(), calledIn(noting)));
  assert.equal(exports.kept(), 7);
  assert.equal(exports.own.value, 42);
  assert.throws(() => exports.dropped(), WebAssembly.RuntimeError);
  assert.throws(() => exports.table.get(0)(), WebAssembly.RuntimeError);
});

/** Of three types: run (0) calls 2, 3 stands in the table before it, 4 runs at the start, 5 is exported. */
function typed({ global = [0x7f, 0, CONST, 0, 0x0b] } = {}) {
  const LOCAL_GET = 0x20;
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 0, 1, 0x7f], [0x60, 1, 0x7f, 1, 0x7f], [0x60, 0, 0]]),
    ...section(3, [[0], [1], [1], [1], [2], [1]]),
    ...section(4, [[0x70, 0, 2]]),
    ...section(6, [global]),
    ...section(7, [
      [...name("run"), FUNCTION, 0],
      [...name("gone"), FUNCTION, 5],
      [...name("table"), TABLE, 0],
    ]),
    ...[8, 1, 4],
    ...section(9, [[0, CONST, 0, 0x0b, 2, 3, 2]]),
    ...section(10, [
      code(CONST, 20, CALL, 2),
      code(LOCAL_GET, 0),
      code(LOCAL_GET, 0, CONST, 1, 0x6a), // one more
      code(LOCAL_GET, 0),
      code(),
      code(LOCAL_GET, 0),
    ]),
  );
}

test("functions that stay are found under their new numbers; the others share one for each type, which ends everything", () => {
  const kept = keepingFunctions(typed(), new Set([4, 0, 2]));
  assert.equal(functionsOf(kept).length, 4, "three that stay, one for all others: they have one type");
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kept));
  assert.equal(exports.run(), 21);
  assert.equal(exports.table.get(1)(4), 5);
  assert.throws(() => exports.table.get(0)(4), WebAssembly.RuntimeError);
  assert.throws(() => exports.gone(4), WebAssembly.RuntimeError);

  const none = keepingFunctions(typed(), new Set([0]));
  assert.equal(functionsOf(none).length, 3, "one that stays, one for each type that is named");
  assert.throws(() => new WebAssembly.Instance(new WebAssembly.Module(none)), WebAssembly.RuntimeError, "it ends at its start");
});

test("a global that names a function is refused", () => {
  assert.throws(() => keepingFunctions(typed({ global: [0x70, 0, 0xd2, 1, 0x0b] }), new Set([0])), {
    message: "expected no global of the WebAssembly module to name a function, found one that does",
  });
});

const PROBE = 'try{return globalThis.importScripts("data:text/javascript,"),!0}catch{return!1}';
const SHORTENED = [
  PROBE,
  "updateGOT(origExports);",
  "functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length);",
  'let[r,n]=API.rawRun("import _pyodide_core");',
  'API._pyodide._base.eval_code("{}");',
  'API.runPythonInternal("import importlib; importlib");',
  'API.runPythonInternal("import __main__; __main__.__dict__");',
  'API.runPythonInternal("import builtins; builtins.__dict__");',
].join("");
const TAKING =
  'var _used,_unused,_main,_data;function assignWasmExports(wasmExports){_used=Module["_used"]=wasmExports["used"];' +
  '_unused=Module["_unused"]=wasmExports["unused"];_main=Module["_main"]=wasmExports["__main_argc_argv"];' +
  '_data=Module["_data"]=wasmExports["data"].value>>>0}';

test("a script takes what is kept, and what its other statements need", () => {
  const script = new Script(`${TAKING}_used("text")`);
  assert.deepEqual(script.needed(), ["__main_argc_argv"]);
  const words = new Set(script.words());
  assert.ok(words.has("_used") && words.has("text") && !words.has("_unused") && !words.has("unused"));
  const pruned = script.keeping(new Set(["used"]));
  assert.ok(
    pruned.endsWith(
      'var _used,_main;function assignWasmExports(wasmExports){_used=Module["_used"]=wasmExports["used"];' +
        '_main=Module["_main"]=wasmExports["__main_argc_argv"]}_used("text")',
    ),
    pruned,
  );
});

test("a script of another shape is refused", () => {
  assert.throws(() => withLessWork(PROBE), { message: "expected updateGOT(origExports); once in Pyodide's script" });
  assert.throws(() => withLessWork(`${SHORTENED}updateGOT(origExports);`), {
    message: "expected updateGOT(origExports); once in Pyodide's script",
  });
  assert.throws(() => new Script(""), {
    message: "expected assignWasmExports and its variables in pyodide.asm.mjs, found none",
  });
  assert.throws(() => new Script(TAKING.replaceAll("Module", "module")), {
    message: 'expected statements _x=Module["_x"]=wasmExports["x"] in pyodide.asm.mjs, found none',
  });
});

test("the loader asks nothing of a classic worker", () => {
  assert.equal(withoutProbe(`function isClassicWorker(){${PROBE}}`), "function isClassicWorker(){return!1}");
  assert.throws(() => withoutProbe("function isClassicWorker(){}"), /^Error: expected .* once in Pyodide's script$/);
});

const held = (...statements) => `async function create(Module){${statements.join("")}}export default create;`;
const RUN = "run(wasmImports);";
const unused = (statements, imported = [], named = []) =>
  withoutUnused(held(...statements), new Set(imported), new Set(named)).match(/^async function create\(Module\)\{(.*)\}export/)[1];

test("of a script stays what a statement leads to, through any number of names", () => {
  const chain = ["var wasmImports={};", "function run(){return one}", "var one=()=>two;", "const two={three};", "var three=3;"];
  const loose = ["function lost(){return three}", "var gone=()=>lost();", "const away=[1];"];
  assert.equal(unused([...chain, ...loose, RUN]), [...chain, RUN].join(""));
});

test("an import stays if the module has it, or if a text names it", () => {
  const functions = ["function _a(){}", "_a.sig='v';", "function _b(){}", "_b.sig='v';", "function _c(){}"];
  const run = ["function run(){}", RUN];
  assert.equal(
    unused(["var wasmImports={a:_a,b:_b,c:_c};", ...functions, "wasmImports['c'];", ...run], ["a"]),
    ["var wasmImports={a:_a,c:_c};", "function _a(){}", "_a.sig='v';", "function _c(){}", "wasmImports['c'];", ...run].join(""),
  );
});

test("a property of the module counts once it is read, here or in the other script", () => {
  const code = ["var wasmImports={};", "function _a(){}", 'Module["_a"]=_a;', "function run(){}", RUN];
  assert.equal(unused(code), ["var wasmImports={};", "function run(){}", RUN].join(""));
  assert.equal(unused(code, [], ["_a"]), code.join(""));
  const read = [...code, "Module._a();"];
  assert.equal(unused(read), read.join(""));
});

test("a library for a page's pictures goes, with what is made of it and what sets it up", () => {
  const code = ["var wasmImports={};", "function run(){typeof SDL!='undefined'&&SDL.init()}", RUN];
  const idle = [
    ...["var SDL={init(){lost()}};", "function lost(){}", "SDL.init();", "Module['SDL']=SDL;"],
    ...["var draw=SDL.draw;", "Module['draw']=draw;", "after(()=>SDL.audio);"],
  ];
  assert.equal(unused([...code, ...idle]), code.join(""));
  const other = ["var GLUE={};", "after(()=>GLUE.audio);"];
  assert.equal(unused([...code, ...other]), [...code, ...other].join(""), "others may do something");
});

test("what does something where it stands stays", () => {
  const code = ["var wasmImports={};", "function run(){}", "var began=start(),{x}=began;", "function start(){}", "class Own{}", RUN];
  assert.equal(unused(code), code.join(""));
  assert.equal(
    unused(["var wasmImports={};", "function run(){}", "var a=()=>1,b=()=>2;", "const c=()=>a(),d=start();", "function start(){}", RUN]),
    ["var wasmImports={};", "function run(){}", "var a=()=>1,b;", "const c=()=>a(),d=start();", "function start(){}", RUN].join(""),
  );
});

test("a script without its function or its table is refused", () => {
  assert.throws(() => withoutUnused("export default 1", new Set(), new Set()), {
    message: "expected one asynchronous function in pyodide.asm.mjs that holds the rest, found none",
  });
  assert.throws(() => withoutUnused(held(), new Set(), new Set()), {
    message: "expected the table wasmImports in pyodide.asm.mjs, found none",
  });
});
