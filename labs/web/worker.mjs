/**
 * The worker, one for all labs of a page. It is small, so that it is there at once and opens the large parts side by side;
 * the part "python" is Pyodide itself.
 *
 * From the page: {kind: "start", lock}, {kind: "part", name, part} for each {kind: "need", name} from here, then the JSON text of requests, each answered by the JSON
 * text of its reply. To the page also: progress, ready, failed, kept (a part for the next worker), and output
 * of a reader's code.
 */
import { PartError } from "./bytes.mjs";
import { Supply } from "./supply.mjs";

const PULSE = 250; // ms between two signs of progress

const supply = new Supply((name) => self.postMessage({ kind: "need", name }), progress);
let python;
let lastPulse = 0;

self.onmessage = ({ data }) => {
  if (typeof data === "string") reply(data);
  else if (data.kind === "part") supply.deliver(data.name, data.part);
  else if (data.kind === "start") start(data.lock);
  else if (data.kind === "ping") self.postMessage({ kind: "pong" });
};

function progress() {
  if (performance.now() - lastPulse < PULSE) return;
  lastPulse = performance.now();
  self.postMessage({ kind: "progress" });
}

async function start(lock) {
  for (const opening of [supply.module("wasm"), supply.bytes("memory")]) opening.catch(() => {}); // side by side
  try {
    await supply.script("python"); // defines self.atlasPython
    python = await self.atlasPython.startPython({ supply, lock, progress });
    self.postMessage({ kind: "ready", how: python.how });
  } catch (error) {
    fail(error instanceof PartError ? error.message : `Python did not start: ${lastLine(error)}.`);
    return;
  }
  // For the next start, after a Stop: nothing is unzipped or compiled twice.
  for (const [name, part] of supply.kept()) self.postMessage({ kind: "kept", name, part });
}

async function reply(text) {
  try {
    self.postMessage(await python.answer(text, (id, stream, text) => self.postMessage({ kind: "output", id, stream, text })));
  } catch (error) {
    // An exception in Python leaves Python alive; anything else has broken it.
    if (error instanceof PartError) self.postMessage(refusal(text, error.message));
    else if (error.name !== "PythonError") fail(`Python has stopped: ${lastLine(error)}.`);
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
