/**
 * A host in a local network: plain http, a name of its own, the site below a path. Browsers keep `crypto.subtle` and other
 * things from such a page; the lab runs all the same.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { card, open, scheme } from "./harness.mjs";

const skip = scheme === "http" ? false : "a page from disk has no host";

let run;
before(async () => {
  if (!skip) run = await open({ host: "atlas.test", path: "/some/where/" });
});
after(() => run?.close());

test("a lab runs on a plain host, below a path", { skip }, async () => {
  const page = await run.page();
  await page.goto(`${run.url(card)}#network.ranks=32&network.payload=1+GB&network.bandwidth=100+GB/s`);
  assert.match(page.url(), /^http:\/\/atlas\.test:\d+\/some\/where\/cards\//);
  assert.equal(await page.evaluate(() => isSecureContext), false);
  await page.waitForSelector('.lab[data-state="live"]');
  assert.equal(await page.$eval('.lab output[data-metric="time"]', (output) => output.textContent), "19.685 ms");
});
