/** From navigation to the first live result, and the bytes until then. */
import { pathToFileURL } from "node:url";

import { pause, tab } from "./browsers.mjs";
import { watchFirst } from "./watch.mjs";

export const LAB = "labs/network.html";
const STAY = 3000; // ms on the page; browsers write their caches meanwhile

/**
 * A ring lab's inputs as the fragment of a page, and the time that it must show, by the closed form.
 * @param {number} ranks no preset's, so that Python has to answer
 */
export function ring(ranks) {
  const [payload, bandwidth, latency] = [100e6, 50e9, 5e-6];
  const texts = { ranks, payload: "100 MB", bandwidth: "50 GB/s", latency: "5 µs" };
  const fragment = new URLSearchParams(Object.entries(texts).map(([name, text]) => [`network.${name}`, text]));
  return { fragment: `#${fragment}`, seconds: 2 * (ranks - 1) * (latency + payload / (ranks * bandwidth)) };
}

export const FIRST = ring(33);

export const PAGES = { plain: "plain/index.html", site: `site/${LAB}` };

/** Return the address of the lab's page in a folder, as opened from disk. */
export function fromDisk(folder) {
  return `${pathToFileURL(folder).href}/${LAB}`;
}

/**
 * Open a page in a new tab and wait for its first live result.
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} url
 * @param {{fragment: string, seconds: number}} inputs
 * @returns {Promise<{seconds: number, at: number, how: string | null, page: import("puppeteer-core").Page}>}
 *   at: ms since 1970; how: "memory", or "plain" where Python started from the beginning
 */
export async function visit(browser, url, inputs = FIRST) {
  const page = await tab(browser);
  await page.evaluateOnNewDocument(watchFirst, inputs.seconds);
  await page.goto(url + inputs.fragment);
  const { ms, at, how } = await page.evaluate(() => globalThis.bench.first);
  return { seconds: ms / 1000, at, how, page };
}

/**
 * Visit a page twice in the same browser.
 * @param {import("puppeteer-core").Browser} browser
 * @param {Awaited<ReturnType<import("./server.mjs").serve>>} server
 * @param {string} path
 * @returns {Promise<{first: number, second: number, bytes: number, page: import("puppeteer-core").Page}>}
 *   seconds, and the bytes that the first visit asked for before its result
 */
export async function visitTwice(browser, server, path) {
  server.sent();
  const first = await visit(browser, server.url(path));
  await pause(STAY);
  const bytes = sum(server.sent(), first.at);
  await first.page.close();
  const second = await visit(browser, server.url(path));
  for (const { how } of [first, second]) expectStart(how, "plain", false);
  return { first: first.seconds, second: second.seconds, bytes, page: second.page };
}

/** A start that fell back to the other way would be measured as if it were the one that is meant. */
export function expectStart(how, way, wanted = true) {
  if ((how === way) !== wanted) throw new Error(`expected a start ${wanted ? "" : "not "}of kind ${way}, found ${how}`);
}

function sum(sent, until) {
  return sent.filter(({ at }) => at <= until).reduce((bytes, answer) => bytes + answer.bytes, 0);
}
