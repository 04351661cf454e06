/**
 * The worker, one for all labs of a page. First comes {kind: "start", parts, lock}; then each message is the JSON text of a
 * request, answered by the JSON text of its reply. Objects from here speak of the worker itself: progress, ready, failed.
 */
import "./classic.mjs";
import { PartError } from "./bytes.mjs";
import { startPython } from "./python.mjs";

let answer;

self.onmessage = ({ data }) => {
  if (typeof data === "string") reply(data);
  else if (data.kind === "start") start(data);
};

async function start({ parts, lock }) {
  try {
    answer = await startPython(parts, lock, () => self.postMessage({ kind: "progress" }));
    self.postMessage({ kind: "ready" });
  } catch (error) {
    fail(error instanceof PartError ? error.message : `Python did not start: ${lastLine(error)}.`);
  }
}

function reply(text) {
  try {
    self.postMessage(answer(text));
  } catch (error) {
    // An exception in Python leaves Python alive; anything else has broken it.
    if (error.name !== "PythonError") fail(`Python has stopped: ${lastLine(error)}.`);
    else self.postMessage(refusal(text, `the lab's own code failed: ${lastLine(error)}`));
  }
}

function refusal(text, message) {
  const { id, lab } = JSON.parse(text);
  return JSON.stringify({ id, ok: false, lab, control: null, message });
}

function fail(message) {
  self.postMessage({ kind: "failed", message });
}

/** Return the sentence at the end of a traceback, and nothing of the frames above it. */
function lastLine(error) {
  return String(error?.message ?? error).trimEnd().split("\n").at(-1).replace(/\.$/, "");
}
