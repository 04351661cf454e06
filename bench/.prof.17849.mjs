import { writeFileSync } from "node:fs";
import { makeSites } from "/work/main/bench/sites.mjs";
import { serve } from "/work/main/bench/server.mjs";
import { withFresh, found, pause } from "/work/main/bench/browsers.mjs";
import { visit, pages, fromDisk } from "/work/main/bench/visits.mjs";
import { rm, mkdir } from "node:fs/promises";
import { loadavg } from "node:os";
const scratch = "/tmp/bench/scratch-p";
await rm(scratch, {recursive: true, force: true}); await mkdir(scratch, {recursive: true});
const sites = await makeSites(process.env.SITE ?? "/tmp/bench/site-marks", scratch);
const server = await serve({site: sites.site});
const ways = process.env.WAYS?.split(",") ?? ["http","again","disk"];
for (const [name, path] of Object.entries(found())) {
  if (process.env.BROWSER && process.env.BROWSER !== name) continue;
  const rows = {};
  for (let i = 0; i < Number(process.env.N ?? 3); i++)
    await withFresh(name, path, async (browser) => {
      try { if (process.env.QUIET !== '0') writeFileSync(`/proc/${browser.process().pid}/autogroup`, '-11'); } catch (e) { console.log(e.message); }
      for (const way of ways) {
        const v = await visit(browser, way === "disk" ? fromDisk(sites.site) : server.url(pages.site));
        const marks = await v.page.evaluate(() => {
          const t = performance.timeOrigin; const n = performance.getEntriesByType("navigation")[0];
          return [["responseEnd", n.responseEnd], ["domInteractive", n.domInteractive], ["DCL end", n.domContentLoadedEventEnd], ["load", n.loadEventEnd], ...performance.getEntriesByType("paint").map((p) => [p.name, p.startTime]),
            ...globalThis.marks.map(([n, at]) => ["P " + n, at - t]), ...(globalThis.workerMarks ?? []).map(([n, at]) => ["    W " + n, at - t])];
        });
        marks.push(["RESULT", v.seconds * 1000]);
        for (const [n, ms] of marks) ((rows[way] ??= {})[n] ??= []).push(ms);
        await pause(3000); await v.page.close();
      }
    });
  for (const [way, r] of Object.entries(rows)) {
    console.log("==", name, way, "load", loadavg()[0].toFixed(1));
    const list = Object.entries(r).map(([n, v]) => [n, v.sort((a,b)=>a-b)]).sort((a,b)=> a[1][a[1].length>>1]-b[1][b[1].length>>1]);
    for (const [n, v] of list) console.log(String(v[v.length>>1].toFixed(0)).padStart(6), n, v.length > 1 ? `(${v[0].toFixed(0)}–${v.at(-1).toFixed(0)})` : "");
  }
}
server.close();
