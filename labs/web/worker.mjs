/**
 * The worker, one for all labs of a page. It is small, so that it is there at once and opens the large parts side by side;
 * the part "python" is Pyodide itself.
 *
 * Its name is its task, as JSON: {lock, engine, coming, parts, agent} to start Python, where `engine` is the part that runs it, `coming`
 * names what arrives unasked, `parts` says where some of it is, and `agent` is the browser's name for itself; without a lock it only
 * compiles an engine, for the worker that starts Python.
 *
 * From the page: {kind: "part", name, part}, unasked or for a {kind: "need", name} from here; then the JSON text of requests, each
 * answered by the JSON text of its reply. To the page also: progress, ready, failed, short (the quick engine lacks what a request
 * calls), kept (a part for the next worker), and output of a reader's code.
 */
import { PartError } from "./bytes.mjs";
import { QUICK } from "./engines.mjs";
import { Supply } from "./supply.mjs";

const PULSE = 250; // ms between two signs of progress

const supply = new Supply((name) => self.postMessage({ kind: "need", name }), progress);
let python; // promise of it
let lastPulse = 0;
let report = () => self.postMessage({ kind: "progress" });

self.onmessage = ({ data }) => {
  if (typeof data === "string") reply(data);
  else if (data.kind === "part") supply.deliver(data.name, data.part);
  else if (data.kind === "hand") hand(data);
  else if (data.kind === "ping") self.postMessage({ kind: "pong" });
};

const { lock, engine, coming = [], parts, agent } = JSON.parse(self.name);
// Pyodide asks for it again and again, and each time Firefox would let the worker wait until the page is idle.
Object.defineProperty(self.navigator, "userAgent", { value: agent });
supply.expect(coming);
for (const [name, part] of Object.entries(parts)) {
  supply.expect([name]);
  supply.deliver(name, part);
  supply.open(name);
}
if (lock) python = start();

function progress() {
  if (performance.now() - lastPulse < PULSE) return;
  lastPulse = performance.now();
  report();
}

async function start() {
  for (const name of coming) supply.open(name); // side by side
  try {
    await supply.script("python"); // defines self.atlasPython
    const started = await self.atlasPython.startPython({ supply, lock, engine, progress, broken });
    self.postMessage({ kind: "ready", how: started.how, engine: started.engine });
    setTimeout(keep, PULSE); // not before the first answer
    return started;
  } catch (error) {
    fail(error instanceof PartError ? error.message : `Python did not start: ${lastLine(error)}.`);
    return undefined;
  }
}

/** For the next start, after a Stop: nothing is unzipped or compiled twice. */
function keep() {
  for (const [name, part] of supply.kept()) self.postMessage({ kind: "kept", name, part });
}

/** The whole work of a second worker: compile an engine for the first one, which has its hands full meanwhile. */
async function hand({ name, part, port }) {
  report = () => port.postMessage({});
  supply.expect([name]);
  supply.deliver(name, part);
  try {
    port.postMessage({ module: await supply.module(name) });
  } catch (error) {
    port.postMessage({ error: error.message });
  }
}

async function reply(text) {
  const started = await python; // a request may come before Python is there
  if (!started) return;
  try {
    self.postMessage(await started.answer(text, (id, stream, text) => self.postMessage({ kind: "output", id, stream, text })));
  } catch (error) {
    // An exception in Python leaves Python alive; anything else has broken it.
    if (error instanceof PartError) self.postMessage(refusal(text, error.message));
    else if (error.name !== "PythonError") broken(error, started.engine);
    else self.postMessage(refusal(text, `the lab's own code failed: ${lastLine(error)}`));
  }
}

function broken(error, engine) {
  if (engine === QUICK) self.postMessage({ kind: "short" });
  else fail(`Python has stopped: ${lastLine(error)}.`);
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
