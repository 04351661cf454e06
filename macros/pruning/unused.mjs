/** Pyodide's script without the functions that nothing leads to: most of Emscripten's libraries, of pictures and sounds too. */
import { parse } from "acorn";

const IMPORTS = "wasmImports"; // Emscripten's table of what the WebAssembly module, or a compiled package, may import

// For programs that draw into a page, or come with a zipped disk. Python in a worker has no use for them, and none for what is made of
// them; a function that needs one is never called.
const IDLE = ["Browser", "GL", "GLctx", "LZ4", "MainLoop", "SDL"];

/**
 * Return the script without what nothing in it leads to, once the WebAssembly module imports these names only.
 *
 * What counts is the one function that holds all of Emscripten. Its functions and constants are kept if a name leads to them from a
 * statement that does something, or from the table of imports. A name counts wherever it stands, so that one in an inner scope
 * may keep what it does not mean, and nothing goes that is needed. `Module["x"]=x` is no use of `x`
 * unless something reads that property.
 * @param {string} code pyodide.asm.mjs
 * @param {Set<string>} imported names
 * @param {Set<string>} named words of the other script, which may read properties too
 * @returns {string}
 */
export function withoutUnused(code, imported, named) {
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const holder = program.body.find((node) => node.type === "FunctionDeclaration" && node.async);
  if (!holder) throw new Error("expected one asynchronous function in pyodide.asm.mjs that holds the rest, found none");
  const table = findTable(holder);
  const counts = wordsIn(program);
  const isRead = (name) => counts.get(name) > 1 || named.has(name);
  const parts = holder.body.body.flatMap((statement) => partsOf(statement, isRead));
  const entries = table.properties.filter(({ key }) => imported.has(nameOf(key)) || counts.has(nameOf(key)));
  const kept = reach(parts, table, entries);
  const cuts = parts.filter((part) => !kept.has(part)).map(({ cut }) => cut);
  const dropped = table.properties.filter((entry) => !entries.includes(entry));
  return without(code, [...cuts, ...dropped.map(({ start, end }) => [start, code[end] === "," ? end + 1 : end])]);
}

function findTable(holder) {
  const declarations = holder.body.body.filter(({ type }) => type === "VariableDeclaration").flatMap((one) => one.declarations);
  const table = declarations.find(({ id, init }) => id.name === IMPORTS && init?.type === "ObjectExpression");
  if (!table) throw new Error(`expected the table ${IMPORTS} in pyodide.asm.mjs, found none`);
  return table.init;
}

/**
 * Return the parts of a statement that can go or stay by themselves, each with the name that leads to it, and what to cut out;
 * a statement without a name does something and stays.
 */
function partsOf(statement, isRead) {
  const whole = [statement.start, statement.end];
  if (statement.type === "FunctionDeclaration") return [{ name: statement.id.name, node: statement, cut: whole }];
  if (statement.type === "VariableDeclaration") {
    const { declarations, kind } = statement;
    const named = declarations.map((node) => ({ name: isQuiet(node.init) ? node.id.name : undefined, node }));
    if (declarations.length === 1) return [{ ...named[0], cut: whole }];
    if (kind === "const") return [{ node: statement, cut: whole }]; // none is left without a value
    return named.map((part) => ({ ...part, cut: part.node.init && [part.node.id.end, part.node.end] }));
  }
  const set = statement.type === "ExpressionStatement" && statement.expression;
  if (set?.type === "AssignmentExpression" && isQuiet(set.right)) {
    const { type, object, property, computed } = set.left;
    if (type === "MemberExpression" && object.type === "Identifier") {
      if (object.name === "Module" && set.right.name === property.value && !isRead(property.value)) {
        return [{ name: property.value, node: set.right, cut: whole }];
      }
      if (object.name !== "Module" && !computed) return [{ name: object.name, node: set.right, cut: whole }];
    }
  }
  return [{ node: statement, cut: whole }];
}

/** Return whether nothing happens where this value is made. */
function isQuiet(node) {
  if (!node) return true;
  if (["FunctionExpression", "ArrowFunctionExpression", "Literal", "Identifier"].includes(node.type)) return true;
  if (node.type === "ArrayExpression") return node.elements.every(isQuiet);
  if (node.type === "ObjectExpression") {
    return node.properties.every(({ type, computed, value }) => type === "Property" && !computed && isQuiet(value));
  }
  if (isOfIdle(node)) return true;
  if (node.type === "UnaryExpression") return node.operator !== "delete" && isQuiet(node.argument);
  return false;
}

function reach(parts, table, entries) {
  const byName = Map.groupBy(parts, ({ name }) => name);
  const kept = new Set(byName.get(undefined).filter(({ node }) => !isIdle(node)));
  const waiting = [...kept].flatMap(({ node }) => [...namesIn(node)]);
  const seen = new Set(IDLE);
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (seen.has(name)) continue;
    seen.add(name);
    for (const part of byName.get(name) ?? []) {
      kept.add(part);
      const nodes = part.node.init === table ? entries : [part.node];
      for (const node of nodes) waiting.push(...namesIn(node));
    }
  }
  return kept;
}

/** Return whether a statement does something for an idle library only. */
function isIdle(node) {
  return node.type === "ExpressionStatement" && namesIn(node).some((name) => IDLE.includes(name));
}

/** Return whether this is a property of an idle library. */
function isOfIdle({ type, object }) {
  return type === "MemberExpression" && IDLE.includes(object.name);
}

/** Yield all names in a piece of code that could stand for something outside of it. */
function* namesIn(node) {
  if (node.type === "Identifier") yield node.name;
  for (const [key, child] of childrenOf(node)) {
    const isLabel = (key === "property" || key === "key") && !node.computed && !node.shorthand;
    if (!isLabel) yield* namesIn(child);
  }
}

/** Count what could be the name of a property that is read: strings, and names after a dot. */
function wordsIn(node, counts = new Map(), key = "") {
  if (isOfIdle(node)) return counts;
  const word = node.type === "Literal" ? node.value : key === "property" && node.name;
  if (typeof word === "string") counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [key, child] of childrenOf(node)) wordsIn(child, counts, key);
  return counts;
}

/** Return what a key of an object says, be it a name or a string. */
function nameOf(key) {
  return key.name ?? key.value;
}

function* childrenOf(node) {
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") yield [key, child];
  }
}

/** Return the text without these runs, which do not overlap. */
function without(text, cuts) {
  let rest = "";
  let at = 0;
  for (const [start, end] of cuts.filter(Boolean).toSorted(([one], [other]) => one - other)) {
    rest += text.slice(at, start);
    at = end;
  }
  return rest + text.slice(at);
}
