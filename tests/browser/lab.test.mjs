/**
 * The ring lab on its page: real Python, driven by keyboard. Expected times are the closed form 2 (p − 1) (α + M / (p B)).
 * One page for all, since a start of Python takes seconds: each test sets what it needs.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { card, open } from "./harness.mjs";

const ringTime = ({ p, M, B, α }) => 2 * (p - 1) * (α + M / (p * B));
const DEFAULT = { p: 8, M: 100e6, B: 50e9, α: 5e-6 };
const TEXTS = { ranks: "8", payload: "100 MB", bandwidth: "50 GB/s", latency: "5 µs" };

let run;
let page;
before(async () => {
  run = await open();
  page = await run.page();
  await page.evaluateOnNewDocument(() => {
    // What a person sees and hears over time, from the first moment.
    window.seen = { states: [], said: [] };
    const note = (list, value) => value !== undefined && list.at(-1) !== value && list.push(value);
    new MutationObserver(() => {
      const lab = document.querySelector("section.lab");
      note(window.seen.states, lab?.dataset.state);
      note(window.seen.said, lab?.querySelector(".lab-status")?.textContent);
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
});
after(() => run.close());

const field = (name) => `.lab input[name="${name}"]`;
const slider = (name) => `.lab [data-control="${name}"] input[type="range"]`;
const error = (name) => `.lab [data-control="${name}"] .lab-error`;
const value = (name) => page.$eval(field(name), (input) => input.value);
const time = () => page.$eval('.lab output[data-metric="time"]', (output) => Number(output.dataset.value));
const mended = () => page.waitForFunction(() => !document.querySelector('.lab [aria-invalid="true"]'));
const pause = (ms) => new Promise((later) => setTimeout(later, ms));

async function type(name, text) {
  await page.focus(field(name));
  await page.$eval(field(name), (input) => input.select());
  await page.keyboard.type(text);
}

async function typeAll(texts) {
  for (const [name, text] of Object.entries({ ...TEXTS, ...texts })) await type(name, text);
}

/** Wait for a time in seconds, to 1e-12 of it; say what came instead. */
async function showsTime(expected) {
  try {
    await page.waitForFunction(
      (wanted) => {
        const shown = document.querySelector('.lab output[data-metric="time"]')?.dataset.value;
        return shown !== "" && Math.abs(Number(shown) - wanted) <= 1e-12 * Math.abs(wanted);
      },
      {},
      expected,
    );
  } catch {
    const status = await page.$eval(".lab-status", (line) => line.textContent);
    assert.fail(`expected a time of ${expected} s, found ${await time()}; status: ${status}`);
  }
}

const hears = (sentence) =>
  page.waitForFunction((text) => document.querySelector(".lab-status").textContent.includes(text), {}, sentence);

test("the lab is whole as built, and goes live at the first touch", async () => {
  await page.goto(run.url(card));
  assert.ok(Number.isFinite(await time()), "the first frame is in the page");
  assert.equal(await page.$eval(field("ranks"), (input) => input.disabled), false);
  await page.focus(field("ranks"));
  await page.waitForSelector('.lab[data-state="live"]');
  const { states } = await page.evaluate(() => window.seen);
  assert.deepEqual(states.slice(0, 2), ["static", "loading"]);
  assert.equal(states.at(-1), "live");
});

test("32 ranks, 1 GB, 100 GB/s, 5 µs take 19.685 ms, and Enter leaves the page where it is", async () => {
  await typeAll({ ranks: "32", payload: "1 GB", bandwidth: "100 GB/s", latency: "5 µs" });
  await page.keyboard.press("Enter");
  await showsTime(0.019685);
  const output = await page.$('.lab output[data-metric="time"]');
  assert.equal(await output.evaluate((node) => node.textContent), "19.685 ms");
  assert.equal(await output.evaluate((node) => node.dataset.unit), "s");
  assert.equal((await page.evaluate(() => window.seen.states)).filter((state) => state === "static").length, 1);
});

test("any input is computed, not looked up: an odd one, in other units", async () => {
  await typeAll({ ranks: "7", payload: "1234567.5 KiB", bandwidth: "313 Gb/s", latency: "1.7us" });
  await showsTime(ringTime({ p: 7, M: 1234567.5 * 1024, B: 313e9 / 8, α: 1.7e-6 }));
});

