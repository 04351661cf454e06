/** The script of every page: wakes the labs, cells and quizzes that stand in it. A classic script, asynchronous. */
import { initCells } from "./cell.mjs";
import { Lab } from "./lab.mjs";
import { initQuiz } from "./quiz.mjs";

/* global ATLAS_EDITOR -- the file beside this one, by the build */
const here = document.currentScript.src;

function wake() {
  const runtime = globalThis.atlas?.runtime; // by begin.mjs, where there is anything to run
  if (runtime) {
    for (const section of document.querySelectorAll("section.lab")) new Lab(section, runtime);
    initCells(runtime, new URL(ATLAS_EDITOR, here));
  }
  for (const form of document.querySelectorAll("form.quiz")) initQuiz(form);
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", wake);
else wake();
