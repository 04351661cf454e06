/**
 * Measure the built site against its plain alternatives, in the browsers that are here, and write bench/results.json.
 *
 *     node bench/run.mjs
 *
 * Set by the environment: BENCH_RUNS (7), BENCH_SITE (site), BENCH_RESULTS (bench/results.json).
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, platform, arch, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { buildTimes } from "./build.mjs";
import { found, versionOf } from "./browsers.mjs";
import { judge } from "./claims.mjs";
import { changesRun, diskRun, plainRun, siteRun } from "./measures.mjs";
import { Runs } from "./results.mjs";
import { serve } from "./server.mjs";
import { makeSites, pyodideVersion } from "./sites.mjs";
import { sizes } from "./sizes.mjs";
import { table, verdicts } from "./table.mjs";

const RUNS = Number(process.env.BENCH_RUNS ?? 7);
const SITE = resolve(process.env.BENCH_SITE ?? "site");
const RESULTS = process.env.BENCH_RESULTS ?? fileURLToPath(new URL("results.json", import.meta.url));

/** Alternate the sides within each run, so that whatever else the machine does falls on all of them. */
async function measure(name, path, sites, server) {
  const runs = new Runs();
  for (let run = 1; run <= RUNS; run += 1) {
    console.log(`${name}, run ${run} of ${RUNS} …`);
    runs.add("plain", await plainRun({ name, path, server }));
    runs.add("site", await siteRun({ name, path, server }));
    runs.add("bare", await diskRun({ name, path, folder: sites.bare, way: "plain" }));
    runs.add("site", await diskRun({ name, path, folder: sites.site, way: "memory" }));
  }
  runs.add("site", await changesRun({ name, path, server }));
  return runs.measurements(name);
}

/** Measure in every browser. One that fails is told and left out: what the other has given is worth keeping. */
async function measureAll(browsers, sites) {
  const measurements = [];
  const versions = {};
  const server = await serve(sites);
  for (const [name, path] of Object.entries(browsers)) {
    try {
      const version = await versionOf(name, path);
      const measured = await measure(name, path, sites, server);
      console.log(`\n${version}\n${table(measured)}\n`);
      versions[name] = version;
      measurements.push(...measured);
    } catch (error) {
      console.error(`${name} is left out: ${error.stack}`);
      process.exitCode = 1;
    }
  }
  server.close();
  if (!measurements.length) throw new Error("expected results of one browser at least, found none");
  return { measurements, versions };
}

async function main() {
  const browsers = found();
  if (!Object.keys(browsers).length) throw new Error("expected a Chromium or a Firefox in PATH, found neither");
  const scratch = await mkdtemp(join(tmpdir(), "atlas-bench-"));
  const before = loadavg()[0];
  try {
    // First, since it is quick to fail: whatever it says, no measurement is lost with it.
    console.log("building sites of few and of many cards …");
    const builds = await buildTimes(scratch);
    const { measurements, versions } = await measureAll(browsers, await makeSites(SITE, scratch));
    const claims = judge(measurements);
    const results = {
      date: new Date().toISOString().slice(0, 10),
      runs: RUNS,
      machine: {
        processor: cpus()[0].model.trim(),
        cores: cpus().length,
        memory: totalmem(),
        system: `${platform()} ${arch()}`,
        load: [before, loadavg()[0]].map((load) => Number(load.toFixed(2))),
      },
      versions: { pyodide: await pyodideVersion(), node: process.versions.node, ...versions },
      measurements,
      claims,
      sizes: await sizes(SITE),
      builds,
    };
    await writeFile(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
    console.log(verdicts(claims));
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
