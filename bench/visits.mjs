/** From navigation to the first live result, and the bytes until then. */
import { pathToFileURL } from "node:url";

import { pause, tab } from "./browsers.mjs";
import { watchFirst } from "./watch.mjs";

const CARD = "cards/parallelism-communication-budget.html";
const RING = { ranks: 33, payload: "100 MB", bandwidth: "50 GB/s", latency: "5 µs" }; // no preset
const EXPECTED = 2 * 32 * (5e-6 + 100e6 / (33 * 50e9));
const FRAGMENT = `#${new URLSearchParams(Object.entries(RING).map(([name, text]) => [`network.${name}`, text]))}`;
const STAY = 3000; // ms on the page; browsers write their caches meanwhile

export const pages = {
  plain: `plain/index.html${FRAGMENT}`,
  site: `site/${CARD}${FRAGMENT}`,
};

/** Return the address of the lab's page in a folder, as opened from disk. */
export function fromDisk(folder) {
  return `${pathToFileURL(folder).href}/${CARD}${FRAGMENT}`;
}

/**
 * Open a page in a new tab and wait for its first live result.
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} url
 * @returns {Promise<{seconds: number, at: number, how: string | null, page: import("puppeteer-core").Page}>}
 */
export async function visit(browser, url) {
  const page = await tab(browser);
  await page.evaluateOnNewDocument(watchFirst, EXPECTED);
  await page.goto(url);
  const { ms, at, how } = await page.evaluate(() => globalThis.bench.first);
  return { seconds: ms / 1000, at, how, page };
}

/**
 * Visit a page twice in the same browser.
 * @param {import("puppeteer-core").Browser} browser
 * @param {Awaited<ReturnType<import("./server.mjs").serve>>} server
 * @param {string} path
 * @returns {Promise<{first: number, second: number, bytes: number, bytesAgain: number, page: import("puppeteer-core").Page}>}
 *   seconds, and bytes asked for before the result
 */
export async function visitTwice(browser, server, path) {
  server.sent();
  const first = await visit(browser, server.url(path));
  await pause(STAY);
  const bytes = sum(server.sent(), first.at);
  await first.page.close();
  const second = await visit(browser, server.url(path));
  await pause(STAY);
  const bytesAgain = sum(server.sent(), second.at);
  for (const { how } of [first, second]) usesMemory(how);
  return { first: first.seconds, second: second.seconds, bytes, bytesAgain, page: second.page };
}

/** A start that fell back to the plain way is slow, and would be measured as if it were ours. */
export function usesMemory(how) {
  if (how === "plain") throw new Error("expected Python to start from its memory, found that it started from the beginning");
}

function sum(sent, until) {
  return sent.filter(({ at }) => at <= until).reduce((bytes, answer) => bytes + answer.bytes, 0);
}
