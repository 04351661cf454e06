/** The script of every page: wakes the labs, cells and quizzes above it. A classic script, before those of the theme. */
import { initCells } from "./cell.mjs";
import { Lab } from "./lab.mjs";
import { unfoldForPaper } from "./paper.mjs";
import { initQuiz } from "./quiz.mjs";

/* global ATLAS_EDITOR -- the file beside this one, by the build */
const runtime = globalThis.atlas?.runtime; // by begin.mjs, where there is anything to run
if (runtime) {
  for (const section of document.querySelectorAll("section.lab")) new Lab(section, runtime);
  unfoldForPaper();
  initCells(runtime, new URL(ATLAS_EDITOR, document.currentScript.src));
}
for (const form of document.querySelectorAll("form.quiz")) initQuiz(form);

// Where Python runs, the theme's own scripts wait in a template, and begin.mjs says how long; where it could not run, for nothing.
const theme = document.getElementById("theme");
if (theme) (globalThis.atlas?.theme ?? (() => document.body.append(theme.content)))();
