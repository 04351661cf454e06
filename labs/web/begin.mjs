/**
 * Stands in the head of every page with a lab or a code cell, as text: Python can start before the page is read to its end.
 * `globalThis.atlas` is there for people's own scripts too: what a page can ask of Python.
 */
import { linkedRequest } from "./fragment.mjs";
import { Runtime } from "./runtime.mjs";

/* global ATLAS_PARTS, ATLAS_LOCK -- put here by the build, so that a page never mixes with the parts of another build */
const folder = new URL(document.currentScript.dataset.parts, document.baseURI);
const runtime = new Runtime({ names: ATLAS_PARTS, lock: ATLAS_LOCK, folder });
globalThis.atlas = { runtime };
addEventListener("pagehide", () => runtime.leave());
addEventListener("pageshow", () => runtime.comeBack());

// A link to a lab's state is meant to be answered at once: Python has the question before the lab is there to ask it, and what is
// not on the screen is laid out after the answer.
const linked = linkedRequest(location.hash);
if (linked) {
  const page = document.documentElement;
  page.dataset.answering = "";
  runtime.foresee(linked).finally(() => delete page.dataset.answering);
}
