/**
 * Answer cases with the site's wheel in Pyodide, in Node:  node pyodide_in_node.mjs PYODIDE_FOLDER WHEEL CASES
 * Prints what differs from the replies that stand in the cases, a line each, and how many cases there were.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

import { differences } from "./same.mjs";

const [folder, wheel, cases] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.unpackArchive(new Uint8Array(await readFile(wheel)), "wheel");
const { answer } = python.pyimport("labs.answer");
const all = JSON.parse(await readFile(cases, "utf8"));
for (const { request, reply } of all) {
  const { frame, message } = JSON.parse(answer(JSON.stringify(request)));
  const found = differences(reply.frame ?? reply.message, frame ?? message, `${request.lab} ${request.id}`);
  for (const line of found) console.log(line);
}
console.log(`${all.length} cases`);
process.exit(0);
