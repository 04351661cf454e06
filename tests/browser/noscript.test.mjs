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

test("the quiz's answer folds out", async () => {
  const answer = "form.quiz .quiz-answer p";
  assert.equal(await page.$eval(answer, (paragraph) => paragraph.checkVisibility()), false);
  // A click crashes a Firefox that has scripts off, so there it is opened as a click would.
  if (browserName === "firefox") await page.$eval("form.quiz .quiz-answer", (details) => (details.open = true));
  else await page.click("form.quiz .quiz-answer summary");
  assert.equal(await page.$eval(answer, (paragraph) => paragraph.checkVisibility()), true);
});

test("the lab's code can be read, and a sentence says what scripts would do with it", async () => {
  await page.click("#cell-network > summary");
  const [source, live, note] = await page.$eval("#cell-network", (cell) => [
    cell.querySelector(".cell-source").checkVisibility(),
    cell.querySelector(".cell-live").checkVisibility(),
    cell.querySelector(".cell-note").textContent,
  ]);
  assert.deepEqual([source, live], [true, false]);
  assert.match(note, /With its script this page runs the code/);
});
