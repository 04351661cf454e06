/** The site's search finds a word that stands only in a card, over http and from disk. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { open } from "./harness.mjs";

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

for (const start of ["index.html", "cards/nccl.html"]) {
  test(`from ${start}, a word of a card leads to its page`, async () => {
    const page = await run.page();
    await page.goto(run.url(start));
    await page.waitForSelector(".md-search__input");
    await page.keyboard.press("s"); // the theme's key for the search
    await page.waitForFunction(() => document.activeElement?.matches(".md-search__input"));
    await page.keyboard.type("Megatron-LM");
    const found = await page.waitForSelector('.md-search-result__link[href*="cards/parallelism.html"]');
    await found.evaluate((link) => link.click());
    await page.waitForFunction(() => location.pathname.endsWith("/cards/parallelism.html"));
    assert.match(await page.title(), /^Data, tensor, pipeline/);
    await page.close();
  });
}

test("a lab that was linked to answers before the theme's scripts run, and then they do", async () => {
  const page = await run.page();
  await page.evaluateOnNewDocument(() => {
    addEventListener("DOMContentLoaded", () => {
      const watch = new MutationObserver(() => {
        globalThis.whenAnswered = [performance.now(), document.querySelectorAll('body > script[src*="/bundle."]').length];
        watch.disconnect();
      });
      watch.observe(document.documentElement, { attributeFilter: ["data-answering"] });
    });
  });
  await page.goto(`${run.url("labs/network.html")}#network.ranks=33`);
  await page.waitForFunction(() => globalThis.whenAnswered && document.querySelector('body > script[src*="/bundle."]'));
  const [ms, scripts] = await page.evaluate(() => globalThis.whenAnswered);
  assert.ok(scripts === 0 || ms > 1500, "they wait no longer than that");
  await page.waitForFunction(() => globalThis.keyboard$); // the theme's, once it has run
  await page.keyboard.press("s");
  await page.waitForFunction(() => document.activeElement?.matches(".md-search__input"));
  await page.keyboard.type("Megatron-LM");
  await page.waitForSelector('.md-search-result__link[href*="cards/parallelism.html"]');
  await page.close();
});
