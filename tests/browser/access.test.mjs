/** axe-core finds nothing to mend on any kind of page, in the light and the dark scheme, wide and narrow, in any state of a lab. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { browserName, card, open, scheme } from "./harness.mjs";
import { PRESETS, shows } from "./stage.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

async function opened(path, colours, width) {
  return prepared(await run.page(), path, colours, width);
}

async function prepared(page, path, colours, width) {
  await page.setViewport({ width, height: 900 });
  await page.goto(run.url(path));
  // Colours that are still on their way from one scheme to the other would be measured.
  await page.addStyleTag({ content: "* { transition: none !important; }" });
  await page.evaluate((name) => document.body.setAttribute("data-md-color-scheme", name), colours);
  await page.evaluate(axe);
  return page;
}

async function violations(page) {
  const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

// What axe reads is the same in every browser and from anywhere: one combination takes all pages, the others one.
const all = browserName === "chromium" && scheme === "http";
const pages = all ? ["index.html", "cards.html", "labs.html", "model.html", "speed.html", "licences.html", "changelog.html", card, "cards/nccl.html"] : [card];
const looks = all ? [["default", 1280], ["slate", 1280], ["default", 380]] : [["slate", 380]];
const labs = ["network", "execution", "plans", "memory", "pipeline", "overlap", "calibrate", "engineering"];
const visits = [
  ...pages.flatMap((path) => looks.map((look) => [path, ...look])),
  ...(all ? labs : []).flatMap((lab) => [["slate", 1280], ["default", 380]].map((look) => [`labs/${lab}.html`, ...look])),
];
for (const [path, colours, width] of visits) {
  test(`${path}, ${colours}, ${width} wide`, async () => {
    const page = await opened(path, colours, width);
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
    await page.close();
  });
}

test("a lab, live and with a refused input", async () => {
  const page = await opened(card, "default", 1280);
  await page.focus('.lab input[name="ranks"]');
  await page.waitForSelector('.lab[data-state="live"]');
  assert.deepEqual(await violations(page), []);
  await page.$eval('.lab input[name="ranks"]', (input) => input.select());
  await page.keyboard.type("0");
  await page.waitForSelector('.lab input[aria-invalid="true"]');
  assert.deepEqual(await violations(page), []);
  await page.close();
});

for (const [scheme, width] of [["default", 1280], ["slate", 380]]) {
  test(`a lab that starts, with its folds open and a text to copy, ${scheme}, ${width} wide`, async () => {
    const page = await run.page();
    await page.evaluateOnNewDocument(() => {
      globalThis.Worker = class extends EventTarget {
        postMessage() {}
        terminate() {}
      };
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await prepared(page, card, scheme, width);
    await page.focus('.lab input[name="ranks"]');
    await page.waitForSelector('.lab[data-state="loading"]');
    await page.$eval('[data-choose="thousand"]', (button) => button.click());
    await shows(page, PRESETS.thousand);
    await page.$eval('[data-copy="numbers"]', (button) => button.click());
    await page.$$eval(".lab-frame details", (folds) => folds.forEach((fold) => (fold.open = true)));
    await page.focus(".lab-frame .lab-cursor");
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
    await page.close();
  });
}

test("a quiz, answered", async () => {
  const page = await opened(card, browserName === "firefox" ? "slate" : "default", 1280);
  await page.$eval(".quiz input[type=radio]", (input) => input.click());
  assert.deepEqual(await violations(page), []);
  await page.close();
});
