/** The folders that are measured: the site as built, the same without Python's memory, and the plain alternative. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import { LAB } from "./visits.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PYODIDE = join(ROOT, "node_modules/pyodide");
const LOADED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

/**
 * Make the folders.
 * @param {string} site the built site
 * @param {string} scratch where the folders go
 * @returns {Promise<{site: string, bare: string, plain: string}>} bare: without the memory, and without the engine that needs it
 */
export async function makeSites(site, scratch) {
  const [ours, bare, plain] = ["site", "bare", "plain"].map((name) => join(scratch, name));
  await cp(site, ours, { recursive: true }); // a build meanwhile must not change what is measured
  await cp(site, bare, { recursive: true });
  for (const file of await partFiles(bare, "memory")) await rm(file);
  await withoutQuick(join(bare, LAB));

  await cp(join(ROOT, "bench/plain"), plain, { recursive: true });
  await mkdir(join(plain, "pyodide"));
  for (const file of LOADED) await cp(join(PYODIDE, file), join(plain, "pyodide", file));
  const [zipped] = (await partFiles(site, "labs")).filter((file) => file.endsWith(".bin"));
  await writeFile(join(plain, "labs.whl"), gunzipSync(await readFile(zipped)));
  return { site: ours, bare, plain };
}

/** Take from a page the name of the engine that can only go on from a memory: it begins with the whole one. */
async function withoutQuick(page) {
  const text = await readFile(page, "utf8");
  const [before, after, ...more] = text.split(/quick:\{host:"[^"]+",disk:"[^"]+"\},?/);
  if (after === undefined || more.length) throw new Error(`expected the part quick named once in ${page}`);
  await writeFile(page, before + after);
}

/**
 * Return the files of one part.
 * @param {string} site
 * @param {string} name
 * @returns {Promise<string[]>}
 */
export async function partFiles(site, name) {
  const folder = join(site, "assets/lab");
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`));
  if (!files.length) throw new Error(`expected the part ${name} in ${folder}, found none`);
  return files.map((file) => join(folder, file));
}

/** Return the version of Pyodide that both sides run. */
export async function pyodideVersion() {
  return JSON.parse(await readFile(join(PYODIDE, "package.json"), "utf8")).version;
}