test("one rank takes no time; no rank is refused beside the control, and the last good frame stays", async () => {
  await typeAll({ ranks: "1" });
  await showsTime(0);
  // The other fields were typed after the ranks: wait until all of them are computed, and kept.
  await page.waitForFunction(() => location.hash === "#network.ranks=1&network.payload=100+MB&network.bandwidth=50+GB%2Fs&network.latency=5+%C2%B5s&network.step=0&network.compare=off");
  const shown = await page.$eval(".lab-frame", (frame) => frame.textContent);

  await type("ranks", "0");
  await page.waitForSelector('.lab [aria-invalid="true"]');
  const said = await page.$eval(error("ranks"), (node) => [node.textContent, node.hidden]);
  assert.deepEqual(said, ["expected ranks >= 1, found 0", false]);
  assert.equal(await page.$eval(field("ranks"), (input) => input.getAttribute("aria-invalid")), "true");
  assert.equal(await page.$eval(".lab-frame", (frame) => frame.textContent), shown);
  await hears("Ranks: expected ranks >= 1, found 0");

  await type("ranks", "2");
  await mended();
  assert.equal(await page.$eval(error("ranks"), (node) => node.hidden), true);
});

test("arrow keys on a slider go from stop to stop and fill the field", async () => {
  await typeAll({ ranks: "16" });
  await showsTime(ringTime({ ...DEFAULT, p: 16 }));
  const stops = await page.$eval(slider("ranks"), (input) => JSON.parse(input.dataset.stops));
  const next = stops[stops.findIndex(([stop]) => stop === 16) + 1];
  await page.focus(slider("ranks"));
  await page.keyboard.press("ArrowRight");
  assert.equal(await value("ranks"), next[1]);
  assert.equal(await page.$eval(slider("ranks"), (input) => input.getAttribute("aria-valuetext")), next[1]);
  await showsTime(ringTime({ ...DEFAULT, p: next[0] }));
});

test("a typed value moves the slider to the nearest stop", async () => {
  await typeAll({ ranks: "250" });
  await showsTime(ringTime({ ...DEFAULT, p: 250 }));
  await page.waitForFunction(
    (query) => {
      const input = document.querySelector(query);
      return JSON.parse(input.dataset.stops)[input.valueAsNumber][0] === 256;
    },
    {},
    slider("ranks"),
  );
});

test("a drag ends at the newest value, and is announced once", async () => {
  await typeAll({});
  await hears("Live: Time 3.57 ms");
  const [last, before] = await page.$eval(slider("ranks"), (input) => {
    const count = window.seen.said.length;
    const stops = JSON.parse(input.dataset.stops);
    for (let round = 0; round < 4; round += 1) {
      for (let stop = 0; stop < stops.length; stop += 1) {
        input.value = stop;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    return [stops.at(-1)[0], count];
  });
  const expected = ringTime({ ...DEFAULT, p: last });
  await showsTime(expected);
  await pause(1500);
  await showsTime(expected); // nothing older came after it
  const said = (await page.evaluate(() => window.seen.said)).slice(before);
  assert.equal(said.filter((text) => text.startsWith("Live:")).length, 1, said.join(" | "));
});

test("another fragment is another input; a heading's anchor is none, and stays", async () => {
  const goTo = (hash) => page.evaluate((to) => (location.hash = to), hash);
  await goTo("network.ranks=4");
  await showsTime(ringTime({ ...DEFAULT, p: 4 }));
  await goTo("some-heading");
  await pause(1000);
  assert.equal(await value("ranks"), "4");
  assert.equal(await page.evaluate(() => location.hash), "#some-heading");
});

test("the inputs live in the fragment: a reload computes them again, untouched", async () => {
  await typeAll({ ranks: "96", latency: "3 µs" });
  await page.waitForFunction(() => /ranks=96.*latency=3/.test(location.hash));
  await page.reload();
  assert.deepEqual([await value("ranks"), await value("latency")], ["96", "3 µs"]);
  await showsTime(ringTime({ ...DEFAULT, p: 96, α: 3e-6 }));
});

test("reset goes back to the inputs as built, and out of the fragment", async () => {
  await type("ranks", "0");
  await page.waitForSelector('.lab [aria-invalid="true"]');
  await page.focus(".lab-reset");
  await page.keyboard.press("Enter");
  await showsTime(ringTime(DEFAULT));
  await mended();
  const texts = Object.fromEntries(await Promise.all(Object.keys(TEXTS).map(async (name) => [name, await value(name)])));
  assert.deepEqual(texts, TEXTS);
  await page.waitForFunction(() => location.hash === "");
});

test("nothing from the fragment runs or becomes HTML", async () => {
  const hostile = '<img src=x onerror="window.hurt=1">';
  await page.goto("about:blank"); // so that this is a visit, not a step within the page
  await page.goto(`${run.url(card)}#network.ranks=${encodeURIComponent(hostile)}`);
  await page.waitForSelector('.lab [aria-invalid="true"]');
  await hears("Ranks: ");
  assert.equal(await value("ranks"), hostile);
  assert.match(await page.$eval(error("ranks"), (node) => node.textContent), /^expected /);
  assert.equal(await page.$(".lab img"), null);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});
