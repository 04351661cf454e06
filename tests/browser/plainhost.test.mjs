/**
 * A host in a local network: plain http, a name of its own, the site below a path, a policy of its own. Browsers keep `crypto.subtle`
 * and other things from such a page; the lab runs all the same.
 */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { card, open, scheme } from "./harness.mjs";

const skip = scheme === "http" ? false : "a page from disk has no host";

let run;
afterEach(() => run?.close());

/** Open a page whose link asks a lab, and see that it answers. */
async function answers(host) {
  run = await open(host);
  const page = await run.page();
  await page.goto(`${run.url(card)}#network.ranks=32&network.payload=1+GB&network.bandwidth=100+GB/s`);
  await page.waitForSelector('.lab[data-state="live"]');
  assert.equal(await page.$eval('.lab output[data-metric="time"]', (output) => output.textContent), "19.685 ms");
  return page;
}

test("a lab runs on a plain host, below a path", { skip }, async () => {
  const page = await answers({ host: "atlas.test", path: "/some/where/" });
  assert.match(page.url(), /^http:\/\/atlas\.test:\d+\/some\/where\/cards\//);
  assert.equal(await page.evaluate(() => isSecureContext), false);
});

test("a lab runs where the host's policy forbids workers from text", { skip }, () =>
  answers({ policy: "default-src 'self' 'unsafe-inline' 'unsafe-eval' data:" }));

test("a lab runs where the host's policy forbids eval", { skip }, () =>
  answers({ policy: "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data: blob:" }));
