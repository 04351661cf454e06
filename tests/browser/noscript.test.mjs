/** Without scripts a page is whole: the lab's first frame, and the quiz's answer to fold out. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browserName, card, open } from "./harness.mjs";

let run;
let page;
before(async () => {
  // Firefox has no command for it, only a preference.
  run = await open({ preferences: { "javascript.enabled": false } });
  page = await run.page();
  if (browserName !== "firefox") await page.setJavaScriptEnabled(false);
  await page.goto(run.url(card));
});
after(() => run.close());

/** A click crashes a Firefox that has scripts off, so there a fold is opened as a click would. */
async function unfold(details) {
  if (browserName === "firefox") await page.$eval(details, (fold) => void (fold.open = true));
  else await page.click(`${details} > summary`);
}

test("scripts are off indeed: nothing has enabled the controls", async () => {
  assert.equal(await page.$eval(".lab input[name]", (input) => input.disabled), true);
  assert.equal(await page.$eval(".lab", (lab) => lab.dataset.state), "static");
});

test("the first frame is there: 8 ranks, 100 MB, 50 GB/s, 5 µs take 3.57 ms", async () => {
  const { text, value, visible } = await page.$eval('.lab output[data-metric="time"]', (output) => ({
    text: output.textContent,
    value: Number(output.dataset.value),
    visible: output.checkVisibility(),
  }));
  assert.ok(visible);
  assert.equal(text, "3.57 ms"); // 14 (5 µs + 100 MB / (8 × 50 GB/s)) = 14 × 255 µs
  assert.ok(Math.abs(value - 0.00357) < 1e-15);
});

test("each preset is listed with its reason, its inputs and what it comes to", async () => {
  const listed = await page.$eval(".lab-built", (list) =>
    [...list.children]
      .filter((preset) => preset.checkVisibility())
      .map((preset) => [...preset.children].map((line) => line.textContent)),
  );
  assert.equal(listed.length, 5);
  assert.ok(listed.every((lines) => lines.length === 4 && lines.every((line) => line.length > 8)));
  // 2,046 steps of 5 µs, and 2 · 1023 / 1024 · 1 GB / 50 GB/s = 39.9609375 ms
  const thousand = listed.find(([label]) => label === "1,024 ranks, 1 GB");
  assert.equal(thousand[2], "Ranks 1024; payload 1 GB; effective bandwidth 50 GB/s; startup 5 µs.");
  assert.equal(thousand[3], "Time 50.191 ms; Latency term 10.23 ms; Bandwidth term 39.961 ms.");
});

test("the first frame has its charts and their numbers", async () => {
  const [charts, rows] = await page.$eval(".lab-frame", (frame) => [
    [...frame.querySelectorAll(".lab-plot svg")].filter((svg) => svg.checkVisibility()).length,
    frame.querySelectorAll(".lab-points tbody tr").length,
  ]);
  assert.equal(charts, 4);
  assert.ok(rows > 40);
});

test("all numbers are there as CSV to select", async () => {
  const csv = await page.$eval(".lab-frame .lab-csv pre", (place) => place.textContent);
  assert.match(csv, /^Ring all-reduce\nRanks \[1\],Payload \[byte\],/);
});

test("nothing that needs a script asks to be pressed", async () => {
  const shown = await page.$eval(".lab", (lab) =>
    [...lab.querySelectorAll("button, input")]
      .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled)
      .map((node) => node.outerHTML)
      .join(),
  );
  assert.equal(shown, "");
});

test("the quiz's answer folds out", async () => {
  const answer = "form.quiz .quiz-answer p";
  assert.equal(await page.$eval(answer, (paragraph) => paragraph.checkVisibility()), false);
  await unfold("form.quiz .quiz-answer");
  assert.equal(await page.$eval(answer, (paragraph) => paragraph.checkVisibility()), true);
});

test("the lab's code can be read, and a sentence says what scripts would do with it", async () => {
  await unfold("#cell-network");
  const [source, live, note] = await page.$eval("#cell-network", (cell) => [
    cell.querySelector(".cell-source").checkVisibility(),
    cell.querySelector(".cell-live").checkVisibility(),
    cell.querySelector(".cell-note").textContent,
  ]);
  assert.deepEqual([source, live], [true, false]);
  assert.match(note, /With its script this page runs the code/);
});

test("each lab is its first frame as results, a picture and a table", async () => {
  for (const lab of ["network", "execution", "plans", "memory", "pipeline", "overlap", "calibrate", "engineering"]) {
    await page.goto(run.url(`labs/${lab}.html`));
    const [results, pictures, tables] = await page.$eval(".lab-frame", (frame) =>
      [frame.querySelectorAll("output").length, [...frame.querySelectorAll(".lab-plot svg")].filter((one) => one.checkVisibility()).length, frame.querySelectorAll("table").length]);
    assert.ok(results >= 1 && pictures >= 1 && tables >= 1, `${lab}: ${[results, pictures, tables]}`);
  }
});
