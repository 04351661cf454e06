/** The equations of a card as calculators: the ring's T = 2 (p − 1) (α + M / (p B)), solved for any of its symbols. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { card, open } from "./harness.mjs";

let run;
let page;
let ring; // the name of the ring's calculator in the page
before(async () => {
  run = await open();
  page = await run.page();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(run.url(card));
  ring = await page.$$eval("details.calculator", (all) => {
    const found = all.find((one) => one.querySelector("summary").textContent.includes("Ideal ring"));
    found.open = true;
    return found.querySelector(".lab").dataset.name;
  });
});
after(() => run.close());

const at = (selector) => `#lab-${ring} ${selector}`;
const settled = (condition, ...given) => page.waitForFunction(condition, {}, ...given);
const result = (name) =>
  page.$eval(at(`output[data-metric="${name}"]`), (output) => [Number(output.dataset.value), output.textContent]);

async function type(name, text) {
  await page.focus(at(`[name="${name}"]`));
  await page.$eval(at(`[name="${name}"]`), (field) => field.select());
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Wait for a result within a part in a million. */
async function gives(name, value) {
  await settled(
    (selector, wanted) => Math.abs(document.querySelector(selector)?.dataset.value / wanted - 1) < 1e-6,
    at(`output[data-metric="${name}"]`),
    value,
  );
}

test("as built: 32 ranks, 1 GB, 100 GB/s, 5 µs take 62 · 317.5 µs", async () => {
  assert.deepEqual(await result("T"), [0.019685, "19.685 ms"]);
});

test("an input that is typed gives the time that the formula gives", async () => {
  await type("p", "8");
  await gives("T", 14 * (5e-6 + 1e9 / (8 * 100e9)));
  await type("M", "64 MiB");
  await gives("T", 14 * (5e-6 + 64 * 2 ** 20 / (8 * 100e9)));
});

test("it is solved for another symbol, and says when the inputs contradict each other", async () => {
  await type("p", "32");
  await type("M", "1 GB");
  await type("T", "19.685 ms");
  for (const [symbol, value] of [["M", 1e9], ["B", 100e9], ["alpha", 5e-6]]) {
    await page.select(at('[name="solve_for"]'), symbol);
    await gives(symbol, value);
  }
  await page.select(at('[name="solve_for"]'), "B");
  await type("T", "1 us"); // shorter than the startups alone
  await settled((selector) => document.querySelector(selector)?.textContent.includes("B comes out negative"), at(".lab-verdict"));
});

test("its state is in the address; an equation never is", async () => {
  await page.$eval(at(".lab-reset"), (button) => button.click());
  await type("M", "2 GB");
  await settled((name) => location.hash.includes(`${name}.M=2+GB`), ring);
  assert.ok(!page.url().includes("equation"));
});
