/**
 * How the page reaches the lab's parts. Over http the worker fetches them by itself. A page opened from disk can neither
 * fetch nor start a worker from a file, but it can run a classic script: each part is one that calls `atlasPart(name, text)`.
 */
import { fromBase64 } from "./bytes.mjs";
import { Failure } from "./failure.mjs";

const PAYLOADS = ["wasm", "stdlib", "labs"];

/**
 * Return a worker and what it needs to start.
 * @param {Record<string, {host: string, disk: string}>} names file names, beside the page's script
 * @param {URL} script the page's script
 * @returns {Promise<{worker: Worker, parts: Record<string, {url: string} | {text: string}>}>}
 */
export async function openParts(names, script) {
  return script.protocol === "file:" ? fromDisk(names, script) : fromHost(names, script);
}

function fromHost(names, script) {
  const url = (name) => new URL(names[name].host, script).href;
  return {
    worker: startWorker(url("worker")),
    parts: Object.fromEntries(PAYLOADS.map((name) => [name, { url: url(name) }])),
  };
}

async function fromDisk(names, script) {
  const texts = PAYLOADS.map((name) => runPart(name, new URL(names[name].disk, script)));
  // The worker reads its own code while the other scripts load.
  const worker = runPart("worker", new URL(names.worker.disk, script)).then(blobWorker);
  const parts = Promise.all(texts);
  parts.catch(() => worker.then((started) => started.terminate(), () => {}));
  const loaded = (await parts).map((text, i) => [PAYLOADS[i], { text }]);
  return { worker: await worker, parts: Object.fromEntries(loaded) };
}

async function blobWorker(text) {
  const unzipped = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const code = await new Response(unzipped).blob();
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = startWorker(url);
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

function startWorker(url) {
  // From disk the theme's search puts an iframe in Worker's place; docs/assets/javascripts/native-worker.js kept the real one.
  const Native = globalThis.NativeWorker ?? globalThis.Worker;
  try {
    return new Native(url);
  } catch (error) {
    throw new Failure(`The browser refuses to start a worker (${error.message}), and live Python needs one.`);
  }
}

const waiting = new Map();

globalThis.atlasPart = (name, text) => {
  waiting.get(name)?.(text);
  waiting.delete(name);
};

/** Run the script of one part and return the text that it hands over. */
function runPart(name, url) {
  const file = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(name, resolve);
    script.src = url.href;
    script.onload = () => {
      script.remove();
      // A script that was cut short has run too, as a syntax error; after a whole one this changes nothing.
      reject(new Failure(`A part of the lab (${name}, ${file}) is damaged or cut short.`));
    };
    script.onerror = () => {
      script.remove();
      reject(new Failure(`A part of the lab (${name}, ${file}) is missing beside this page.`));
    };
    document.head.append(script);
  });
}
