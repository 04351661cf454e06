/** The script of every page: wakes the labs and quizzes that stand in it. A classic script in the head, asynchronous. */
import { initCells } from "./cell.mjs";
import { Lab } from "./lab.mjs";
import { initQuiz } from "./quiz.mjs";
import { Runtime } from "./runtime.mjs";

/* global ATLAS_PARTS, ATLAS_LOCK, ATLAS_EDITOR -- put here by the build, so that a page never mixes with the parts of another build */
const here = new URL(document.currentScript.src);
const runtime = new Runtime({ names: ATLAS_PARTS, lock: ATLAS_LOCK, script: here });

// For people's own scripts: what the page can ask of Python.
globalThis.atlas = { runtime };

// A link to a lab's state is meant to be answered: begin before the page is read to its end. What goes wrong, the lab says.
if (/^#[\w-]+\.\w+=/.test(location.hash)) runtime.start().catch(() => {});

function wake() {
  for (const section of document.querySelectorAll("section.lab")) new Lab(section, runtime);
  initCells(runtime, new URL(ATLAS_EDITOR, here));
  for (const form of document.querySelectorAll("form.quiz")) initQuiz(form);
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", wake);
else wake();
