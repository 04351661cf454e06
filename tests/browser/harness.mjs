/**
 * A real browser on the built site, over http or from disk, with the network off.
 *
 * Set by the environment: ATLAS_BROWSER (chromium, firefox), ATLAS_EXECUTABLE (its path), ATLAS_SCHEME (http, file),
 * ATLAS_SITE (the built site).
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import puppeteer from "puppeteer-core";

export const browserName = process.env.ATLAS_BROWSER ?? "chromium";
export const scheme = process.env.ATLAS_SCHEME ?? "http";
export const site = resolve(process.env.ATLAS_SITE ?? "site");
export const card = "cards/parallelism-communication-budget.html";

const WAIT = 60_000; // ms; a busy machine starts Python in ten seconds
const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * Start a browser, and over http a server of a folder that sends no special headers.
 * @param {{folder?: string, host?: string, path?: string, withheld?: Set<string>, policy?: string, preferences?: Record<string, unknown>,
 *   args?: string[]}} options
 *   the folder to show; over http the host's name, the path that the site stands at, the parts that the server sends only half
 *   of and does not end, and its content security policy; Firefox's preferences; Chromium's switches
 */
export async function open({
  folder = site, host = "127.0.0.1", path = "/", withheld = new Set(), policy, preferences = {}, args = [],
} = {}) {
  const strangers = [];
  const server = createServer(serve({ folder, home: path, withheld, policy, strangers }));
  server.on("connect", (request, socket) => {
    strangers.push(request.url);
    socket.end("HTTP/1.1 502 No network\r\n\r\n");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  const browser = await launch(host, port, preferences, args);
  const home = scheme === "http" ? `http://${host}:${port}${path}` : pathToFileURL(join(folder, "/")).href;
  return {
    browser,
    strangers,
    url: (path) => home + path,
    page: async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(WAIT);
      page.setDefaultNavigationTimeout(WAIT);
      return page;
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function serve({ folder, home, withheld, policy, strangers }) {
  return async (request, response) => {
    if (!request.url.startsWith("/")) {
      strangers.push(request.url); // as a proxy it is asked for whole addresses
      response.writeHead(502).end();
      return;
    }
    const path = decodeURIComponent(request.url.split("?")[0]).replace(/\/$/, "/index.html");
    try {
      if (!path.startsWith(home)) throw new Error("not of the site");
      const content = await readFile(join(folder, normalize(path.slice(home.length))));
      const allowed = policy ? { "content-security-policy": policy } : {};
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...allowed });
      if (withheld.has(basename(path).split(".")[0])) response.write(content.subarray(0, content.length / 2));
      else response.end(content);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    }
  };
}

/** Both browsers get our own server as the proxy for every other host; it refuses, and notes who was asked for. */
function launch(host, port, preferences, args) {
  const executablePath = process.env.ATLAS_EXECUTABLE;
  if (browserName === "firefox") {
    const proxy = Object.fromEntries(
      ["http", "ssl"].flatMap((kind) => [
        [`network.proxy.${kind}`, "127.0.0.1"],
        [`network.proxy.${kind}_port`, port],
      ]),
    );
    return puppeteer.launch({
      browser: "firefox",
      executablePath: executablePath ?? "/usr/bin/firefox-esr",
      extraPrefsFirefox: {
        "network.proxy.type": 1,
        ...proxy,
        "network.proxy.no_proxies_on": host,
        "network.dns.localDomains": host,
        ...preferences,
      },
    });
  }
  return puppeteer.launch({
    executablePath: executablePath ?? "/usr/bin/chromium",
    // Containers and some systems have no sandbox for it; the pages are our own.
    args: [
      "--no-sandbox",
      `--proxy-server=127.0.0.1:${port}`,
      `--proxy-bypass-list=${host}`,
      `--host-resolver-rules=MAP ${host} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ...args,
    ],
  });
}
