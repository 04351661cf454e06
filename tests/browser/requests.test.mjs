/** Every page of the site, in a browser: nothing is asked of another host, nothing fails, nothing is written to the console. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { sep } from "node:path";
import { after, before, test } from "node:test";

import { card, open, scheme, site } from "./harness.mjs";

// What browsers ask for themselves shows at the proxy too. A page's own request to these shows in the page's events.
const BROWSERS_OWN = /(^|\.)(mozilla\.(com|org|net)|firefox\.com|google\.com|googleapis\.com|gvt1\.com)(:|$)/;

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

/** Note what a page asks for and says, over all of its life. */
async function watched() {
  const page = await run.page();
  const notes = { asked: [], failed: [], said: [] };
  page.on("request", (request) => notes.asked.push(request.url()));
  page.on("requestfailed", (request) => notes.failed.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on("response", (response) => response.status() >= 400 && notes.failed.push(`${response.url()} ${response.status()}`));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && notes.said.push(message.text()));
  page.on("pageerror", (error) => notes.said.push(String(error)));
  return { page, notes };
}

/** Hosts other than ours: seen by the page's events, or by the proxy that is every other host here. */
function strangers(asked) {
  const own = new URL(run.url(""));
  const inPage = asked.map((url) => new URL(url)).filter((url) => /^(https?|wss?|ftp):$/.test(url.protocol) && url.host !== own.host);
  const atProxy = run.strangers
    .map((asked) => (asked.includes("://") ? new URL(asked).host : asked))
    .filter((host) => !BROWSERS_OWN.test(host));
  return [...new Set([...inPage.map((url) => url.host), ...atProxy])];
}

const pages = (await readdir(site, { recursive: true }))
  .map((path) => path.split(sep).join("/"))
  // The host's own page for a missing address has absolute links; on disk nothing ever leads to it.
  .filter((path) => path.endsWith(".html") && (scheme === "http" || path !== "404.html"));

test("the site has pages", () => assert.ok(pages.includes(card) && pages.includes("index.html"), pages.join(" ")));

for (const path of pages) {
  test(`${path} asks nothing of another host`, async () => {
    const { page, notes } = await watched();
    await page.goto(run.url(path));
    if (path === card) {
      await page.focus(".lab input[name]");
      await page.waitForSelector('.lab[data-state="live"]');
    }
    await page.evaluate(async () => {
      for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
        scrollTo(0, y); // what loads lazily, loads
        await new Promise(requestAnimationFrame);
      }
    });
    for (const lab of await page.$$(".lab")) {
      await lab.evaluate((one) => one.scrollIntoView({ block: "center" })); // a reader comes to it; one that is folded stays so
      await page.waitForFunction((one) => one.dataset.state === "live" || !one.checkVisibility(), {}, lab);
    }
    const { asked, failed, said } = structuredClone(notes);
    await page.close();
    assert.deepEqual({ strangers: strangers(asked), failed, said }, { strangers: [], failed: [], said: [] });
  });
}

// Last, since what it asks for is in the notes from here on.
test("a page, a worker and an image that ask elsewhere would be seen", async () => {
  const { page, notes } = await watched();
  await page.goto(run.url("index.html"));
  await page.evaluate(async () => {
    await fetch("http://by-page.invalid/").catch(() => {});
    const code = "fetch('http://by-worker.invalid/').catch(() => {}).then(() => postMessage(1))";
    const Native = globalThis.NativeWorker ?? Worker; // from disk the search puts an iframe in its place
    const worker = new Native(URL.createObjectURL(new Blob([code])));
    await new Promise((done) => (worker.onmessage = done));
    const image = new Image();
    image.src = "http://by-image.invalid/";
    await new Promise((done) => (image.onerror = done));
  });
  const seen = strangers(notes.asked).map((host) => host.split(":")[0]);
  assert.deepEqual([...new Set(seen)].sort(), ["by-image.invalid", "by-page.invalid", "by-worker.invalid"]);
});
