/** A code cell as a person drives it, by the keyboard, and the controls of the lab above it. */
import assert from "node:assert/strict";

const NETWORK = "#cell-network";
export const DEFAULT = { p: 8, M: 100e6, B: 50e9, α: 5e-6 }; // the ring lab's inputs as built

/** Return the ring's time by its closed form, 2 (p − 1) (α + M / (p B)), in seconds. */
export const ringTime = ({ p, M, B, α }) => 2 * (p - 1) * (α + M / (p * B));

/**
 * Return what can be done with the cells of a page; `cell` is that of the ring lab where none is named.
 * @param {import("puppeteer-core").Page} page
 */
export function cellsOf(page) {
  const at = (selector, cell = NETWORK) => `${cell} ${selector}`;
  const status = () => page.$eval(at(".cell-status"), (line) => line.textContent);
  const parts = () =>
    page.$$eval(at(".cell-part"), (found) =>
      found.map((part) => [part.querySelector(".cell-part-label").textContent, part.querySelector("pre").textContent]));
  const code = (cell = NETWORK) =>
    page.$eval(at(".cell-editor", cell), (place) =>
      place.querySelector("textarea")?.value ?? [...place.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

  async function press(...keys) {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    await page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key);
  }

  async function opened(cell = NETWORK) {
    await page.focus(at("> summary", cell));
    if (!(await page.$eval(cell, (element) => element.open))) await page.keyboard.press("Enter");
    await page.waitForSelector(at(".cell-editor :is(.cm-content, textarea)", cell));
  }

  /** Replace the code as a person would, by keys. The editor indents; the lines come with their own, so each starts anew. */
  async function write(text, cell = NETWORK) {
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

  async function says(pattern, cell = NETWORK) {
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
    await page.waitForFunction((query) => document.querySelector(query).dataset.state === "ready", {}, NETWORK);
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

  return { at, code, opened, parts, press, ran, runCode, says, setRanks, showsTime, status, write };
}
