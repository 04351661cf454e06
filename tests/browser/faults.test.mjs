/** A lab that can't run says why in plain words, offers Retry, and keeps the page as it was. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";

import { card, open, scheme, site } from "./harness.mjs";
import { pause, PRESETS, press, says, shows, stage, unseen } from "./stage.mjs";

const withheld = new Set(); // parts that stop half-way, over http
let folder;
let run;
let page;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atlas-"));
  await cp(site, folder, { recursive: true });
  run = await open({ folder, withheld });
});
after(async () => {
  await run.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await page?.close();
  page = await run.page();
});

const ending = scheme === "http" ? /^(?!.*\.disk\.js$).*$/ : /\.disk\.js$/;

/** The file that this scheme reads for a part. */
async function partFile(name) {
  const names = (await readdir(join(folder, "assets/lab"))).filter((file) => file.startsWith(`${name}.`) && ending.test(file));
  assert.equal(names.length, 1, `expected one file of part ${name}, found ${names}`);
  return join(folder, "assets/lab", names[0]);
}

async function touch() {
  await page.goto(run.url(card));
  await page.focus('.lab input[name="ranks"]');
}

async function failsWith(words) {
  await page.waitForSelector('.lab[data-state="error"]');
  const [status, shown, time] = await page.$eval(".lab", (lab) => [
    lab.querySelector(".lab-status").textContent,
    lab.querySelector(".lab-retry").checkVisibility(),
    lab.querySelector('output[data-metric="time"]').textContent,
  ]);
  assert.match(status, words);
  assert.ok(shown, "Retry is there");
  assert.match(time, /\d/, "the first frame stays");
}

async function retryWorks() {
  await page.focus(".lab-retry");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.lab[data-state="live"]');
  assert.equal(await page.$eval(".lab-retry", (button) => button.checkVisibility()), false);
}

/** Break a part, see that the lab says so; where asked, mend it and see that Retry is enough. */
async function broken(name, harm, words, { mend = false } = {}) {
  const file = await partFile(name);
  const content = await readFile(file);
  try {
    await harm(file, content);
    await touch();
    await failsWith(words);
  } finally {
    await writeFile(file, content);
  }
  if (mend) await retryWorks();
}

const cut = (file, content) => writeFile(file, content.subarray(0, content.length / 2));

test("the python file is missing", () => broken("python", (file) => rm(file), /missing/));

// One Retry will do for all: each is a start of Python.
test("the python file is cut in half", () => broken("python", cut, /damaged or cut short/, { mend: true }));

for (const [what, harm] of [["missing", (file) => rm(file)], ["cut in half", cut]]) {
  test(`the quick engine is ${what}: the whole one runs the labs`, async () => {
    const file = await partFile("quick");
    const content = await readFile(file);
    try {
      await harm(file, content);
      await touch();
      await page.waitForSelector('.lab[data-state="live"]');
    } finally {
      await writeFile(file, content);
    }
  });
}

/** Break the memory, and another part too where asked: Python then starts from the beginning, if it can. */
async function withoutMemory(harm, other, harmOther) {
  const files = await Promise.all(["memory", ...(other ? [other] : [])].map(partFile));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  try {
    await harm(files[0], contents[0]);
    if (other) await harmOther(files[1], contents[1]);
    await touch();
    await page.waitForSelector('.lab[data-state="live"], .lab[data-state="error"]');
    return await page.$eval(".lab", (lab) => [lab.dataset.state, lab.querySelector(".lab-status").textContent]);
  } finally {
    await Promise.all(files.map((file, i) => writeFile(file, contents[i])));
  }
}

/** A part that is whole and says something else. */
const other = (name) => (file) => {
  const bytes = gzipSync("something else");
  return writeFile(file, scheme === "http" ? bytes : `atlasPart("${name}","${bytes.toString("base64")}")`);
};

for (const [what, harm] of [["missing", (file) => rm(file)], ["cut in half", cut], ["of another build", other("memory")]]) {
  test(`the memory file is ${what}: Python starts without it`, async () => {
    const [state] = await withoutMemory(harm);
    assert.equal(state, "live");
  });
}

test("neither memory nor standard library: the lab says so", async () => {
  const [state, status] = await withoutMemory((file) => rm(file), "stdlib", (file) => rm(file));
  assert.equal(state, "error");
  assert.match(status, /stdlib.*missing/);
});

test("the labs file is whole, but of another build", async () => {
  const [state, status] = await withoutMemory((file) => rm(file), "labs", other("labs"));
  assert.equal(state, "error");
  assert.match(status, /not the one that this page was built with/);
});

test("more is called than the quick engine holds: the whole one goes on from there, and nobody sees a failure", async () => {
  await touch();
  await page.waitForSelector('.lab[data-state="live"]');
  const before = await page.$eval('output[data-metric="time"]', (time) => time.textContent);
  const [message, states] = await page.evaluate(async () => {
    const states = [];
    const { runtime } = globalThis.atlas;
    runtime.addEventListener("state", ({ detail }) => states.push(detail));
    // No field holds such an input, so that the labs are not tried with it at build.
    const { message } = await runtime.ask({ lab: "network", inputs: { ranks: { 1: [2.5, null] } } });
    return [message, states];
  });
  assert.match(message, /^expected a plain number such as 32, found .*2\.5, None/);
  assert.deepEqual(states, ["starting", "ready"]);
  await page.$eval('.lab input[name="ranks"]', (field) => field.select());
  await page.keyboard.type("33");
  await page.waitForFunction((before) => document.querySelector('output[data-metric="time"]').textContent !== before, {}, before);
  assert.equal(await page.$eval(".lab", (lab) => lab.dataset.state), "live");
});

