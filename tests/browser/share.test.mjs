/** What a reader takes along: a link, the numbers, a chart; and what the browser keeps. Nothing of it is ever run or becomes HTML. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { open } from "./harness.mjs";
import { DEFAULT, live, near, press, PRESETS, ringTime, says, shows, stage, state, status, time, type, unseen, value } from "./stage.mjs";

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

/** Before the page's scripts: what is copied and saved ends here. */
const watched = () => {
  window.copied = [];
  window.saved = [];
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => window.copied.push(text) } });
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    window.blob = blob;
    return createObjectURL.call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = function click() {
    window.saved.push({ blob: window.blob, name: this.download });
  };
};
/** Before the page's scripts: a browser, or a page over plain http, that has no clipboard for it. */
const noClipboard = () => {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
};
const refusing = () => {
  Object.defineProperty(window, "localStorage", {
    get() {
      throw new DOMException("no storage here", "SecurityError");
    },
  });
};
const full = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException("no room", "QuotaExceededError");
  };
};

const said = (page, text) => page.waitForFunction((wanted) => document.querySelector(".lab-said").textContent === wanted, {}, text);
const copy = (page, what) => press(page, `.lab [data-copy="${what}"]`);
const kept = (page) => page.evaluate(() => localStorage.getItem("parallelism-atlas.lab.network"));
const keep = (page, text) => page.evaluate((json) => localStorage.setItem("parallelism-atlas.lab.network", json), text);
const choose = (page, id) => press(page, `.lab [data-choose="${id}"]`);

/** Read CSV as RFC 4180 has it, by a reader of the test's own. */
function readCsv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") rows.push([]);
    else if (end === "") break;
  }
  return rows;
}

test("a copied link opens the same state elsewhere", async () => {
  const page = await stage(run, { before: [unseen, watched] });
  await choose(page, "ethernet");
  await copy(page, "link");
  await said(page, "Link copied.");
  const [link] = await page.evaluate(() => window.copied);
  await page.close();

  const other = await run.page();
  await other.evaluateOnNewDocument(unseen);
  await other.goto(link);
  assert.equal(await value(other, "bandwidth"), "1.25 GB/s");
  await shows(other, PRESETS.ethernet); // without Python, since the build knows these inputs
  assert.equal(await state(other), "static");
  await other.close();
});

test("the link of the inputs as built is the lab's own address", async () => {
  const page = await stage(run, { before: [unseen, watched] });
  await copy(page, "link");
  await said(page, "Link copied.");
  const link = await page.evaluate(() => window.copied[0]);
  assert.equal(link, `${page.url().split("#")[0]}#lab-network`);
  await page.close();
});

test("copied numbers are CSV in base units, from the build and live", async () => {
  const page = await stage(run, { before: [unseen, watched] });
  await copy(page, "numbers");
  await said(page, "Numbers copied.");
  const [built] = await page.evaluate(() => window.copied);
  const [title, names, values] = readCsv(built);
  assert.deepEqual(title, ["Ring all-reduce"]);
  assert.deepEqual(names.slice(0, 4), ["Ranks [1]", "Payload [byte]", "Effective bandwidth [byte/s]", "Startup [s]"]);
  assert.deepEqual(values.slice(0, 4), ["8", "100000000", "50000000000", "5e-06"]);
  assert.ok(near(Number(values[names.indexOf("Time [s]")]), ringTime(DEFAULT)));
  const at = readCsv(built).findIndex(([cell]) => cell === "Time against ranks");
  assert.deepEqual(readCsv(built)[at + 1], ["Ranks [1]", "time [s]", "latency term [s]", "bandwidth term [s]"]);
  for (const [p, T] of readCsv(built).slice(at + 2, at + 18)) {
    assert.ok(near(Number(T), ringTime({ ...DEFAULT, p: Number(p) })), `${p} ranks: ${T}`);
  }

  await live(page);
  await says(page, "Live: ");
  await copy(page, "numbers");
  await page.waitForFunction(() => window.copied.length === 2);
  const [, now] = await page.evaluate(() => window.copied);
  assert.equal(now, built, "Python in the page writes the same text");
  await page.close();
});

