/** A quiz by keyboard: an answer to each choice at once, in words that a screen reader announces. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { card, open } from "./harness.mjs";

let run;
let page;
before(async () => {
  run = await open();
  page = await run.page();
  await page.goto(run.url(card));
});
after(() => run.close());

const read = () =>
  page.$eval("form.quiz", (form) => ({
    feedback: form.querySelector(".quiz-feedback").textContent,
    marks: [...form.querySelectorAll("label.quiz-option")].map((label) => [
      label.dataset.result ?? "",
      label.querySelector(".quiz-mark")?.textContent.trim() ?? "",
    ]),
  }));

test("each choice is answered at once, and only the chosen option is marked", async () => {
  const [answer, count] = await page.$eval("form.quiz", (form) => [
    Number(form.dataset.answer),
    form.querySelectorAll("input[type=radio]").length,
  ]);
  assert.ok(count >= 2 && answer < count, `${count} options, answer ${answer}`);
  assert.equal((await read()).feedback, "");

  await page.focus("form.quiz input[type=radio]");
  await page.keyboard.press(" ");
  for (let choice = 0; choice < count; choice += 1) {
    if (choice) await page.keyboard.press("ArrowDown");
    const right = choice === answer;
    const { feedback, marks } = await read();
    assert.match(feedback, right ? /^Correct\. \S/ : /^Not quite: try again, or open the answer\.$/);
    const expected = marks.map((_, i) => (i !== choice ? ["", ""] : right ? ["right", "✓"] : ["wrong", "✗"]));
    assert.deepEqual(marks, expected);
  }
});

test("the right answer comes with its reasoning, as text", async () => {
  const answer = await page.$eval("form.quiz", (form) => form.dataset.answer);
  await page.evaluate((value) => document.querySelector(`form.quiz input[value="${value}"]`).click(), answer);
  const [feedback, reasoning] = await page.$eval("form.quiz", (form) => [
    form.querySelector(".quiz-feedback"),
    [...form.querySelectorAll(".quiz-answer p")].at(-1).textContent.trim(),
  ].map((found) => found.textContent ?? found));
  assert.ok(reasoning.length > 10 && feedback.endsWith(reasoning), feedback);
});

test("it is announced, and by name", async () => {
  const roles = await page.$eval("form.quiz", (form) => [
    form.querySelector(".quiz-feedback").getAttribute("role"),
    form.querySelector("fieldset > legend").textContent.trim().length > 0,
  ]);
  assert.deepEqual(roles, ["status", true]);
});

test("Enter in a quiz leaves the page where it is", async () => {
  const before = page.url();
  await page.focus("form.quiz input[type=radio]");
  await page.keyboard.press("Enter");
  assert.equal(page.url(), before);
  assert.ok(await page.$("form.quiz"));
});
