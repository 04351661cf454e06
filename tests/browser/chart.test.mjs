/** Charts in a real browser: read by pointer, by key and by screen reader; no name touches another or leaves the picture. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { open } from "./harness.mjs";
import { DEFAULT, live, PRESETS, press, says, shows, stage, type } from "./stage.mjs";

let run;
before(async () => {
  run = await open();
});
after(() => run.close());

const chart = (id) => `.lab-frame [data-series="${id}"]`;
const readout = (page, id) => page.$$eval(`${chart(id)} .lab-readout strong`, (places) => places.map((place) => place.textContent));
const rows = (page, id) =>
  page.$$eval(`${chart(id)} .lab-points tbody tr`, (found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
const spoken = (page, id) => page.$eval(`${chart(id)} .lab-cursor`, (cursor) => cursor.getAttribute("aria-valuetext"));
const marked = (page, id) => page.$eval(`${chart(id)} .lab-mark`, (mark) => mark.getAttribute("visibility") === "visible");

/** Put the pointer at a place of the drawing, in the drawing's own units. */
async function point(page, id, x, y) {
  const [left, top] = await page.$eval(
    `${chart(id)} .lab-plot svg`,
    (svg, a, b) => {
      svg.scrollIntoView({ block: "center" });
      const box = svg.getBoundingClientRect();
      const { width, height } = svg.viewBox.baseVal;
      return [box.left + (a / width) * box.width, box.top + (b / height) * box.height];
    },
    x,
    y,
  );
  await page.mouse.move(left, top);
}

test("at rest the readout is the current point; the pointer reads the nearest value; leaving goes back", async () => {
  const page = await stage(run);
  const id = "time-against-payload";
  assert.deepEqual(await readout(page, id), ["100 MB", "3.57 ms", "70 µs", "3.5 ms"]);
  assert.equal(await marked(page, id), false);
  const places = await page.$$eval(`${chart(id)} .lab-points tbody tr`, (found) => found.map((row) => row.dataset.at.split(" ").map(Number)));
  const table = await rows(page, id);
  for (const i of [0, 7, table.length - 1]) {
    await point(page, id, places[i][0] + 1, 100);
    assert.deepEqual(await readout(page, id), table[i]);
    assert.equal(await marked(page, id), true);
    const drawn = await page.$eval(`${chart(id)} .lab-mark`, (mark) => ({
      line: mark.querySelector("path").getAttribute("transform"),
      dots: [...mark.querySelectorAll("circle")].map((dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))]),
    }));
    assert.equal(drawn.line, `translate(${places[i][0]} 0)`);
    assert.deepEqual(drawn.dots, places[i].slice(1).map((y) => [places[i][0], y]));
  }
  // 1 kB over 8 ranks: 14 (5 µs + 1 kB / (8 × 50 GB/s)) = 70.035 µs
  assert.deepEqual(table[0], ["1 kB", "70.035 µs", "70 µs", "35 ns"]);
  await page.mouse.move(2, 2);
  assert.deepEqual(await readout(page, id), ["100 MB", "3.57 ms", "70 µs", "3.5 ms"]);
  assert.equal(await marked(page, id), false);
  await page.close();
});

test("one tab stop a chart; arrows, Home and End read every value, and say it", async () => {
  const page = await stage(run);
  const id = "time-against-ranks";
  const stops = await page.$$eval(`${chart(id)} .lab-plot :is([tabindex], input, button, a)`, (found) => found.length);
  assert.equal(stops, 1);
  await page.focus(`${chart(id)} .lab-cursor`);
  const table = await rows(page, id);
  const start = table.findIndex(([ranks]) => ranks === "8");
  assert.equal(await spoken(page, id), `Ranks 8, time 3.57 ms, latency term 70 µs, bandwidth term 3.5 ms`);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await readout(page, id), table[start + 1]);
  assert.equal(await spoken(page, id), table[start + 1].map((text, i) => `${["Ranks", "time", "latency term", "bandwidth term"][i]} ${text}`).join(", "));
  assert.equal(await marked(page, id), true);
  await page.keyboard.press("Home");
  // 2 (5 µs + 100 MB / (2 × 50 GB/s)) = 2.01 ms
  assert.deepEqual(await readout(page, id), ["2", "2.01 ms", "10 µs", "2 ms"]);
  await page.keyboard.press("End");
  assert.deepEqual(await readout(page, id), table.at(-1));
  assert.notEqual(await page.$eval(`${chart(id)} .lab-plot`, (plot) => getComputedStyle(plot).outlineStyle), "none");
  await page.keyboard.press("Tab");
  assert.deepEqual(await readout(page, id), table[start]);
  assert.equal(await marked(page, id), false);
  await page.close();
});

test("bars are read by pointer and key too", async () => {
  const page = await stage(run);
  const table = await rows(page, "changes");
  assert.deepEqual(await readout(page, "changes"), table[0]);
  const [x, y, width, height] = await page.$eval(`${chart("changes")} tbody tr:nth-child(3)`, (row) => row.dataset.at.split(" ").map(Number));
  await point(page, "changes", x + width / 2, y + height / 2);
  assert.deepEqual(await readout(page, "changes"), table[2]);
  // twice the bandwidth: 70 µs + 1.75 ms
  assert.deepEqual(table[2].slice(1), ["70 µs", "1.75 ms", "1.82 ms"]);
  await page.focus(`${chart("changes")} .lab-cursor`);
  await page.keyboard.press("End");
  assert.deepEqual(await readout(page, "changes"), table.at(-1));
  await page.close();
});

