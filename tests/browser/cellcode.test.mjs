/**
 * The code in a cell: it follows the lab's inputs until a reader edits it, is kept, never comes from a link, and can be edited
 * without the editor too.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { cellsOf, DEFAULT, ringTime } from "./cells.mjs";
import { card, open } from "./harness.mjs";

const run = await open();
const page = await run.page();
after(() => run.close());
await page.goto(run.url(card));
const { at, code, opened, parts, press, ran, runCode, says, setRanks, showsTime, status, write } = cellsOf(page);

test("the code follows the inputs until it is edited; Reset takes them again", async () => {
  await opened();
  assert.deepEqual(await runCode("3 + 3"), [["Value", "6"]]);
  await setRanks("16");
  await showsTime(ringTime({ ...DEFAULT, p: 16 }));
  await page.focus(at('[data-do="reset"]'));
  await page.keyboard.press("Enter");
  assert.match(await code(), /ranks=16, /);
  assert.deepEqual(await parts(), []);
  await setRanks("4");
  await showsTime(ringTime({ ...DEFAULT, p: 4 }));
  assert.match(await code(), /ranks=4, /);
  assert.equal(await page.$eval(at(".cell-edited"), (note) => note.checkVisibility()), false);
  await press("Control", "z"); // there is nothing of the reader's to undo
  assert.match(await code(), /ranks=4, /);

  await write("'mine'");
  assert.equal(await page.$eval(at(".cell-edited"), (note) => note.checkVisibility()), true);
  await setRanks("64");
  await showsTime(ringTime({ ...DEFAULT, p: 64 }));
  assert.equal(await code(), "'mine'");
  await page.click(at('[data-do="reset"]'));
  assert.match(await code(), /ranks=64, /);
  assert.equal(await page.$eval(at(".cell-edited"), (note) => note.checkVisibility()), false);
  assert.match((await ran())[0][1], /^126 steps in /);
  await setRanks("8");
  await says(/^The code has changed since the output below\.$/);
});

test("a preset's code comes with its numbers", async () => {
  const preset = await page.$('.lab-presets button[data-choose="thousand"]');
  if (!preset) return;
  await preset.click();
  await page.waitForFunction((query) => document.querySelector(query).textContent.includes("ranks=1024"), {}, at(".cm-content"));
});

test("an edit is kept over a reload, as text that nobody runs", async () => {
  await page.goto(run.url(card));
  await opened();
  await write("print('kept')");
  await page.reload();
  assert.equal(await page.$eval(at(""), (element) => element.open), false);
  await opened();
  assert.equal(await code(), "print('kept')");
  assert.deepEqual(await parts(), []);
  assert.deepEqual(await ran(), [["Output", "kept\n"]]);
  await page.waitForSelector('section.lab[data-state="live"]');
  await page.focus(at('[data-do="reset"]')); // a pointer would miss what the lab's new frame pushes away
  await page.keyboard.press("Enter");
  assert.match(await code(), /^from labs\.model import /);
  await page.reload();
  await opened();
  assert.match(await code(), /^from labs\.model import /);
});

test("nothing from a URL is run, or gets into the editor", async () => {
  const evil = encodeURIComponent("print('from the URL')");
  await page.goto("about:blank");
  await page.goto(`${run.url(card)}?code=${evil}&cell-network=${evil}#network.ranks=4&network.code=${evil}&cell-network.code=${evil}&code=${evil}`);
  await opened();
  await showsTime(ringTime({ ...DEFAULT, p: 4 }));
  assert.doesNotMatch(await code(), /from the URL/);
  assert.match(await code(), /ranks=4, /);
  assert.deepEqual(await parts(), []);
  assert.equal(await status(), "");
});

test("where the editor cannot be loaded, a plain field does the same", async () => {
  const other = await run.page();
  await other.evaluateOnNewDocument(() => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, "src");
    Object.defineProperty(HTMLScriptElement.prototype, "src", {
      set(value) {
        set.call(this, /\/editor\./.test(value) ? value.replace(/\.js$/, ".gone.js") : value);
      },
    });
  });
  await other.goto(run.url(card));
  const cells = cellsOf(other);
  await cells.opened();
  assert.ok(await other.$(at("textarea")));
  assert.equal(await other.$(at(".cm-editor")), null);
  assert.deepEqual(await cells.runCode("print('plain')\n0"), [["Output", "plain\n"], ["Value", "0"]]);
  assert.equal(await other.$eval(at(".cell-edited"), (note) => note.checkVisibility()), true);
  await other.keyboard.press("Tab");
  assert.equal(await other.evaluate(() => document.activeElement.dataset.do), "run");
  await other.click(at('[data-do="reset"]'));
  assert.match(await cells.code(), /^from labs\.model import /);
  await other.close();
});
