/**
 * A lab with a runtime played by the test: slow, failing, stopped. The page's own script over the lab's own HTML, without
 * Python: what is asked and when, what is shown and in which order, and what is said.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { card, open, site } from "./harness.mjs";
import { pause, says, state, status, type, unseen, value } from "./stage.mjs";

const WEB = fileURLToPath(new URL("../../labs/web/", import.meta.url));

let run;
let html;
let script;
let page;
before(async () => {
  run = await open();
  const whole = await readFile(join(site, card), "utf8");
  html = whole.match(/<section class="lab"[^]*?<\/section>/)[0];
  const contents = 'export { Lab } from "./lab.mjs"; export { Failure, Stopped } from "./failure.mjs";';
  const bundled = await build({ stdin: { contents, resolveDir: WEB }, bundle: true, write: false, format: "iife", globalName: "own" });
  script = bundled.outputFiles[0].text;
});
after(() => run.close());

beforeEach(async () => {
  await page?.close();
  page = await run.page();
  await page.evaluateOnNewDocument(unseen);
  await page.goto("about:blank");
  await page.setContent(`<!doctype html><html lang="en"><title>lab</title><body>${html}</body></html>`);
  await page.evaluate(unseen);
  await page.addScriptTag({ content: script });
  await page.evaluate(() => {
    /** Answers after `delay` ms with a frame that names its inputs. */
    class Played extends EventTarget {
      asks = [];
      delay = 0;
      fails = null;
      starts = 0;
      async start() {
        this.starts += 1;
        await this.gate;
      }
      async ask({ inputs }) {
        this.asks.push(inputs.ranks);
        const failure = this.fails;
        await new Promise((later, broken) => {
          this.break = broken;
          setTimeout(later, this.delay);
        });
        if (failure) throw failure;
        if (inputs.ranks === "0") return { ok: false, control: "ranks", message: "expected ranks >= 1, found 0" };
        const read = Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, { value: Number.parseFloat(text), text }]));
        return { ok: true, inputs: read, html: `<output id="shown">${inputs.ranks}</output>`, summary: `Ranks ${inputs.ranks}.` };
      }
      tell(state) {
        this.dispatchEvent(new CustomEvent("state", { detail: state }));
      }
    }
    window.played = new Played();
    // The presets' script comes when the test says so: frames that name their preset, or nothing.
    window.scripts = [];
    HTMLHeadElement.prototype.append = (script) => window.scripts.push(script);
    window.deliver = (ids = ["node", "thousand", "small", "crossover", "ethernet"]) => {
      atlasPresets("network", Object.fromEntries(ids.map((id) => [id, `<output id="shown">${id}</output>`])));
      window.scripts.shift().onload();
    };
    window.seen = { shown: [], said: [], states: [] };
    const note = (list, value) => value !== undefined && list.at(-1) !== value && list.push(value);
    new MutationObserver(() => {
      note(window.seen.shown, document.querySelector("#shown")?.textContent);
      note(window.seen.said, document.querySelector(".lab-status").textContent);
      note(window.seen.states, document.querySelector(".lab").dataset.state);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    new own.Lab(document.querySelector(".lab"), window.played);
  });
});

async function goLive() {
  await page.focus('.lab input[name="ranks"]');
  await says(page, "Live: Ranks 8.");
  await page.evaluate(() => {
    window.played.asks = [];
    for (const list of Object.values(window.seen)) list.splice(0, list.length - 1); // what is there now is the first
  });
}

/** Drag the slider of the ranks through its stops, over and over, and end at the last one. Return what the field held in the end. */
const drag = (count, gap) =>
  page.$eval(
    '[data-control="ranks"] input[type=range]',
    async (slider, many, every) => {
      const field = document.querySelector('.lab input[name="ranks"]');
      for (let i = many - 1; i >= 0; i -= 1) {
        slider.value = Number(slider.max) - (i % (Number(slider.max) + 1));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const text = field.value;
        if (every) await new Promise((later) => setTimeout(later, every));
        if (field.value !== text) throw new Error(`a reply has changed the field from ${text} to ${field.value}`);
      }
      return field.value;
    },
    count,
    gap,
  );

const asked = () => page.evaluate(() => window.played.asks);
const seen = () => page.evaluate(() => window.seen);
const shows = (text) => page.waitForFunction((wanted) => document.querySelector("#shown")?.textContent === wanted, {}, text);

test("200 inputs in one go ask twice: the first, and the last", async () => {
  await goLive();
  await page.evaluate(() => (window.played.delay = 300));
  assert.equal(await drag(200, 0), "65536");
  await shows("65536");
  await says(page, "Live: Ranks 65536.");
  const asks = await asked();
  assert.equal(asks.length, 2, asks.join(" "));
  assert.equal(asks.at(-1), "65536");
  const { said, shown } = await seen();
  assert.equal(shown.at(-1), "65536");
  assert.equal(said.slice(1).filter((text) => text.startsWith("Live: ")).length, 1, `announced once, at rest: ${said.join(" | ")}`);
});

