/** Pyodide as its documentation shows it, with the labs' wheel unpacked into it. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

async function start() {
  const wheel = fetch(new URL("labs.whl", import.meta.url));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  python.unpackArchive(await (await wheel).arrayBuffer(), "wheel");
  const { answer } = python.pyimport("labs.answer");
  self.postMessage({ kind: "ready" });
  return answer;
}

const starting = start();

self.onmessage = async ({ data }) => {
  const answer = await starting;
  self.postMessage(await answer(data));
};