test("where nothing may be copied, the text is there, selected", async () => {
  const page = await stage(run, { before: [unseen, noClipboard] });
  await copy(page, "link");
  await said(page, "Press Ctrl+C, or ⌘C, to copy.");
  const [shown, selected, focused] = await page.$eval(".lab-text", (field) => [
    field.checkVisibility() && field.value,
    field.value.slice(field.selectionStart, field.selectionEnd),
    document.activeElement === field,
  ]);
  assert.match(shown, /#lab-network$/);
  assert.equal(selected, shown);
  assert.ok(focused);
  await copy(page, "numbers");
  assert.match(await page.$eval(".lab-text", (field) => field.value), /^Ring all-reduce\nRanks \[1\],/);
  await page.close();
});

test("a saved chart stands alone: well-formed, with colours, fonts and a title, and nothing of the page", async () => {
  const page = await stage(run, { before: [unseen, watched] });
  for (const id of ["time-against-payload", "time-against-ranks", "changes"]) {
    await press(page, `.lab-frame [data-series="${id}"] .lab-save`);
    await said(page, "Chart saved.");
    const { name, text, type, wrong, tags } = await page.evaluate(async () => {
      const { blob, name } = window.saved.at(-1);
      const text = await blob.text();
      const drawn = new DOMParser().parseFromString(text, "image/svg+xml");
      return {
        name,
        text,
        type: blob.type,
        wrong: drawn.querySelector("parsererror")?.textContent,
        tags: [drawn.documentElement.namespaceURI, drawn.querySelector("title").textContent, drawn.querySelector("rect").getAttribute("fill")],
      };
    });
    assert.equal(name, `network-${id}.svg`);
    assert.equal(type, "image/svg+xml");
    assert.equal(wrong, undefined);
    assert.equal(tags[0], "http://www.w3.org/2000/svg");
    assert.ok(tags[1].length > 10);
    assert.equal(tags[2], "#fdfcf9");
    assert.ok(!/var\(|lab-mark|<script|href/.test(text), text.slice(0, 300));
    assert.match(text, /font-family="Inter/);
  }
  await page.close();
});

test("the last inputs are kept for the next visit; Reset forgets them", async () => {
  let page = await stage(run);
  await choose(page, "small");
  await page.waitForFunction(() => location.hash.includes("ranks=64"));
  assert.equal(JSON.parse(await kept(page)).ranks, "64");
  await page.close();

  page = await stage(run, { fresh: false });
  assert.deepEqual([await value(page, "ranks"), await value(page, "payload")], ["64", "10 kB"]);
  await shows(page, PRESETS.small);
  assert.equal(await state(page), "static");
  assert.match(await status(page), /^From the build: /);
  await press(page, ".lab .lab-reset");
  await page.waitForFunction(() => localStorage.getItem("parallelism-atlas.lab.network") === null);
  await page.close();

  page = await stage(run, { fresh: false });
  assert.equal(await value(page, "ranks"), "8");
  await page.close();
});

test("kept inputs that the build does not know are filled in, said, and computed at the first touch", async () => {
  let page = await stage(run);
  await keep(page, JSON.stringify({ ranks: "24", latency: "1 ms" }));
  await page.close();
  page = await stage(run, { fresh: false });
  assert.equal(await value(page, "ranks"), "24");
  assert.match(await status(page), /your last inputs/);
  await page.focus('.lab input[name="payload"]');
  await says(page, "Live: ");
  assert.ok(near(await time(page), ringTime({ ...DEFAULT, p: 24, α: 1e-3 })));
  await page.close();
});

test("a link wins over what was kept", async () => {
  let page = await stage(run);
  await keep(page, JSON.stringify({ ranks: "24", payload: "10 kB" }));
  await page.close();
  page = await stage(run, { fresh: false, hash: "#network.ranks=1024&network.payload=1+GB" });
  assert.deepEqual([await value(page, "ranks"), await value(page, "payload")], ["1024", "1 GB"]);
  await shows(page, PRESETS.thousand);
  await page.close();
});

test("what is kept is text, whatever it holds", async () => {
  const hostile = '<img src=x onerror="window.hurt=1">';
  const stored = [
    JSON.stringify({ ranks: hostile, payload: { toString: "x" }, bandwidth: 5, latency: "x".repeat(101), constructor: "1", other: hostile }),
    `{"__proto__": {"ranks": "7"}}`,
    "[1]", "null", "3", '"text"', "{", hostile,
  ];
  const page = await stage(run, { fresh: false });
  for (const text of stored) {
    await keep(page, text);
    await page.goto(page.url().split("#")[0]);
    await page.waitForSelector(".lab[data-scripts]");
    const expected = text.startsWith('{"ranks"') ? hostile : "8";
    assert.equal(await value(page, "ranks"), expected, text);
    assert.deepEqual([await value(page, "payload"), await value(page, "latency")], ["100 MB", "5 µs"]);
    assert.equal(await page.$(".lab img"), null);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
  }
  await page.close();
});

for (const [words, script] of [["refused", refusing], ["full", full]]) {
  test(`storage is ${words}: the lab works, and says once that it keeps nothing`, async () => {
    const page = await stage(run, { before: [unseen, script] });
    await choose(page, "crossover");
    await shows(page, PRESETS.crossover);
    await says(page, "not kept for your next visit");
    await page.waitForFunction(() => location.hash.includes("payload=2+MB"), {});
    await live(page);
    await says(page, "Live: ");
    await type(page, "ranks", "12");
    await page.waitForFunction(() => location.hash.includes("ranks=12"));
    assert.ok(near(await time(page), ringTime({ ...DEFAULT, p: 12, M: 2e6 })));
    assert.match(await status(page), /^Live: /);
    assert.doesNotMatch(await status(page), /not kept/);
    await page.close();
  });
}
