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
