/**
 * Run at build, by Node: write a Pyodide that starts faster, since no compiled package can be linked with it.
 *
 *     node macros/prune.mjs PYODIDE_FOLDER TARGET_FOLDER
 *
 * Pyodide exports all of CPython's functions, 8,560 names, for packages such as NumPy to be linked with at run time. This
 * site has no compiled package. What stays is what Pyodide's own JavaScript names; the rest costs time at each start: a
 * JavaScript function is made for every export and put into a table. For packages, too, there are Emscripten's libraries, half
 * of the script, which a browser would read to its end twice.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Script, withLessWork, withoutProbe, words } from "./pruning/script.mjs";
import { withoutUnused } from "./pruning/unused.mjs";
import { pruneWasm } from "./pruning/wasm.mjs";

const SCRIPT = "pyodide.asm.mjs";
const WASM = "pyodide.asm.wasm";
const LOADER = "pyodide.mjs";
const UNCHANGED = ["python_stdlib.zip", "pyodide-lock.json"];

/**
 * Return the files without the exports that nothing here names, and without what then has no use.
 * @param {{script: string, loader: string, wasm: Uint8Array}} pyodide
 * @returns {{script: string, loader: string, wasm: Uint8Array}}
 */
export function prune({ script, loader, wasm }) {
  const named = new Set(words(loader));
  let [pruned, size] = [{ script: withLessWork(script), wasm }, Infinity];
  // A module without some of its code imports less, and a script without what nobody imports names less of the module.
  while (sizeOf(pruned) < size) [pruned, size] = [pruneOnce(pruned, named), sizeOf(pruned)];
  return { ...pruned, loader: withoutProbe(loader) };
}

function sizeOf({ script, wasm }) {
  return script.length + wasm.length;
}

function pruneOnce({ script: code, wasm }, inLoader) {
  const module = new WebAssembly.Module(wasm);
  const imported = new Set(WebAssembly.Module.imports(module).map(({ name }) => name));
  const script = new Script(withoutUnused(code, imported, inLoader));
  // The module may get the address of something of its own from outside, by way of its table of globals.
  const wanted = WebAssembly.Module.imports(module).filter(({ module: from }) => from.startsWith("GOT."));
  const named = new Set([...script.words(), ...inLoader, ...wanted.map(({ name }) => name)]);
  const kept = new Set(script.needed());
  for (const { name } of WebAssembly.Module.exports(module)) {
    // JavaScript calls C's `name` either so or `_name`; it may also look one up by its name in a string.
    if (named.has(name) || named.has(`_${name}`)) kept.add(name);
  }
  return { script: script.keeping(kept), wasm: pruneWasm(wasm, kept) };
}

async function pruneFolder(folder, target) {
  await mkdir(target, { recursive: true });
  for (const name of UNCHANGED) await copyFile(join(folder, name), join(target, name));
  const [script, loader] = await Promise.all([SCRIPT, LOADER].map((name) => readFile(join(folder, name), "utf8")));
  const pruned = prune({ script, loader, wasm: new Uint8Array(await readFile(join(folder, WASM))) });
  await writeFile(join(target, SCRIPT), pruned.script);
  await writeFile(join(target, LOADER), pruned.loader);
  await writeFile(join(target, WASM), pruned.wasm);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await pruneFolder(...process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
