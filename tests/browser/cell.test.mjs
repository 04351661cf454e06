/**
 * Code cells, driven by the keyboard: the Python behind the ring lab, changed, run, stopped and reset. What Python prints is
 * Python's; times are the closed form 2 (p − 1) (α + M / (p B)).
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { browserName, card, open } from "./harness.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const CELL = "#cell-network";
const ringTime = ({ p, M, B, α }) => 2 * (p - 1) * (α + M / (p * B));

let run;
let page;
before(async () => {
  run = await open();
  page = await run.page();
  await page.goto(run.url(card));
});
after(() => run.close());

const at = (selector, cell = CELL) => `${cell} ${selector}`;
const status = () => page.$eval(at(".cell-status"), (line) => line.textContent);
const parts = () =>
  page.$$eval(at(".cell-part"), (found) =>
    found.map((part) => [part.querySelector(".cell-part-label").textContent, part.querySelector("pre").textContent]));
const code = (cell = CELL) =>
  page.$eval(at(".cell-editor", cell), (place) =>
    place.querySelector("textarea")?.value ?? [...place.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

async function press(...keys) {
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
  await page.keyboard.press(keys.at(-1));
  for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key);
}

async function opened(cell = CELL) {
  await page.focus(at("> summary", cell));
  if (!(await page.$eval(cell, (element) => element.open))) await page.keyboard.press("Enter");
  await page.waitForSelector(at(".cell-editor :is(.cm-content, textarea)", cell));
}

/** Replace the code as a person would, by keys. The editor indents; the lines come with their own, so each starts anew. */
async function write(text, cell = CELL) {
  await page.focus(at(".cell-editor :is(.cm-content, textarea)", cell));
  await press("Control", "a");
  await page.keyboard.press("Delete");
  const indents = await page.$(at(".cm-content", cell));
  for (const [i, line] of text.split("\n").entries()) {
    if (i) await page.keyboard.press("Enter");
    if (i && indents) {
      await press("Shift", "Home");
      if (await page.evaluate(() => !getSelection().isCollapsed)) await page.keyboard.press("Delete");
    }
    if (line) await page.keyboard.type(line);
  }
  assert.equal(await code(cell), text);
}

async function says(pattern, cell = CELL) {
  try {
    await page.waitForFunction(
      (query, source) => new RegExp(source).test(document.querySelector(query).textContent),
      {},
      at(".cell-status", cell),
      pattern.source,
    );
  } catch {
    assert.fail(`expected the status ${pattern}, found ${await status()}; output ${JSON.stringify(await parts())}`);
  }
}

/** Run what stands there by Ctrl+Enter, and return the parts of its output. */
async function ran() {
  await page.focus(at(".cell-editor :is(.cm-content, textarea)"));
  await press("Control", "Enter");
  await page.waitForFunction((query) => document.querySelector(query).dataset.state === "ready", {}, CELL);
  return parts();
}

const runCode = async (text) => {
  await write(text);
  return ran();
};

