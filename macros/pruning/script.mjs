/** Pyodide's script, which takes thousands of functions from WebAssembly so that a compiled package may find them. */

// Emscripten writes it so: one declaration, then one statement for each export. No statement holds a brace.
const ASSIGNING = /var ((?:[\w$]+,)+[\w$]+);function assignWasmExports\(wasmExports\)\{([^{}]*)\}/;
const STATEMENT = /^_([\w$]+)=Module\["_\1"\]=wasmExports\["\1"\](?:\.value>>>0)?$/;
const TAKEN = /wasmExports\["([^"]+)"\]/g;

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
    this.#found = ASSIGNING.exec(code);
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
