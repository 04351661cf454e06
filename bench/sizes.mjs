/** What the site weighs: its parts, its pages, the whole. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const ZIPPED_BY_HOST = [".css", ".html", ".js", ".json", ".svg", ".xml"];

/**
 * Return bytes of the site.
 * @param {string} site
 * @returns {Promise<{site: {raw: number, sent: number}, parts: Record<string, {raw: number, sent: number}>, page: {raw: number, sent: number}}>}
 *   raw: on disk; sent: as a host sends it; page: the largest of the cards'
 */
export async function sizes(site) {
  const files = await Promise.all((await filesIn(site)).map(weigh));
  const parts = files.filter(({ path }) => /assets\/lab\/[^/]+$/.test(path) && !/\.disk\.js$/.test(path));
  const cards = files.filter(({ path }) => /\/cards\/[^/]+\.html$/.test(path));
  return {
    site: { raw: total(files, "raw"), sent: total(files.filter(({ path }) => !/\.disk\.js$/.test(path)), "sent") },
    parts: Object.fromEntries(parts.map(({ path, raw, sent }) => [nameOf(path), { raw, sent }]).sort()),
    page: cards.map(({ raw, sent }) => ({ raw, sent })).reduce((most, card) => (card.raw > most.raw ? card : most)),
  };
}

async function weigh(path) {
  const content = await readFile(path);
  const sent = ZIPPED_BY_HOST.includes(extname(path)) ? gzipSync(content, { level: 9 }).length : content.length;
  return { path, raw: content.length, sent };
}

const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1).split(".")[0];
const total = (files, what) => files.reduce((sum, file) => sum + file[what], 0);

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
