/**
 * Ask an engine, each request as the first one after a start, and write the numbers of those that end Python, as JSON; so does
 * what Python clears up after one.
 *     node first_answers.mjs ENGINE PYTHON_SCRIPT MEMORY SUPPLEMENT LOCK REQUESTS
 */
import { readFile } from "node:fs/promises";

import { starter } from "../../macros/answering.mjs";

const { process: node } = globalThis;
const [engine, script, memory, supplement, lock, requests] = node.argv.slice(2);
const start = await starter(new Uint8Array(await readFile(engine)), [script, memory, supplement, lock]);
const { error } = console;
const ended = [];
for (const [number, request] of JSON.parse(await readFile(requests, "utf8")).entries()) {
  const { answer, clear } = await start();
  console.error = () => {}; // Pyodide's own words at its end
  await answer(JSON.stringify(request)).then(clear).catch(() => ended.push(number));
  console.error = error;
}
console.log(JSON.stringify(ended));
node.exit(0);
