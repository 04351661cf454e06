/** The script of every page: wakes the labs and quizzes that stand in it. A classic script, deferred. */
import { Lab } from "./lab.mjs";
import { initQuiz } from "./quiz.mjs";
import { Runtime } from "./runtime.mjs";

/* global ATLAS_PARTS, ATLAS_LOCK -- put here by the build, so that a page never mixes with the parts of another build */
const runtime = new Runtime({ names: ATLAS_PARTS, lock: ATLAS_LOCK, script: new URL(document.currentScript.src) });

// For people's own scripts: what the page can ask of Python.
globalThis.atlas = { runtime };

for (const section of document.querySelectorAll("section.lab")) new Lab(section, runtime);
for (const form of document.querySelectorAll("form.quiz")) initQuiz(form);
