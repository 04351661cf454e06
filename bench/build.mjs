/** How long a site of few and of many cards takes to build, when the browser's parts are there. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OWN_PYTHON = join(ROOT, ".venv/bin/python"); // first in PATH only under make
const PYTHON = existsSync(OWN_PYTHON) ? OWN_PYTHON : "python";
const MANY = 100;

/**
 * Build twice, into a scratch folder.
 * @param {string} scratch
 * @returns {Promise<{cards: number, seconds: number}[]>}
 */
export async function buildTimes(scratch) {
  const own = join(ROOT, "cards");
  const count = (await readdir(own)).filter((file) => file.endsWith(".json") && file !== "card.schema.json").length;
  return [
    { cards: count, seconds: build(own, join(scratch, "few")) },
    { cards: MANY, seconds: build(await manyCards(own, join(scratch, "cards")), join(scratch, "many")) },
  ];
}

/** Write the first of the cards many times, each under another id. */
async function manyCards(source, folder) {
  await mkdir(folder);
  const card = JSON.parse(await readFile(join(source, "parallelism-communication-budget.json"), "utf8"));
  for (let i = 1; i <= MANY; i += 1) {
    const copy = { ...card, id: `card-${i}`, name: `${card.name} ${i}`, related: [], prerequisites: [] };
    await writeFile(join(folder, `${copy.id}.json`), JSON.stringify(copy));
  }
  return folder;
}

function build(cards, out) {
  const begun = performance.now();
  const done = spawnSync(PYTHON, ["-m", "macros", "site", "--cards", cards, "--out", out], { cwd: ROOT, encoding: "utf8" });
  if (done.error) throw done.error; // no such program
  if (done.status !== 0) throw new Error(`the build of ${cards} failed\n${done.stdout}${done.stderr}`);
  return Number(((performance.now() - begun) / 1000).toFixed(2));
}
