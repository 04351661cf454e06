/** A page with the ring lab, in states that are hard to meet by chance. */
import { card } from "./harness.mjs";

export const ringTime = ({ p, M, B, α }) => 2 * (p - 1) * (α + M / (p * B));
export const DEFAULT = { p: 8, M: 100e6, B: 50e9, α: 5e-6 };

/** The presets as `labs/network.py` names them, in the symbols of the formula. */
export const PRESETS = {
  node: { p: 8, M: 384 * 2 ** 20, B: 200e9, α: 2e-6 },
  thousand: { p: 1024, M: 1e9, B: 50e9, α: 5e-6 },
  small: { p: 64, M: 10e3, B: 50e9, α: 5e-6 },
  crossover: { p: 8, M: 2e6, B: 50e9, α: 5e-6 },
  ethernet: { p: 16, M: 100e6, B: 1.25e9, α: 50e-6 },
};

/** Before the page's scripts: the lab is never seen, so that nothing but a touch starts Python. */
export const unseen = () => {
  globalThis.IntersectionObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  };
};

/** Notes when a script with presets has handed over what it holds. */
function watchPresets() {
  let own;
  Object.defineProperty(window, "atlasPresets", {
    get: () => own,
    set(hand) {
      own = (...handed) => {
        hand(...handed);
        window.presetsCame = (window.presetsCame ?? 0) + 1;
      };
    },
  });
}

/** Before the page's scripts; the frames within it, as search has one from disk, share its memory and leave it alone. */
function forget() {
  if (window !== window.top) return;
  try {
    localStorage.clear();
  } catch {
    // none to clear
  }
}

/**
 * Open the card with the lab.
 * @param {Awaited<ReturnType<import("./harness.mjs").open>>} run
 * @param {{before?: (() => void)[], hash?: string, width?: number, fresh?: boolean}} options
 *   what to run before the page's scripts; whether to forget what an earlier page has kept
 */
export async function stage(run, { before = [unseen], hash = "", width = 1280, fresh = true } = {}) {
  const page = await run.page();
  await page.setViewport({ width, height: 900 });
  await page.evaluateOnNewDocument(watchPresets);
  if (fresh) await page.evaluateOnNewDocument(forget);
  for (const script of before) await page.evaluateOnNewDocument(script);
  await page.goto(run.url(card) + hash);
  await page.waitForSelector(".lab[data-scripts]");
  return page;
}

export const state = (page) => page.$eval(".lab", (lab) => lab.dataset.state);
export const status = (page) => page.$eval(".lab-status", (line) => line.textContent);
export const value = (page, name) => page.$eval(`.lab input[name="${name}"]`, (input) => input.value);
export const time = (page) => page.$eval('.lab-frame output[data-metric="time"]', (output) => Number(output.dataset.value));
export const says = (page, text) =>
  page.waitForFunction((words) => document.querySelector(".lab-status").textContent.includes(words), {}, text);
export const pause = (ms) => new Promise((later) => setTimeout(later, ms));

export async function type(page, name, text) {
  await page.focus(`.lab input[name="${name}"]`);
  await page.$eval(`.lab input[name="${name}"]`, (input) => input.select());
  await page.keyboard.type(text);
}

/** Wait until the frame gives a time, which is that of these inputs. */
export async function shows(page, inputs) {
  const wanted = ringTime(inputs);
  await page.waitForFunction(
    (expected) => Math.abs(document.querySelector('.lab-frame output[data-metric="time"]')?.dataset.value - expected) <= 1e-12 * expected,
    {},
    wanted,
  );
}

/** Turn to the presets, as a reader does before he chooses one, and wait until their frames are here. */
export async function turnToPresets(page) {
  await page.focus(".lab [data-choose]");
  await page.waitForFunction(() => window.presetsCame);
}

/** Press a button as the keyboard does; it need not be in view. */
export async function press(page, selector) {
  await page.focus(selector);
  await page.keyboard.press("Enter");
}

export async function live(page) {
  await page.focus('.lab input[name="ranks"]');
  await page.waitForSelector('.lab[data-state="live"]');
}

export const near = (found, expected) => Math.abs(found - expected) <= 1e-12 * Math.abs(expected);
