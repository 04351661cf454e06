/** Pyodide's script without what only compiled packages need, and without work at the start that can be had for less. */

// Emscripten writes it so: one declaration, then one statement for each export. No statement holds a brace.
const ASSIGNING = /var ((?:[\w$]+,)+[\w$]+);function assignWasmExports\(wasmExports\)\{([^{}]*)\}/;
const STATEMENT = /^_([\w$]+)=Module\["_\1"\]=wasmExports\["\1"\](?:\.value>>>0)?$/;
const TAKEN = /wasmExports\["([^"]+)"\]/g;

// Each text stands once in the script; what is put in its place does the same in less time.
const PROBE = [
  // Pyodide asks whether it runs in a classic worker, where it does not want to; ours is one, since browsers start no module
  // from disk. The question is a call that fails: with developer tools open, a browser notes where in the script each caller stands, and
  // reads all of it again.
  'try{return globalThis.importScripts("data:text/javascript,"),!0}catch{return!1}',
  "return!1",
];
const SHORTER = [
  PROBE,
  // The table of functions: exports are put there for compiled packages, and each function that is there already, 5,000,
  // gets a JavaScript function, lest one be put there twice.
  ["updateGOT(origExports);", ""],
  ["functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)", "functionsInTableMap=new WeakMap"],
  // The first Python text that runs has the browser compile all of Python's own parser and compiler. A memory that is put
  // back (`t`) has the import behind it, and modules can be had without any text.
  ['let[r,n]=API.rawRun("import _pyodide_core");', 'let[r,n]=t?[0,""]:API.rawRun("import _pyodide_core");'],
  ['API._pyodide._base.eval_code("{}")', module("builtins", ".dict()")],
  ['API.runPythonInternal("import importlib; importlib")', module("importlib")],
  ['API.runPythonInternal("import __main__; __main__.__dict__")', module("__main__", ".__dict__")],
  ['API.runPythonInternal("import builtins; builtins.__dict__")', module("builtins", ".__dict__")],
];

function module(name, rest = "") {
  return `API._pyodide._importhook.sys.modules.get("${name}")${rest}`;
}

/** Return all that could be a name in a piece of code, be it in a string. */
export function words(code) {
  return code.match(/[\w$]+/g) ?? [];
}

export class Script {
  #code;
  #found;

  /** @param {string} code pyodide.asm.mjs */
  constructor(code) {
    this.#code = code;
    this.#found = ASSIGNING.exec(this.#code);
    if (!this.#found) throw new Error("expected assignWasmExports and its variables in pyodide.asm.mjs, found none");
    if (!this.#statements.some((statement) => STATEMENT.test(statement))) {
      throw new Error('expected statements _x=Module["_x"]=wasmExports["x"] in pyodide.asm.mjs, found none');
    }
  }

  get #statements() {
    return this.#found[2].split(";").filter(Boolean);
  }

  /** Return the exports that statements of another shape take: no rule here says that one of them could go. */
  needed() {
    const others = this.#statements.filter((statement) => !STATEMENT.test(statement));
    return others.flatMap((statement) => [...statement.matchAll(TAKEN)].map(([, name]) => name));
  }

  /** Return the words of the script but those of the statements and of their declaration. */
  words() {
    return words(this.#with(""));
  }

  /**
   * Return the script that takes these exports only.
   * @param {Set<string>} kept names of exports
   */
  keeping(kept) {
    const dropped = new Set();
    const statements = this.#statements.filter((statement) => {
      const name = STATEMENT.exec(statement)?.[1];
      if (name === undefined || kept.has(name)) return true;
      dropped.add(`_${name}`);
      return false;
    });
    const variables = this.#found[1].split(",").filter((variable) => !dropped.has(variable));
    return this.#with(`var ${variables.join(",")};function assignWasmExports(wasmExports){${statements.join(";")}}`);
  }

  #with(assigning) {
    const { index, 0: { length } } = this.#found;
    return this.#code.slice(0, index) + assigning + this.#code.slice(index + length);
  }
}

/**
 * Return pyodide.asm.mjs with the same done in less time.
 * @param {string} code
 */
export function withLessWork(code) {
  return shortened(code, SHORTER);
}

/**
 * Return pyodide.mjs, which has the same question as pyodide.asm.mjs, without it.
 * @param {string} loader
 */
export function withoutProbe(loader) {
  return shortened(loader, [PROBE]);
}

function shortened(code, changes) {
  for (const [text, instead] of changes) {
    const [before, after, ...more] = code.split(text);
    if (after === undefined || more.length > 0) throw new Error(`expected ${text} once in Pyodide's script`);
    code = before + instead + after;
  }
  return code;
}
