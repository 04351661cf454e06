/** Pyodide as its documentation shows it, with the labs' wheel unpacked into it. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

const starting = start();

async function start() {
  const wheel = fetch(new URL("labs.whl", import.meta.url));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  python.unpackArchive(await (await wheel).arrayBuffer(), "wheel");
  return python.pyimport("labs.answer").answer;
}

self.onmessage = async ({ data }) => {
  const answer = await starting;
  self.postMessage(await answer(data));
};