async function setRanks(text) {
  await page.focus('.lab input[name="ranks"]');
  await page.$eval('.lab input[name="ranks"]', (input) => input.select());
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

async function showsTime(expected) {
  const shown = (wanted) => {
    const lab = document.querySelector(".lab");
    const time = Number(lab.querySelector('output[data-metric="time"]').dataset.value);
    if (wanted !== undefined) return Math.abs(time - wanted) < 1e-12;
    return `${time}; ${lab.dataset.state}: ${lab.querySelector(".lab-status").textContent}`;
  };
  try {
    await page.waitForFunction(shown, {}, expected);
  } catch {
    assert.fail(`expected a time of ${expected} s, found ${await page.evaluate(shown)}`);
  }
}

const DEFAULT = { p: 8, M: 100e6, B: 50e9, α: 5e-6 };

test("as built there is code to read, and no editor is loaded", async () => {
  assert.match(await page.$eval(at(".cell-source code"), (node) => node.textContent), /^from labs\.model import /);
  assert.equal(await page.evaluate(() => document.querySelectorAll("script[src*=editor]").length), 0);
  assert.equal(await page.evaluate(() => typeof globalThis.atlasEditor), "undefined");
  assert.equal(await page.$eval(".lab-code", (node) => node.checkVisibility()), false);
});

test("opened, it has an editor that is named, and Run gives the numbers of the lab", async () => {
  await opened();
  const [role, label] = await page.$eval(at(".cm-content"), (node) => [node.getAttribute("role"), node.getAttribute("aria-label")]);
  assert.deepEqual([role, label], ["textbox", "Python code: The Python that gives these numbers"]);
  assert.equal(await page.$eval(at(".cell-source"), (node) => node.checkVisibility()), false);
  assert.ok((await page.$$(at(".tok-keyword"))).length > 0, "Python is highlighted");
  await page.focus(at('[data-do="run"]'));
  await page.keyboard.press("Enter");
  await says(/^Done\.$/);
  const [[output, printed], [value, record]] = await parts();
  assert.deepEqual([output, printed, value], ["Output", "14 steps in 3.57 ms\n", "Value"]);
  const time = Number(/ time=([\d.e-]+)/.exec(record)[1]);
  assert.ok(Math.abs(time - ringTime(DEFAULT)) < 1e-12);
  assert.equal(await page.$eval(at('[data-do="run"]'), (button) => button === document.activeElement), true);
});

test("Ctrl+Enter runs; both streams and the value are told apart by words, and nothing becomes HTML", async () => {
  const hostile = "<img src=x onerror='hurt=1'>";
  const found = await runCode(`import sys\nprint("${hostile}")\nprint("oops", file=sys.stderr)\nprint("more")\n"${hostile}"`);
  assert.deepEqual(found, [
    ["Output", `${hostile}\n`],
    ["Error output", "oops\n"],
    ["Output", "more\n"],
    ["Value", `"${hostile}"`],
  ]);
  assert.equal(await page.$(at("img")), null);
  assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
});

test("0, False and an empty text are values; None and a statement have none, and that is said", async () => {
  for (const [text, value] of [["0", "0"], ["False", "False"], ["''", "''"], ["x = 0.0\nx", "0.0"]]) {
    assert.deepEqual(await runCode(text), [["Value", value]]);
  }
  for (const text of ["None", "x = 1"]) {
    assert.deepEqual(await runCode(text), []);
    await says(/printed nothing, and its last line has no value/);
  }
});

test("an error shows the reader's lines, and none of ours", async () => {
  const [[label, traceback]] = await runCode("def f(n):\n    return 1 / n\n\nf(0)");
  assert.equal(label, "Error");
  assert.equal(traceback, [
    "Traceback (most recent call last):",
    '  File "<cell network>", line 4, in <module>',
    "    f(0)",
    "    ~^^^",
    '  File "<cell network>", line 2, in f',
    "    return 1 / n",
    "           ~~^~~",
    "ZeroDivisionError: division by zero",
  ].join("\n"));
  await says(/^Ended in line 2, with an error\.$/);
  const [[, library]] = await runCode("import statistics\nstatistics.mean([])");
  assert.deepEqual(library.match(/File .*/g), ['File "<cell network>", line 2, in <module>']);
  const [[, syntax]] = await runCode("x = 1\ny = (x,");
  assert.match(syntax, /^ {2}File "<cell network>", line 2\n {4}y = \(x,\n {8}\^\nSyntaxError: '\(' was never closed$/);
});

test("assert works, and docstrings are there, though Python runs optimized", async () => {
  const [[, traceback]] = await runCode("assert 1 == 2, 'arithmetic'");
  assert.match(traceback, /AssertionError: arithmetic$/);
  assert.deepEqual(await runCode("def f():\n    'doc'\nf.__doc__"), [["Value", "'doc'"]]);
});

test("the standard library and the model can be imported; what cannot be had is said in words", async () => {
  const standard = "import statistics, csv, io, json, sqlite3\nstatistics.median([3, 1, 2]), next(csv.reader(['a,b']))";
  assert.deepEqual(await runCode(standard), [["Value", "(2, ['a', 'b'])"]]);
  const model = "from labs.model import ring_all_reduce_time as t\nt(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9)";
  assert.deepEqual(await runCode(model), [["Value", "0.019685"]]); // 2 · 31 · (5 µs + 1 GB / (32 · 100 GB/s))
  const [[, missing]] = await runCode("import numpy");
  assert.match(missing, /ModuleNotFoundError[^\n]*\nPython has its standard library here, and labs\.model/);
  const [[, prompt], [, asked]] = await runCode("input('Name? ')");
  assert.equal(prompt, "Name? ");
  assert.match(asked, /EOFError: nobody can answer input\(\) on this page; write the value into the code$/);
  const [[, exit]] = await runCode("import sys\nsys.exit(3)");
  assert.equal(exit, "The code ended itself with sys.exit(3).");
});

test("too much memory is told in words, and Python lives on", async () => {
  for (const text of ["[0] * 10**10", "[0] * 10**9"]) {
    const [[, traceback]] = await runCode(text);
    assert.match(traceback, /(OverflowError|MemoryError)[^\n]*\nPython's memory in a page ends at a few GB/);
  }
  assert.deepEqual(await runCode("1 + 1"), [["Value", "2"]]);
});

test("warnings are shown", async () => {
  const [[label, text]] = await runCode("import warnings\nwarnings.warn('careful')");
  assert.deepEqual([label, text], ["Error output", "<cell network>:2: UserWarning: careful\n  warnings.warn('careful')\n"]);
});

test("Tab leaves the editor, and arrives at Run", async () => {
  await page.focus(at(".cm-content"));
  const before = await code();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "run");
  await press("Shift", "Tab");
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")));
  assert.equal(await code(), before);
});

test("Stop ends an endless loop; the lab answers again, and so does the cell", async () => {
  await write("print('on and on')\nwhile True: pass");
  await press("Control", "Enter");
  await page.waitForSelector(at(".cell-part"));
  assert.deepEqual(await parts(), [["Output", "on and on\n"]]);
  await says(/^Running …$/);
  await page.focus(at('[data-do="stop"]'));
  const began = Date.now();
  await page.keyboard.press("Enter");
  await says(/^Stopped\. Python is ready again\.$/);
  assert.ok(Date.now() - began < 5_000, `ready again after ${Date.now() - began} ms`);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "stop", "the keyboard keeps its place");
  await setRanks("32");
  await showsTime(ringTime({ ...DEFAULT, p: 32 }));
  assert.deepEqual(await runCode("2 + 2"), [["Value", "4"]]);
});

test("a loop that prints for ever leaves the page at ease", async () => {
  await write("while True: print(1)");
  await press("Control", "Enter");
  await page.waitForSelector(at('.cell-part[data-part="note"]'));
  const longest = await page.evaluate(async () => {
    let last = performance.now();
    let worst = 0;
    for (let i = 0; i < 30; i += 1) {
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }
    return worst;
  });
  assert.ok(longest < 1_000, `a frame took ${longest} ms`);
  const [[, output], [, note]] = await parts();
  assert.equal(output.length, 100_000);
  assert.equal(note, "The output is longer than 100,000 characters; the rest of it is not shown.");
  assert.equal(await page.$eval(at(".cell-output"), (log) => log.getAttribute("aria-live")), "off");
  await page.click(at('[data-do="stop"]'));
  await says(/^Stopped\. Python is ready again\.$/);
});

test("code that breaks Python itself is told, and Run starts it anew", async () => {
  const [first] = await runCode("a = []\nfor i in range(200_000): a = [a]\nrepr(a)");
  if (first) assert.match(first[1], /RecursionError/);
  else await says(/^Python has stopped: .*Run tries again\.$/);
  assert.deepEqual(await runCode("3 + 3"), [["Value", "6"]]);
  await setRanks("16");
  await showsTime(ringTime({ ...DEFAULT, p: 16 }));
});

test("the code follows the inputs until it is edited; Reset takes them again", async () => {
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

test("code that waits for other code says so, and Stop ends both", async () => {
  await page.evaluate(() => {
    globalThis.atlas.runtime.ask({ code: "while True: pass", name: "other" }).catch((error) => {
      globalThis.ended = error.message;
    });
  });
  await write("print('mine')");
  await press("Control", "Enter");
  await says(/^Another cell is running; this one comes after it, or after Stop\.$/);
  await page.click(at('[data-do="stop"]'));
  await says(/^Stopped\. Python is ready again\.$/);
  assert.equal(await page.evaluate(() => globalThis.ended), "Stopped.");
  assert.deepEqual(await ran(), [["Output", "mine\n"]]);
  await page.click(at('[data-do="reset"]'));
});

test("a card's own cell runs beside its labs", async () => {
  await page.goto(run.url("cards/nccl.html"));
  await opened("#cell-1");
  await page.click(at('[data-do="run"]', "#cell-1"));
  await says(/^Done\.$/, "#cell-1");
  assert.match(await page.$eval(at(".cell-output", "#cell-1"), (log) => log.textContent), /8589934592 bytes: .* 338\.83 GB\/s/);
});

test("an edit is kept over a reload, as text that nobody runs", async () => {
  await page.goto(run.url(card));
  await opened();
  await write("print('kept')");
  await page.reload();
  assert.equal(await page.$eval(CELL, (element) => element.open), false);
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

const paper = { skip: browserName === "firefox" && "puppeteer has no paper for it" };
test("on paper the code and the last output are there, also of a cell that is folded", paper, async () => {
  await page.click(at('[data-do="run"]'));
  await says(/^Done\.$/);
  await page.click(at("> summary"));
  await page.emulateMediaType("print");
  const seen = (selector) => page.$eval(at(selector), (node) => node.checkVisibility());
  assert.equal(await seen(".cell-editor .cm-line"), true);
  assert.equal(await seen(".cell-part pre"), true);
  assert.equal(await seen(".cell-run"), false);
  await page.emulateMediaType("screen");
});

for (const [scheme, width] of [["default", 1100], ["slate", 380]]) {
  test(`axe-core finds nothing, ${scheme}, ${width} wide, and nothing scrolls sideways`, async () => {
    await page.setViewport({ width, height: 900 });
    await page.goto(run.url(card));
    await page.addStyleTag({ content: "* { transition: none !important; }" });
    await page.evaluate((name) => document.body.setAttribute("data-md-color-scheme", name), scheme);
    await opened();
    await runCode("import sys\nprint('x' * 300)\nprint('oops', file=sys.stderr)\ndef f(n): return 1 / n\nf(0) # comment");
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
    await page.click(at('[data-do="reset"]'));
  });
}

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
  const first = page;
  page = other;
  await opened();
  assert.ok(await page.$(at("textarea")));
  assert.equal(await page.$(at(".cm-editor")), null);
  assert.deepEqual(await runCode("print('plain')\n0"), [["Output", "plain\n"], ["Value", "0"]]);
  assert.equal(await page.$eval(at(".cell-edited"), (note) => note.checkVisibility()), true);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "run");
  await page.click(at('[data-do="reset"]'));
  assert.match(await code(), /^from labs\.model import /);
  page = first;
  await other.close();
});

test("without WebAssembly Run says why it can't", async () => {
  const other = await run.page();
  await other.evaluateOnNewDocument(() => {
    delete globalThis.WebAssembly;
  });
  const first = page;
  page = other;
  await page.goto(run.url(card));
  await opened();
  await page.click(at('[data-do="run"]'));
  await says(/WebAssembly switched off.* Run tries again\.$/);
  page = first;
  await other.close();
});
