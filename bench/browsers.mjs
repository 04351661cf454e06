/** The browsers of this machine, each start with a profile of its own. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { tmpdir } from "node:os";

import puppeteer from "puppeteer-core";

const NAMES = {
  chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  firefox: ["firefox-esr", "firefox"],
};
const SETTLE = 1000; // ms; a browser that has just begun is busy with itself
const WAIT = 120_000; // ms

/** Return name -> path of the browsers that are here, in the order of measuring. */
export function found() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = Object.entries(NAMES).map(([name, files]) => [
    name,
    files.flatMap((file) => folders.map((folder) => join(folder, file))).find((path) => existsSync(path)),
  ]);
  return Object.fromEntries(paths.filter(([, path]) => path));
}

/**
 * Start a browser that nobody has used yet, do the work, and clear it away.
 * @template T
 * @param {string} name chromium or firefox
 * @param {string} executablePath
 * @param {(browser: import("puppeteer-core").Browser) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFresh(name, executablePath, work) {
  const userDataDir = await mkdtemp(join(tmpdir(), `atlas-bench-${name}-`));
  try {
    const browser = await puppeteer.launch({
      browser: name === "firefox" ? "firefox" : "chrome",
      executablePath,
      userDataDir,
      timeout: WAIT,
      protocolTimeout: WAIT,
      // Containers and some systems have no sandbox for it; the pages are our own.
      args: name === "firefox" ? [] : ["--no-sandbox"],
    });
    try {
      await pause(SETTLE);
      return await work(browser);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Return a new tab, to the front. */
export async function tab(browser) {
  const page = await browser.newPage();
  page.setDefaultNavigationTimeout(WAIT);
  await page.bringToFront();
  return page;
}

/** Return the version of a browser, as it says itself. */
export async function versionOf(name, path) {
  return withFresh(name, path, (browser) => browser.version());
}

export function pause(ms) {
  return new Promise((later) => setTimeout(later, ms));
}