test("200 inputs over a second, against a slow answer: never a queue, never back in time", async () => {
  await goLive();
  await page.evaluate(() => (window.played.delay = 400));
  const began = Date.now();
  assert.equal(await drag(200, 5), "65536");
  const most = Math.ceil((Date.now() - began) / 400) + 2;
  await shows("65536");
  await says(page, "Live: Ranks 65536.");
  const asks = await asked();
  assert.ok(asks.length <= most, `expected at most ${most}, found ${asks.length}`);
  const { said, shown } = await seen();
  assert.deepEqual(shown.slice(1), asks.filter((text, i) => text !== asks[i - 1]), "in the order that they were asked");
  assert.equal(await value(page, "ranks"), "65536");
  assert.equal(await page.$eval('[data-control="ranks"] input[type=range]', (slider) => slider.value), "16");
  // Once at rest; a machine so busy that the drag itself stands still for half a second may hear of that rest too.
  const announced = said.slice(1).filter((text) => text.startsWith("Live: ")).length;
  assert.ok(announced >= 1 && announced <= Math.ceil((Date.now() - began) / 500), said.join(" | "));
});

test("a reply to an older input leaves field, slider and error of a newer one alone", async () => {
  await goLive();
  await page.evaluate(() => (window.played.delay = 500));
  await type(page, "ranks", "0");
  await page.keyboard.press("Enter"); // asked at once
  await type(page, "ranks", "31"); // waits behind it
  await page.keyboard.press("Enter");
  await shows("31");
  assert.equal(await value(page, "ranks"), "31");
  assert.equal(await page.$('.lab [aria-invalid="true"]'), null);
  assert.deepEqual(await asked(), ["0", "31"]);
  await says(page, "Live: Ranks 31.");
  assert.ok(!(await seen()).said.some((text) => text.includes("expected")), "the refusal of the older one is not said");
});

test("a long computation says so, and a cell that keeps Python says what to wait for", async () => {
  await goLive();
  await page.evaluate(() => (window.played.delay = 600));
  await type(page, "ranks", "16");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.lab[data-state="busy"]');
  assert.equal(await status(page), "Computing …");
  assert.equal(await page.$eval(".lab-frame", (frame) => frame.getAttribute("aria-busy")), "true");
  await says(page, "Live: Ranks 16.");
  await page.evaluate(() => window.played.tell("busy"));
  await type(page, "ranks", "32");
  await page.keyboard.press("Enter");
  await says(page, "Python runs the code of a cell");
  await says(page, "Live: Ranks 32.");
  assert.equal(await page.$eval(".lab-frame", (frame) => frame.getAttribute("aria-busy")), "false");
});

test("a Stop interrupts the lab, which comes back by itself with what the fields then hold", async () => {
  await goLive();
  await page.evaluate(() => (window.played.delay = 5000));
  await type(page, "ranks", "16");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.lab[data-state="busy"]');
  await page.evaluate(() => {
    window.played.break(new own.Stopped());
    window.played.tell("stopped");
    window.played.tell("starting");
  });
  await says(page, "Python was stopped and starts again");
  assert.equal(await state(page), "loading");
  await type(page, "ranks", "64");
  await page.evaluate(() => {
    window.played.delay = 0;
    window.played.tell("ready");
  });
  await says(page, "Live: Ranks 64.");
  await shows("64");
  assert.deepEqual(await asked(), ["16", "64"]);
});

test("a failure says why, keeps the last good frame, and Retry is enough", async () => {
  await goLive();
  await page.evaluate(() => (window.played.fails = new own.Failure("The worker has ended.")));
  await type(page, "ranks", "16");
  await page.waitForSelector('.lab[data-state="error"]');
  assert.equal(await status(page), "The worker has ended. The numbers below are the last good ones.");
  await shows("8");
  await type(page, "ranks", "64");
  await pause(400);
  assert.deepEqual(await asked(), ["16"], "nothing is asked of what has failed");
  await page.evaluate(() => (window.played.fails = null));
  await page.focus(".lab-retry");
  await page.keyboard.press("Enter");
  await says(page, "Live: Ranks 64.");
  assert.equal(await page.$eval(".lab-retry", (button) => button.hidden), true);
  assert.equal(await page.evaluate(() => document.activeElement.name), "ranks", "the keyboard has a place");
});

const choose = (id) => page.$eval(`.lab [data-choose="${id}"]`, (button) => button.click());
const deliver = (ids) => page.evaluate((given) => window.deliver(given ?? undefined), ids ?? null);

