/**
 * Code cells, driven by the keyboard: the Python behind the ring lab, run and stopped. What Python prints is Python's; times are
 * the ring's closed form.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";

import { cellsOf, DEFAULT, ringTime } from "./cells.mjs";
import { browserName, card, open } from "./harness.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const run = await open();
const page = await run.page();
after(() => run.close());
await page.goto(run.url(card));
const { at, code, opened, parts, press, ran, runCode, says, setRanks, showsTime, write } = cellsOf(page);

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

const paper = { skip: browserName === "firefox" && "puppeteer has no paper for it" };
test("on paper the code and the last output are there, also of a cell that is folded", paper, async () => {
  await page.goto(run.url(card));
  await opened();
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

test("without WebAssembly Run says why it can't", async () => {
  const other = await run.page();
  await other.evaluateOnNewDocument(() => {
    delete globalThis.WebAssembly;
  });
  await other.goto(run.url(card));
  const cells = cellsOf(other);
  await cells.opened();
  await other.click(at('[data-do="run"]'));
  await cells.says(/WebAssembly switched off.* Run tries again\.$/);
  await other.close();
});
