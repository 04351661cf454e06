/** Each measurement, one run of it in a browser that is new. The other side is what the site is compared with. */
import { pause, tab, withFresh } from "./browsers.mjs";
import { CHANGES, RANKS, WORK } from "./measurements.mjs";
import { expectStart, fromDisk, PAGES, ring, visit, visitTwice } from "./visits.mjs";
import { measureChanges, measureMachine, startMachine, watchStop } from "./watch.mjs";

const LOOP = 500; // ms that the endless loop runs before Stop
const TURN = 20; // changes without a break
const WAIT = 40; // ms between two changes, at most

/** Plain Pyodide: two visits, and a restart. */
export function plainRun({ name, path, server }) {
  return withFresh(name, path, async (browser) => {
    const { first, second, bytes, page } = await visitTwice(browser, server, PAGES.plain);
    const stop = await page.evaluate(async () => {
      const begun = performance.now();
      await globalThis.restart();
      return performance.now() - begun;
    });
    return { "http-first": first, "http-second": second, bytes, stop: stop / 1000 };
  });
}

/** The site: two visits, and Stop while a cell's loop runs. */
export function siteRun({ name, path, server }) {
  return withFresh(name, path, async (browser) => {
    const { first, second, bytes, page } = await visitTwice(browser, server, PAGES.site);
    return { "http-first": first, "http-second": second, bytes, stop: await stop(page) };
  });
}

/** The site from disk: as it is, or without Python's memory. */
export function diskRun({ name, path, folder, way }) {
  return withFresh(name, path, async (browser) => {
    const { seconds, how } = await visit(browser, fromDisk(folder));
    expectStart(how, way);
    return { disk: seconds };
  });
}

/** Changes of a control, and as much fixed work without the site, a few of the one and of the other in turn; seconds each. */
export function changesRun({ name, path, server }) {
  return withFresh(name, path, async (browser) => {
    const { page } = await visit(browser, server.url(PAGES.site), ring(RANKS));
    await pause(1000); // the result has been announced and kept
    await page.evaluate(startMachine, WORK);
    await page.evaluate(measureChanges, { control: "payload", changes: 10, wait: 20 }); // Python and browser warm up
    const taken = { reply: [], frame: [], paint: [], machine: [] };
    for (let i = 0; i < CHANGES; i += TURN) {
      const until = await page.evaluate(measureChanges, { control: "payload", changes: TURN, wait: WAIT });
      const machine = await page.evaluate(measureMachine, { times: TURN, wait: WAIT });
      for (const [what, times] of Object.entries({ ...until, machine })) taken[what].push(...times.map((ms) => ms / 1000));
    }
    return taken;
  });
}

async function stop(page) {
  await page.evaluate(watchStop);
  await page.click("section.lab details.cell > summary");
  const editor = await page.waitForSelector('section.lab details.cell [role="textbox"], section.lab details.cell textarea', { visible: true });
  await editor.focus();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type("while True: pass");
  await page.click('section.lab details.cell [data-do="run"]');
  await pause(LOOP);
  await page.click('section.lab details.cell [data-do="stop"]');
  return (await page.evaluate(() => globalThis.bench.stopped)) / 1000;
}