test("a preset whose frame is on its way says so, and shows when it has come", async () => {
  await choose("node");
  assert.deepEqual([await value(page, "bandwidth"), await state(page)], ["200 GB/s", "static"], "the fields have it at once");
  await says(page, "Fetching what the build has worked out for these inputs …");
  await deliver();
  await shows("node");
  assert.match(await status(page), /^From the build: Time 3\.5512 ms; /);
  assert.equal(await page.evaluate(() => window.played.starts), 0);
});

test("of two presets chosen while the frames are on their way the last is shown, and only that", async () => {
  await choose("node");
  await choose("small");
  assert.equal(await page.evaluate(() => window.scripts.length), 1, "asked for once");
  await deliver();
  await shows("small");
  await pause(200);
  assert.deepEqual((await seen()).shown, ["small"]);
});

test("frames that come after a Reset are not shown over it", async () => {
  await choose("node");
  await page.click(".lab-reset");
  await pause(200);
  assert.match(await status(page), /^From the build: Time 3\.57 ms/, "nothing is said of what is no longer wanted");
  await deliver();
  await pause(100);
  assert.deepEqual((await seen()).shown, []);
  assert.match(await status(page), /^From the build: Time 3\.57 ms/);
});

test("frames that come after Python has answered are not shown over its answer", async () => {
  await choose("node");
  await page.focus('.lab input[name="ranks"]');
  await says(page, "Live: Ranks 8.");
  await deliver();
  await pause(100);
  assert.deepEqual((await seen()).shown, ["8"]);
  assert.match(await status(page), /^Live: Ranks 8\./);
});

test("frames that do not come while Python starts: it is said, and Python's answer is awaited", async () => {
  await page.evaluate(() => {
    window.played.gate = new Promise((opened) => (window.opened = opened));
  });
  await choose("thousand");
  await page.focus('.lab input[name="ranks"]');
  await page.evaluate(() => window.scripts.shift().onerror());
  await says(page, "is missing beside this page. Starting Python in this page …");
  assert.equal(await state(page), "loading");
  await page.evaluate(() => window.opened());
  await says(page, "Live: Ranks 1024.");
  assert.equal(await page.evaluate(() => window.played.starts), 1);
});

test("a script that lacks a preset counts as damaged, and Python answers for it", async () => {
  await choose("thousand");
  await deliver(["node"]);
  await says(page, "Live: Ranks 1024.");
  assert.ok((await seen()).said.some((text) => text.includes("is damaged or cut short. Starting Python")));
});

test("frames that do not come after Python has failed: both are said", async () => {
  await goLive();
  await page.evaluate(() => window.played.tell("failed"));
  await choose("thousand");
  await page.evaluate(() => window.scripts.shift().onerror());
  await says(page, "is missing beside this page. Python has stopped.");
  assert.equal(await state(page), "error");
  await shows("8");
});

test("Python that dies while the lab rests is told of, and when it is back the lab lives on", async () => {
  await goLive();
  await page.evaluate(() => window.played.tell("failed"));
  await page.waitForSelector('.lab[data-state="error"]');
  await says(page, "Python has stopped.");
  assert.equal(await page.$eval(".lab-retry", (button) => button.hidden), false);
  await page.evaluate(() => window.played.tell("ready"));
  await says(page, "Live: Ranks 8.");
  assert.equal(await state(page), "live");
});

test("a start is one start, and asks once", async () => {
  await page.evaluate(() => {
    window.played.gate = new Promise((opened) => (window.opened = opened));
  });
  await page.focus('.lab input[name="ranks"]');
  assert.equal(await state(page), "loading");
  await drag(40, 0);
  await page.evaluate(() => {
    window.played.tell("ready"); // the event comes before the promise
    window.opened();
  });
  await says(page, "Live: Ranks 65536.");
  assert.deepEqual(await asked(), ["65536"]);
  assert.equal(await page.evaluate(() => window.played.starts), 1);
});

test("sliders by key: arrows by one stop, Page Up and Page Down by three, Home and End to the ends", async () => {
  await goLive();
  await page.focus('[data-control="ranks"] input[type=range]');
  const steps = [["ArrowRight", "16"], ["PageUp", "128"], ["PageDown", "16"], ["ArrowLeft", "8"], ["End", "65536"], ["PageUp", "65536"], ["Home", "1"], ["PageDown", "1"]];
  for (const [key, text] of steps) {
    await page.keyboard.press(key);
    assert.equal(await value(page, "ranks"), text, key);
    assert.equal(await page.$eval('[data-control="ranks"] input[type=range]', (slider) => slider.getAttribute("aria-valuetext")), text);
  }
  await says(page, "Live: Ranks 1.");
});

test("a browser without storage, as here, costs nothing but the memory, and that is said", async () => {
  await goLive();
  await type(page, "ranks", "16");
  await says(page, "Live: Ranks 16.");
  const refused = await page.evaluate(() => {
    try {
      return !localStorage;
    } catch {
      return true;
    }
  });
  if (refused) await says(page, "not kept for your next visit");
});
