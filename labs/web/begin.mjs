/**
 * Stands in the head of every page with a lab or a code cell, as text: Python can start before the page is read to its end.
 * `globalThis.atlas` is there for people's own scripts too: what a page can ask of Python.
 */
import { linkedRequest } from "./fragment.mjs";
import { Runtime } from "./runtime.mjs";

/* global ATLAS_PARTS, ATLAS_WORKER, ATLAS_LOCK -- put here by the build, so that a page never mixes with the parts of another build */
const PATIENCE = 1500; // ms that the theme's scripts wait for a lab
const folder = new URL(document.currentScript.dataset.parts, document.baseURI);
const runtime = new Runtime({ names: ATLAS_PARTS, folder, worker: ATLAS_WORKER, lock: ATLAS_LOCK });
globalThis.atlas = { runtime, theme };
addEventListener("pagehide", () => runtime.leave());
addEventListener("pageshow", () => runtime.comeBack());

// A link to a lab's state is meant to be answered at once: Python has the question before the lab is there to ask it, and what is
// not on the screen is laid out after the answer.
const linked = linkedRequest(location.hash);
let answered;
let acted;
if (linked) {
  const page = document.documentElement;
  page.dataset.answering = "";
  answered = runtime.foresee(linked).finally(() => delete page.dataset.answering);
  acted = new Promise((resolve) => {
    for (const type of ["pointerdown", "keydown", "focusin"]) addEventListener(type, resolve, { once: true });
  });
}

/** Run the theme's scripts, which keep the page busy: at once, or where a lab is about to answer, after it or when somebody acts. */
async function theme() {
  const { content } = document.getElementById("theme");
  if (answered) {
    await Promise.race([answered, acted, pause(PATIENCE)]);
    await pause(0); // the answer is on its way to the screen
  }
  document.body.append(document.importNode(content, true));
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