test("the whole engine is missing: the labs are live, and a reader's code hears of it", async () => {
  const file = await partFile("wasm");
  const content = await readFile(file);
  try {
    await rm(file);
    await touch();
    await page.waitForSelector('.lab[data-state="live"]');
    const ask = () => page.evaluate(() => globalThis.atlas.runtime.ask({ code: "6 * 7", name: "cell" }).then(({ value }) => value, (error) => error.message));
    assert.match(await ask(), /missing/);
    await failsWith(/stopped/);
    await retryWorks(); // on the quick engine, as before
    await writeFile(file, content);
    assert.equal(await ask(), "42");
  } finally {
    await writeFile(file, content);
  }
});

/** Before the page's scripts. */
const withoutWebAssembly = () => {
  delete globalThis.WebAssembly;
};

/** Open the card anew, with nothing kept and nothing seen. */
async function restage(...before) {
  await page.close();
  page = await stage(run, { before: [unseen, ...before] });
}

/** Break the file with the presets while something is done with the page; it is whole again afterwards. */
async function withBrokenPresets(harm, act) {
  const [name] = (await readdir(join(folder, "assets/lab"))).filter((file) => file.startsWith("presets-network."));
  const file = join(folder, "assets/lab", name);
  const content = await readFile(file);
  try {
    await harm(file, content);
    await act();
  } finally {
    await writeFile(file, content);
  }
}

for (const [what, harm, words] of [["missing", (file) => rm(file), /is missing beside this page\./], ["cut in half", cut, /is damaged or cut short\./]]) {
  test(`the presets' file is ${what}: the lab says so, and Python answers`, async () => {
    await withBrokenPresets(harm, async () => {
      await restage();
      await page.$eval(".lab-status", (line) => {
        window.said = [];
        new MutationObserver(() => window.said.push(line.textContent)).observe(line, { childList: true });
      });
      await press(page, '.lab [data-choose="thousand"]');
      await says(page, "Live: ");
      await shows(page, PRESETS.thousand);
      const told = (await page.evaluate(() => window.said)).find((sentence) => words.test(sentence));
      assert.match(told ?? "", /^The file with the presets \(presets-network\.\w+\.js\) is .* Starting Python in this page …$/);
    });
  });

  test(`the presets' file is ${what}, and WebAssembly is off: the lab says both; once the file is there, a preset answers`, async () => {
    await withBrokenPresets(harm, async () => {
      await restage(withoutWebAssembly);
      await press(page, '.lab [data-choose="thousand"]');
      await failsWith(words);
      await failsWith(/WebAssembly switched off/);
    });
    await press(page, '.lab [data-choose="small"]');
    await shows(page, PRESETS.small);
    await says(page, "From the build: ");
  });
}

test("the presets' file does not come: the lab says so", async () => {
  const impatient = () => {
    const { setTimeout: real } = globalThis;
    globalThis.setTimeout = (call, delay, ...more) => real(call, delay >= 10_000 ? delay / 50 : delay, ...more);
    HTMLHeadElement.prototype.append = () => {}; // a script that is never in the page never comes
  };
  await restage(withoutWebAssembly, impatient);
  await press(page, '.lab [data-choose="thousand"]');
  await says(page, "Fetching what the build has worked out");
  await failsWith(/The file with the presets .* did not come in 20 seconds\./);
});

test("WebAssembly is switched off", async () => {
  await page.evaluateOnNewDocument(withoutWebAssembly);
  await touch();
  await failsWith(/WebAssembly switched off/);
});

test("the browser refuses a worker", async () => {
  await page.evaluateOnNewDocument(() => {
    globalThis.Worker = function refuse() {
      throw new DOMException("no workers here", "SecurityError");
    };
  });
  await touch();
  await failsWith(/refuses to start a worker/);
});

test("a page that is left while Python arrives is in the way of no other, and goes on when it is back", async () => {
  withheld.add("quick");
  for (const left of ["labs/network.html", "labs/pipeline.html", card]) {
    await page.goto(run.url(left));
    await page.focus(".lab-controls [name]");
    await pause(1000); // half of it is there, and is being compiled
  }
  withheld.clear();
  await page.goto(run.url("labs/memory.html"));
  await page.focus(".lab-controls [name]");
  await page.waitForSelector('.lab[data-state="live"]');
  await page.evaluate(() => setTimeout(() => history.back()));
  await page.waitForFunction((path) => location.href.endsWith(path), {}, card);
  await page.waitForSelector('.lab[data-state="live"]');
});

test("a worker that never answers is given up", async () => {
  await page.evaluateOnNewDocument(() => {
    const { setTimeout: real } = globalThis;
    globalThis.setTimeout = (call, delay, ...more) => real(call, delay >= 10_000 ? delay / 50 : delay, ...more);
    globalThis.Worker = class extends EventTarget {
      postMessage() {}
      terminate() {}
    };
  });
  await touch();
  await failsWith(/nothing happened for 60 seconds/);
});
