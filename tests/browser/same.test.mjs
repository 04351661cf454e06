/** Python in the browser gives the frames that CPython gives. ATLAS_CASES names the file of requests and replies. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { differences } from "../labs/same.mjs";
import { card, open } from "./harness.mjs";

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

test("every lab at its defaults, presets and the ends of its controls", async () => {
  const cases = JSON.parse(await readFile(process.env.ATLAS_CASES, "utf8"));
  assert.ok(cases.length >= 9);
  const page = await run.page();
  await page.goto(run.url(card));
  const [frames, starts] = await page.evaluate(async (requests) => {
    let starts = 0;
    globalThis.atlas.runtime.addEventListener("state", ({ detail }) => (starts += detail === "starting"));
    const frames = [];
    for (const request of requests) {
      const { frame, message } = await globalThis.atlas.runtime.ask(request);
      frames.push(frame ?? message);
    }
    return [frames, starts];
  }, cases.map(({ request }) => request));
  const found = cases.flatMap(({ request, reply }, i) => differences(reply.frame ?? reply.message, frames[i], `${request.lab} ${request.id}`));
  assert.deepEqual(found, []);
  assert.ok(starts <= 1, "the quick engine holds all that these call");
});
