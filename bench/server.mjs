/** A good static host: text and WebAssembly zipped once, hashed names kept for a year. It counts what it sends. */
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};
const ZIPPED = [".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm"];
const HASHED = /\.[0-9a-f]{8,}\./;
const PINNED = /\/pyodide\//; // one version, so that a host may keep its files as long
const FROM_DISK_ONLY = /\.disk\.js$/;

/**
 * Serve folders, each under its name.
 * @param {Record<string, string>} folders name -> folder
 * @returns {Promise<{url: (path: string) => string, sent: () => {path: string, bytes: number, at: number}[], close: () => void}>}
 *   `sent` gives the answers since it was last called: encoded size of the body, and when it was asked for (ms since 1970)
 */
export async function serve(folders) {
  const files = new Map();
  for (const [name, folder] of Object.entries(folders)) {
    for (const path of await filesIn(folder)) files.set(`/${name}/${path}`, await prepared(join(folder, path)));
  }
  let log = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split("?")[0]).replace(/\/$/, "/index.html");
    const file = files.get(path);
    if (!file) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    log.push({ path, bytes: file.body.length, at: performance.timeOrigin + performance.now() });
    const forever = HASHED.test(path) || PINNED.test(path);
    response.writeHead(200, {
      ...file.headers,
      "content-length": file.body.length,
      "cache-control": `public, max-age=${forever ? 31536000 : 600}`,
    });
    response.end(file.body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: (path) => `http://127.0.0.1:${server.address().port}/${path}`,
    sent: () => {
      const sent = log;
      log = [];
      return sent;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function prepared(path) {
  const suffix = extname(path);
  const headers = { "content-type": TYPES[suffix] ?? "application/octet-stream" };
  const content = await readFile(path);
  if (!ZIPPED.includes(suffix)) return { headers, body: content };
  return { headers: { ...headers, "content-encoding": "gzip" }, body: gzipSync(content, { level: 9 }) };
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !FROM_DISK_ONLY.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
