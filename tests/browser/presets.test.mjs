/** The ladder: presets and Reset answer from the build, at once and without Python; once live they are the same through Python. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { browserName, open } from "./harness.mjs";
import { DEFAULT, live, near, pause, press, PRESETS, ringTime, says, shows, stage, state, status, time, turnToPresets, type, unseen, value } from "./stage.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

const choose = (page, id) => press(page, `.lab [data-choose="${id}"]`);
const pressed = (page) => page.$$eval('.lab [aria-pressed="true"]', (buttons) => buttons.map((button) => button.dataset.choose));

/** Return the whole frame: unfolded once, so that its tables of numbers are there, and folded again. */
async function picture(page) {
  const fold = (open) => page.$$eval(".lab-frame .lab-numbers", (all, open) => all.forEach((numbers) => (numbers.open = open)), open);
  await fold(true);
  await page.waitForFunction(() => !document.querySelector(".lab-frame .lab-numbers:not(:has(table))"));
  await fold(false);
  return page.$eval(".lab-frame", (frame) => frame.innerHTML);
}

/** Before the page's scripts: a browser without WebAssembly, from whatever hides it. */
const withoutWebAssembly = () => {
  delete globalThis.WebAssembly;
};

async function violations(page) {
  await page.addStyleTag({ content: "* { transition: none !important; }" });
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** Choose a preset, and see in the very next moment that it has answered from the build. */
async function answersAtOnce(page, id) {
  const shown = await page.$eval(`.lab [data-choose="${id}"]`, (button) => {
    button.click();
    const lab = document.querySelector(".lab");
    return {
      time: Number(lab.querySelector('.lab-frame output[data-metric="time"]').dataset.value),
      status: lab.querySelector(".lab-status").textContent,
      state: lab.dataset.state,
    };
  });
  const expected = ringTime(PRESETS[id]);
  assert.ok(near(shown.time, expected), `${id}: expected ${expected}, found ${shown.time}`);
  assert.match(shown.status, /^From the build: Time /);
  assert.equal(shown.state, "static");
  assert.deepEqual(await pressed(page), [id]);
}

const scripts = (page) => page.evaluate(() => window.asked.filter((url) => /\/presets-[^/]+$/.test(url)));

/** Before the page's scripts: which other scripts they put in the page. */
const watchScripts = () => {
  window.asked = [];
  const { append } = HTMLHeadElement.prototype;
  HTMLHeadElement.prototype.append = function note(...nodes) {
    window.asked.push(...nodes.map((node) => node.src));
    append.apply(this, nodes);
  };
};

test("a page that is read asks for no presets; a reader who points at them, tabs to them or chooses one does, once", async () => {
  const signs = {
    pointing: (page) => page.hover(".lab-presets"),
    tabbing: (page) => page.focus('.lab [data-choose="small"]'),
    choosing: (page) => page.$eval('.lab [data-choose="small"]', (button) => button.click()),
    typing: async (page) => {
      await page.$eval('.lab input[name="payload"]', (field) => {
        field.value = "2 MB";
        field.dispatchEvent(new Event("change", { bubbles: true }));
      });
    },
  };
  for (const [sign, act] of Object.entries(signs)) {
    const page = await stage(run, { before: [unseen, watchScripts] });
    await pause(300);
    assert.deepEqual(await scripts(page), [], `before ${sign}`);
    await act(page);
    await page.waitForFunction(() => window.presetsCame === 1);
    assert.equal((await scripts(page)).length, 1, sign);
    assert.match((await scripts(page))[0], /\/assets\/lab\/presets-network\.[0-9a-f]{12}\.js$/);
    await choose(page, "node");
    await shows(page, PRESETS.node);
    await choose(page, "ethernet");
    await shows(page, PRESETS.ethernet);
    assert.equal((await scripts(page)).length, 1, `once, after ${sign}`);
    assert.equal(await state(page), "static");
    await page.close();
  }
});

test("once Python answers, presets are its business", async () => {
  const page = await stage(run, { before: [unseen, watchScripts] });
  await live(page);
  await page.hover(".lab-presets");
  await choose(page, "small");
  await says(page, "Live: ");
  await shows(page, PRESETS.small);
  assert.deepEqual(await scripts(page), []);
  await page.close();
});

test("a link to a preset's inputs and inputs kept from the last visit bring its frame", async () => {
  const linked = await stage(run, { hash: "#network.ranks=1024&network.payload=1+GB" });
  await shows(linked, PRESETS.thousand);
  await says(linked, "From the build: Time ");
  assert.deepEqual(await pressed(linked), ["thousand"]);
  await linked.waitForFunction(() => localStorage.getItem("parallelism-atlas.lab.network"));
  await linked.close();
  const kept = await stage(run, { fresh: false });
  await shows(kept, PRESETS.thousand);
  assert.equal(await state(kept), "static");
  await kept.close();
});

test("presets answer at once, set the controls, and start nothing", async () => {
  const page = await stage(run);
  await turnToPresets(page);
  await page.evaluate(() => {
    globalThis.Worker = globalThis.NativeWorker = class {
      constructor() {
        window.started = true;
      }
    };
  });
  for (const id of Object.keys(PRESETS)) await answersAtOnce(page, id);
  assert.deepEqual([await value(page, "ranks"), await value(page, "bandwidth")], ["16", "1.25 GB/s"]);
  assert.equal(await page.$eval('[data-control="ranks"] input[type=range]', (slider) => slider.getAttribute("aria-valuetext")), "16");
  await page.waitForFunction(() => location.hash.includes("network.ranks=16"));
  assert.deepEqual(await violations(page), []);

  await press(page, ".lab .lab-reset");
  assert.ok(near(await time(page), ringTime(DEFAULT)), "Reset, from the build");
  assert.deepEqual(await pressed(page), []);
  assert.equal(await state(page), "static");
  await page.waitForFunction(() => location.hash === "");
  assert.equal(await page.evaluate(() => window.started), undefined, "no worker was made");
  assert.equal(await page.$(".lab-built"), null, "the list has given way to the buttons");
  await page.close();
});

test("without WebAssembly presets work, and any other input says in words why not", async () => {
  const page = await stage(run, { before: [withoutWebAssembly] });
  await page.$eval(".lab", (lab) => lab.scrollIntoView());
  await turnToPresets(page);
  await answersAtOnce(page, "thousand");
  await type(page, "ranks", "24");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.lab[data-state="error"]');
  await says(page, "WebAssembly switched off");
  assert.equal(await page.$eval(".lab-retry", (button) => button.checkVisibility()), true);
  assert.ok(near(await time(page), ringTime(PRESETS.thousand)), "the last good frame stays");
  assert.deepEqual(await violations(page), []);

  await answersAtOnce(page, "crossover");
  assert.match(await status(page), /Live Python does not run\./);
  await press(page, ".lab .lab-reset");
  assert.ok(near(await time(page), ringTime(DEFAULT)));
  await type(page, "ranks", "24");
  await says(page, "WebAssembly switched off");
  await page.close();
});

test("the same where the browser itself has it switched off", { skip: browserName !== "firefox" && "a preference of Firefox" }, async () => {
  const off = await open({ preferences: { "javascript.options.wasm": false } });
  try {
    const page = await stage(off, { before: [] });
    assert.equal(await page.evaluate(() => typeof WebAssembly), "undefined");
    await turnToPresets(page);
    await answersAtOnce(page, "small");
    await type(page, "latency", "3 us");
    await says(page, "WebAssembly switched off");
  } finally {
    await off.close();
  }
});

test("the same in a Chromium that compiles nothing", { skip: browserName !== "chromium" && "a switch of Chromium" }, async () => {
  const off = await open({ args: ["--js-flags=--jitless"] });
  try {
    const page = await stage(off, { before: [] });
    assert.equal(await page.evaluate(() => typeof WebAssembly), "undefined");
    await turnToPresets(page);
    await answersAtOnce(page, "small");
    await type(page, "latency", "3 us");
    await says(page, "WebAssembly switched off");
  } finally {
    await off.close();
  }
});

test("a preset chosen while Python starts is there at once, and live when it has started", async () => {
  const page = await stage(run);
  await turnToPresets(page);
  await page.focus('.lab input[name="ranks"]');
  await page.$eval('.lab [data-choose="ethernet"]', (button) => button.click());
  assert.ok(near(await time(page), ringTime(PRESETS.ethernet)));
  await says(page, "Live: ");
  assert.ok(near(await time(page), ringTime(PRESETS.ethernet)));
  await page.close();
});

test("live, each preset is the picture that the build drew, and Python drew it", async () => {
  const page = await stage(run, { before: [unseen] });
  const built = {};
  for (const id of Object.keys(PRESETS)) {
    await choose(page, id);
    await shows(page, PRESETS[id]);
    built[id] = await picture(page);
  }
  await live(page);
  for (const id of Object.keys(PRESETS)) {
    await page.evaluate(() => document.querySelector(".lab-frame").replaceChildren()); // so that nothing old can pass
    await choose(page, id);
    await shows(page, PRESETS[id]);
    const exact = /data-value="[^"]*"/g; // these may differ in the last digit
    assert.equal((await picture(page)).replace(exact, ""), built[id].replace(exact, ""), id);
    assert.equal(await state(page), "live");
  }
  await press(page, ".lab .lab-reset");
  await says(page, "Live: Time 3.57 ms");
  await page.close();
});