test("a new frame leaves the cursor where the reader has it, and the picture where it was", async () => {
  const page = await stage(run);
  const id = "time-against-ranks";
  await page.focus(`${chart(id)} .lab-cursor`);
  await page.keyboard.press("End");
  const size = () => page.$eval(`${chart(id)} .lab-plot`, (plot) => [plot.getBoundingClientRect().width, plot.getBoundingClientRect().height]);
  const before = await size();
  await page.evaluate(() => document.querySelector('[data-choose="thousand"]').click());
  await shows(page, PRESETS.thousand);
  assert.ok(await page.evaluate(() => document.activeElement.matches(".lab-cursor")));
  assert.deepEqual(await readout(page, id), (await rows(page, id)).at(-1));
  assert.deepEqual(await size(), before);
  await page.close();
});

test("a live chart's table is put in place as it is unfolded, and stays so, with the numbers of each new frame", async () => {
  const page = await stage(run);
  const id = "time-against-payload";
  const change = async (ranks) => {
    await type(page, "ranks", ranks);
    await shows(page, { ...DEFAULT, p: Number(ranks) });
  };
  await live(page);
  await change("2");
  assert.deepEqual(await rows(page, id), []);
  await press(page, `${chart(id)} .lab-numbers > summary`);
  await page.waitForSelector(`${chart(id)} .lab-points`, { visible: true });
  // 2 (5 µs + 1 kB / (2 × 50 GB/s)) = 10.02 µs
  assert.deepEqual((await rows(page, id))[0], ["1 kB", "10.02 µs", "10 µs", "20 ns"]);
  await change("4");
  // 6 (5 µs + 1 kB / (4 × 50 GB/s)) = 30.03 µs
  assert.deepEqual((await rows(page, id))[0], ["1 kB", "30.03 µs", "30 µs", "30 ns"]);
  assert.ok(await page.$eval(`${chart(id)} .lab-numbers`, (numbers) => numbers.open));
  assert.deepEqual(await rows(page, "time-against-ranks"), []); // folded still
  await page.close();
});

/** Return every pair of texts that touch, and every text that stands outside its picture. */
const clashes = (page) =>
  page.evaluate(() => {
    const wrong = [];
    for (const svg of document.querySelectorAll(".lab-frame .lab-plot svg")) {
      const frame = svg.parentElement.getBoundingClientRect();
      const texts = [...svg.querySelectorAll("text")].filter((text) => getComputedStyle(text).visibility !== "hidden");
      const boxes = texts.map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }));
      boxes.forEach(({ words, box }, i) => {
        const outside = box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
        if (outside) wrong.push(`outside: ${words}`);
        for (const other of boxes.slice(i + 1)) {
          const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          // Boxes of text hold room above and below the letters.
          const along = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) - box.height * 0.3;
          if (across > 0.5 && along > 0.5) wrong.push(`${words} | ${other.words}`);
        }
      });
    }
    return wrong;
  });

for (const width of [1280, 720, 360]) {
  test(`no name touches another or leaves the picture, ${width} wide`, async () => {
    const page = await stage(run, { width });
    await page.evaluate(() => document.fonts.ready);
    assert.deepEqual(await clashes(page), []);
    for (const id of Object.keys(PRESETS)) {
      await press(page, `[data-choose="${id}"]`);
      await shows(page, PRESETS[id]);
      assert.deepEqual(await clashes(page), [], id);
    }
    await live(page);
    const extremes = [{ ranks: "1" }, { ranks: "1000000" }, { payload: "0" }, { latency: "0" }, { latency: "1000 s" }, { payload: "1e18", bandwidth: "1" }];
    for (const texts of extremes) {
      await press(page, ".lab-reset");
      await says(page, "Live: Time 3.57 ms");
      for (const [name, text] of Object.entries(texts)) await type(page, name, text);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => !document.querySelector(".lab-status").textContent.includes("3.57 ms"));
      assert.deepEqual(await clashes(page), [], JSON.stringify(texts));
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
    await page.close();
  });
}

test("text of a chart is large enough to read on a phone", async () => {
  const page = await stage(run, { width: 360 });
  const sizes = await page.$$eval(".lab-frame .lab-plot svg text", (texts) =>
    texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a),
  );
  assert.ok(Math.min(...sizes) >= 9.5, `${Math.min(...sizes)} px`);
  await page.close();
});

test("nothing moves by itself", async () => {
  const page = await stage(run);
  await page.emulateMediaFeatures?.([{ name: "prefers-reduced-motion", value: "reduce" }]).catch(() => {});
  await press(page, '[data-choose="small"]');
  await shows(page, PRESETS.small);
  await page.focus(`${chart("changes")} .lab-cursor`);
  await page.keyboard.press("End");
  assert.equal(await page.$eval(".lab", (lab) => lab.getAnimations({ subtree: true }).length), 0);
  await page.close();
});
