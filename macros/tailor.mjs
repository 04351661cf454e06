/**
 * Run at build, by Node: write the WebAssembly module that the labs need, and no more of it.
 *
 *     node macros/tailor.mjs PYODIDE_FOLDER PYTHON_SCRIPT MEMORY SUPPLEMENT LOCK REQUESTS TARGET
 *
 * Of Python's 17,000 functions the labs call 2,000. A browser compiles all that it is sent, and a start is mostly that. So Python
 * starts here the way it does in the worker, answers what the labs are tried with, and each function that was never called
 * goes. One that is called in a browser nevertheless ends Python there, and the page goes on with the whole module,
 * which a reader's code has from its beginning.
 */
import { readFile, writeFile } from "node:fs/promises";

import { starter } from "./answering.mjs";
import { calledIn, notingCalls } from "./pruning/calls.mjs";
import { keepingFunctions } from "./pruning/renumber.mjs";

const CHUNK = 25; // requests to one start: what runs at a first request only depends on which one that is; some runs late only

const { process: node } = globalThis;
const [folder, script, memory, supplement, lock, requests, target] = node.argv.slice(2);

async function tailor() {
  const wasm = new Uint8Array(await readFile(`${folder}/pyodide.asm.wasm`));
  const start = await starter(notingCalls(wasm), [script, memory, supplement, lock]);
  const tries = JSON.parse(await readFile(requests, "utf8"));
  let called = new Set();
  for (const some of [tries, ...chunks(tries)]) {
    const { answer, clear, instance } = await start();
    for (const request of some) await answer(JSON.stringify(request));
    clear();
    called = called.union(calledIn(instance));
  }
  await writeFile(target, keepingFunctions(wasm, called));
}

function chunks(list) {
  return Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, i) => list.slice(i * CHUNK, (i + 1) * CHUNK));
}

try {
  await tailor();
} catch (error) {
  console.error(error.message);
  node.exit(1);
}
node.exit(0);
