/** Every lab on a page of its own: found from the gallery, live, driven by keyboard, whole on a phone and on paper. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { browserName, open } from "./harness.mjs";

const LOGS = new URL("../data/nccl/", import.meta.url);

let run;
let page;
let labs; // id -> address
const errors = [];
before(async () => {
  run = await open();
  page = await run.page();
  await page.setViewport({ width: 1280, height: 900 });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(run.url("labs.html"));
  labs = new Map(await page.$$eval(".lab-gallery h2 a", (links) => links.map((link) => [link.closest("li").id, link.href])));
});
after(() => run.close());

const settled = (condition, ...given) => page.waitForFunction(condition, {}, ...given);
const status = () => page.$eval(".lab-status", (line) => line.textContent);
const live = () => settled(() => document.querySelector(".lab").dataset.state === "live");

async function visit(id) {
  await page.goto(labs.get(id));
  await page.waitForSelector(".lab[data-scripts]");
}

async function paste(name, text) {
  await page.$eval(`.lab textarea[name="${name}"]`, (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }, text);
}

test("the gallery leads to every lab, each with a picture and a sentence", async () => {
  assert.ok(labs.size >= 7, [...labs.keys()].join());
  const entries = await page.$$eval(".lab-gallery > li", (items) =>
    items.map((item) => [item.querySelectorAll("svg").length, item.querySelector("p").textContent.length]));
  for (const [pictures, length] of entries) assert.ok(pictures === 1 && length > 40);
});

test("each lab is live, and its first live frame is the built one", async () => {
  for (const id of labs.keys()) {
    await visit(id);
    const built = await page.$eval(".lab-frame", (frame) => frame.textContent);
    await page.focus(".lab-controls [name]");
    await live();
    await settled(() => /^Live: /.test(document.querySelector(".lab-status").textContent));
    assert.equal(await page.$eval(".lab-frame", (frame) => frame.textContent), built, id);
    const mark = await page.$eval(".lab-status", (line) => {
      const { backgroundColor, borderRadius } = getComputedStyle(line, "::before");
      return [backgroundColor, borderRadius];
    });
    assert.deepEqual(mark, ["rgb(29, 107, 63)", "50%"], `${id}: the mark of what is live, not of a failure`);
    assert.equal(await page.$$eval(".lab-frame .lab-new, .lab-changes", (all) => all.length), 0, id);
  }
  assert.deepEqual(errors, []);
});

test("each lab answers a key on each of its sliders and lists", async () => {
  for (const id of labs.keys()) {
    await visit(id);
    await page.$$eval(".lab details.lab-fold", (folds) => folds.forEach((fold) => (fold.open = true)));
    await page.focus(".lab-controls [name]");
    await live();
    const names = await page.$$eval(".lab [data-control]", (all) => all.map((control) => control.dataset.control));
    for (const name of names) {
      const slider = `.lab [data-control="${name}"] :is(input[type="range"], select)`;
      if (!(await page.$(slider))) continue;
      await page.focus(slider);
      const before = await page.$eval(`.lab [name="${name}"]`, (field) => field.value);
      await page.keyboard.press("ArrowDown");
      if ((await page.$eval(`.lab [name="${name}"]`, (field) => field.value)) === before) await page.keyboard.press("ArrowUp");
      await live();
      const shown = await page.$eval(`.lab [data-control="${name}"] .lab-error`, (line) => line.textContent);
      assert.ok(!shown.includes("own code"), `${id} ${name}: ${shown}`);
      await page.$eval(".lab-reset", (button) => button.click());
    }
    await live();
    assert.ok(!(await status()).includes("own code"), `${id}: ${await status()}`);
  }
  assert.deepEqual(errors, []);
});

test("no lab scrolls sideways on a phone, and each is its state and its inputs on paper", async () => {
  for (const id of labs.keys()) {
    await page.setViewport({ width: 375, height: 800 });
    await visit(id);
    await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
    const wide = await page.evaluate(() => {
      const past = [...document.querySelectorAll(".lab *")].filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 0 && right > innerWidth + 1 && !element.closest("svg, pre, textarea, .lab-presets, .lab-numbers, .lab-scrolled, .cm-editor, .lab-plot");
      });
      return [document.documentElement.scrollWidth <= innerWidth, past.slice(0, 3).map((element) => `${element.tagName}.${element.className}`)];
    });
    assert.deepEqual(wide, [true, []], id);
    await page.setViewport({ width: 1280, height: 900 });
    await page.emulateMediaType?.("print").catch(() => {}); // Firefox has no command for it
    assert.ok(await page.$eval(".lab-frame", (frame) => frame.checkVisibility()), id);
    assert.ok(await page.$eval(".lab-controls", (form) => form.checkVisibility()), id);
    await page.emulateMediaType?.(undefined).catch(() => {});
  }
});

test("on a phone the results in a line stay in view while the controls are, and not behind them", async () => {
  await page.setViewport({ width: 375, height: 700 });
  const seen = (selector) => page.evaluate((first) => {
    document.querySelector(first).scrollIntoView();
    const { top, bottom } = document.querySelector(".lab-status").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }, selector);
  for (const id of labs.keys()) {
    await visit(id);
    assert.ok(await seen(".lab-control"), `${id}: at the first control`);
    assert.ok(!(await seen(".lab-frame")), `${id}: at the results`);
    const hidden = await page.$$eval(".lab-controls :is(input, select, textarea):not([type=file])", (fields) => fields.filter((field) => {
      if (!field.checkVisibility()) return false;
      field.focus();
      field.scrollIntoView({ block: "nearest" });
      const line = document.querySelector(".lab-line").getBoundingClientRect();
      return field.getBoundingClientRect().bottom > line.top + 1 && field.getBoundingClientRect().top < line.bottom;
    }).map((field) => field.name || field.type));
    assert.deepEqual(hidden, [], `${id}: behind the line`);
  }
  await page.setViewport({ width: 1280, height: 900 });
});

test("no closed list cuts what it says, whatever is chosen", async () => {
  for (const id of labs.keys()) {
    await visit(id);
    for (const width of [1280, 375]) {
      await page.setViewport({ width, height: 900 });
      await page.$$eval(".lab details.lab-fold", (folds) => folds.forEach((fold) => (fold.open = true)));
      const cut = await page.$$eval(".lab select", (lists) => lists.map((list) => {
        const { width } = list.getBoundingClientRect();
        list.style.cssText = "flex: none; width: max-content; max-width: none"; // that of its longest words
        const needed = list.getBoundingClientRect().width;
        list.removeAttribute("style");
        return [list.name, Math.floor(needed - width)];
      }).filter(([, missing]) => missing > 0));
      assert.deepEqual(cut, [], `${id} at ${width} px`);
    }
  }
});

const paper = { skip: browserName === "firefox" && "puppeteer has no paper for it" };
test("on paper every input's value stands beside its name, and none has a frame", paper, async () => {
  for (const id of labs.keys()) {
    await visit(id);
    await page.focus(".lab [name]");
    await page.emulateMediaType("print");
    for (const width of [718, 1047]) { // A4 and its long side, less a centimetre all round
      await page.setViewport({ width, height: 900 });
      const faults = await page.$$eval('.lab-control :is(select, input[type="text"])', (fields) => fields.filter((field) => {
        const { outlineStyle, borderTopWidth } = getComputedStyle(field);
        return field.clientWidth < 40 || field.scrollWidth > field.clientWidth || outlineStyle !== "none" || borderTopWidth !== "0px";
      }).map((field) => `${field.name} ${field.value}`));
      assert.deepEqual(faults, [], `${id} at ${width} px`);
    }
    await page.emulateMediaType("screen");
  }
});

test("every log of nccl-tests that is pasted gives a verdict, or a refusal in plain words", async () => {
  await visit("calibrate");
  await page.focus('.lab textarea[name="log"]');
  await live();
  const names = (await readdir(LOGS)).filter((name) => name.endsWith(".txt"));
  assert.ok(names.length >= 10);
  for (const name of names) {
    await page.evaluate(() => (document.querySelector(".lab-status").textContent = ""));
    await paste("log", await readFile(new URL(name, LOGS), "utf8"));
    await settled(() => document.querySelector(".lab-status").textContent.length > 20);
    const said = await status();
    assert.ok(!said.includes("own code"), `${name}: ${said}`);
    const [sentences, refused] = await page.evaluate(() => [
      [...document.querySelectorAll(".lab-verdict li")].map((item) => item.textContent),
      document.querySelector('[data-control="log"] .lab-error').textContent,
    ]);
    assert.ok(refused || sentences.length, name);
  }
});

test("a log may be opened as a file; what was fitted leads to the ring lab", async () => {
  const file = join(tmpdir(), `atlas-log-${process.pid}.txt`);
  const log = await readFile(new URL("02.txt", LOGS), "utf8");
  await writeFile(file, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(log, "utf16le")]));
  await visit("calibrate");
  const opener = await page.$(".lab .lab-file input");
  await opener.uploadFile(file);
  await settled(() => document.querySelector('.lab textarea[name="log"]').value.includes("mpirun"));
  await settled(() => document.querySelector(".lab-verdict")?.textContent.includes("16 ranks"));
  const link = await page.$eval(".lab-verdict .lab-link", (link) => link.href);
  await page.goto(link);
  await settled(() => document.querySelector('.lab input[name="ranks"]')?.value === "16");
  assert.match(await page.$eval('.lab input[name="latency"]', (field) => field.value), /^4\.77\d* µs$/);
  await live();
});

test("the ring goes step by step, by itself too, and in the end every rank holds the sum", async () => {
  await visit("network");
  await page.focus('.lab [name="ranks"]');
  await live();
  const step = () => page.$eval('.lab [name="step"]', (field) => Number(field.value));
  const press = (what) => page.$eval(`.lab [data-play="${what}"]`, (button) => button.click());
  await press("next");
  await press("next");
  await press("back");
  assert.equal(await step(), 1);
  await settled(() => document.querySelector('[data-series="ring"] svg').textContent.includes("step 1 of 14"));
  await press("run");
  assert.equal(await page.$eval('.lab [data-play="run"]', (button) => button.textContent), "Pause");
  await settled(() => Number(document.querySelector('.lab [name="step"]').value) >= 3);
  await press("run");
  const stopped = await step();
  await new Promise((later) => setTimeout(later, 1200));
  assert.equal(await step(), stopped);
  await page.focus('.lab [data-control="step"] input[type="range"]');
  await page.keyboard.press("End");
  await settled(() => /^After 14 steps each of 8 ranks holds .* the numbers that adding the vectors directly gives/.test(document.querySelector(".lab-verdict")?.textContent ?? ""));
});

test("a card leads to a state of a lab", async () => {
  await page.goto(run.url("cards/parallelism-communication-budget.html"));
  const links = await page.$$eval(".lab-links a", (all) => all.map((link) => link.href));
  assert.ok(links.length >= 1);
  for (const link of links) {
    await page.goto("about:blank");
    await page.goto(link);
    const name = link.split("#")[1].replace(/^lab-/, "").split(".")[0];
    await page.focus(`#lab-${name} [name]`);
    await settled((id) => /^Live: /.test(document.getElementById(id).querySelector(".lab-status").textContent), `lab-${name}`);
  }
});
