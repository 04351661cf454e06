/**
 * The partition explorer on its page. What crosses is worked out by hand for its small transformer: hidden 1,024, 8 layers, 16
 * heads of 64 with 8 for keys and values, MLP of 4,096 in two matrices, 32,768 tokens, sequences of 1,024, 2 bytes an element.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { open } from "./harness.mjs";

const LAYERS = 8;
const WIDE = 1024 * 1024 * 2; // byte of one activation: 1,024 tokens by 1,024
const KV = 1024 / 2 * 2 * 8 * 64 * 2; // keys and values of half a sequence
const LAYER = 2 * 1024 ** 2 + 2 * 512 * 1024 + 2 * 4096 * 1024 + 2 * 1024; // weights: query and output, key and value, MLP, norms
const TABLE = 32768 * 1024; // of the embedding, and of the head
const ALL = 2 * (2 * TABLE + LAYERS * LAYER + 1024); // byte; the last is the final norm
// The other small model has 8 experts in place of its MLP, 2 of them for each token, and a router: over 4 expert ranks.
const DENSE = 2 * (2 * TABLE + LAYERS * (2 * 1024 ** 2 + 2 * 512 * 1024 + 2 * 1024 + 8 * 1024) + 1024);

const each = (names, operation, bytes, times) => names.map((name) => [name, operation, bytes, times]);
const LOSS = ["loss (largest logit, logit of the target, sum of exponentials)", "all-reduce", 1024 * 4, 3];

const BY_HAND = {
  "tensor 2": [{ tensor: 2 }, [
    ...each(["attention output (partial sums)", "MLP output (partial sums)", "gradient of the attention input (partial sums)",
      "gradient of the MLP input (partial sums)"], "all-reduce", WIDE, LAYERS),
    ...each(["embedding output (partial sums)", "gradient of the head input (partial sums)"], "all-reduce", WIDE, 1),
    LOSS,
  ]],
  "tensor 2, sequence parallel": [{ tensor: 2, sequence_parallel: "on" }, [
    ...each(["attention input", "attention input, gathered again", "gradient of the attention output", "MLP input",
      "MLP input, gathered again", "gradient of the MLP output"], "all-gather", WIDE, LAYERS),
    ...each(["attention output (partial sums)", "MLP output (partial sums)", "gradient of the attention input (partial sums)",
      "gradient of the MLP input (partial sums)"], "reduce-scatter", WIDE, LAYERS),
    ...each(["gradient of the embedding output", "head input", "head input, gathered again"], "all-gather", WIDE, 1),
    ...each(["embedding output (partial sums)", "gradient of the head input (partial sums)"], "reduce-scatter", WIDE, 1),
    ["gradients of replicated weights (norms)", "all-reduce", (2 * LAYERS + 1) * 1024 * 2, 1],
    LOSS,
  ]],
  "data 2": [{ tensor: 1, data: 2 }, [["gradients", "all-reduce", ALL, 1]]],
  "ZeRO 1": [{ tensor: 1, data: 2, zero: 1 }, [["gradients", "reduce-scatter", ALL, 1], ["updated weights", "all-gather", ALL, 1]]],
  "ZeRO 2": [{ tensor: 1, data: 2, zero: 2 }, [["gradients", "reduce-scatter", ALL, 1], ["updated weights", "all-gather", ALL, 1]]],
  "ZeRO 3": [{ tensor: 1, data: 2, zero: 3 }, [
    ...[["the embedding", 2 * TABLE, 1], ["a layer", 2 * LAYER, LAYERS], ["head and final norm", 2 * (TABLE + 1024), 1]].flatMap(
      ([what, bytes, times]) => [
        ...each([`weights of ${what}`, `weights of ${what}, gathered again`], "all-gather", bytes, times),
        [`gradients of ${what}`, "reduce-scatter", bytes, times],
      ],
    ),
  ]],
  "pipeline 2, four microbatches": [{ tensor: 1, pipeline: 2, accumulation: 4 },
    each(["output of a stage", "gradient of the output of a stage"], "send", WIDE, 4)],
  "context 2": [{ tensor: 1, context: 2 }, [
    ...each(["keys and values of a block", "keys and values of a block, for gradients", "gradients of keys and values of a block"],
      "send", KV, LAYERS),
    ["gradients", "all-reduce", ALL, 1],
  ]],
  "expert 4": [{ model: "Small mixture of experts", tensor: 1, data: 4, expert: 4 }, [
    ...each(["tokens to their experts", "outputs of the experts", "gradients of the experts' outputs",
      "gradients of the tokens from their experts"], "all-to-all", 2 * WIDE, LAYERS),
    ["gradients", "all-reduce", DENSE, 1],
  ]],
};

let run;
let page;
before(async () => {
  run = await open();
  page = await run.page();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(run.url("labs/execution.html"));
});
after(() => run.close());

const settled = (condition, ...given) => page.waitForFunction(condition, {}, ...given);
const live = () => settled(() => document.querySelector(".lab").dataset.state === "live");
const verdict = () => page.$eval(".lab-verdict", (list) => list.textContent);

/** Follow a link to a state, as from another page, and wait until it is answered live. */
async function follow(inputs) {
  const fragment = new URLSearchParams(Object.entries(inputs).map(([name, text]) => [`execution.${name}`, text]));
  await page.evaluate((hash) => {
    document.querySelector(".lab-frame").replaceChildren();
    location.hash = ""; // the same address again would be no change
    location.hash = hash;
  }, `#${fragment}`);
  await settled(() => document.querySelector(".lab-frame .lab-verdict"));
  await live();
}

/** Read the table and the diagram. */
const shown = () =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('[data-table="crossings"] tbody tr')];
    const heads = [...document.querySelectorAll('[data-table="crossings"] thead th')].map((head) => head.textContent);
    const cell = (row, name) => row.cells[heads.indexOf(name)].textContent;
    return {
      rows: rows.map((row) => [cell(row, "Tensor"), cell(row, "Collective"), cell(row, "Each"), Number(cell(row, "Times"))]),
      arrows: [...document.querySelectorAll(".lab-diagram svg [data-arrow]")].map((arrow) => arrow.dataset.arrow),
    };
  });

/** Return bytes as the page writes them: five digits, units of a thousand. */
function written(bytes) {
  const power = Math.floor(Math.log10(bytes) / 3);
  return `${Number((bytes / 1000 ** power).toPrecision(5))} ${["byte", "kB", "MB", "GB"][power]}`;
}

for (const [name, [inputs, expected]] of Object.entries(BY_HAND)) {
  test(`${name}: table and diagram hold what crosses, and nothing else`, async () => {
    await follow({ tensor: 1, ...inputs });
    const { rows, arrows } = await shown();
    const sorted = (list) => list.map((row) => row.join(" | ")).sort();
    assert.deepEqual(sorted(rows), sorted(expected.map(([name, operation, bytes, times]) => [name, operation, written(bytes), times])));
    assert.deepEqual([...arrows].sort(), expected.map(([name]) => name).sort());
  });
}

test("what the last change brought and took away is said and marked", async () => {
  await follow({ tensor: 1, data: 2 });
  await page.select('.lab select[name="zero"]', "1");
  await settled(() => document.querySelector(".lab-changes"));
  const said = await page.$eval(".lab-changes", (line) => line.textContent);
  assert.match(said, /^The last change\. Added: updated weights\. Changed: gradients \(all-reduce → reduce-scatter\)\.$/);
  const marked = await page.$$eval(".lab-table tr.lab-new", (rows) => rows.map((row) => row.dataset.key));
  assert.ok(marked.includes("updated weights") && marked.includes("gradients"), marked.join());
  await page.$eval('.lab [data-choose="data"]', (button) => button.click());
  await settled(() => document.querySelector('.lab [name="data"]').value === "8" && document.querySelector(".lab-frame").textContent.includes("on 8 devices"));
  assert.equal(await page.$(".lab-changes"), null, "another case altogether has no marks");
});

test("sixteen tensor ranks for 8 key and value heads are refused with a way out, and the way works", async () => {
  await follow({ tensor: 16 });
  assert.match(await verdict(), /tensor ranks to divide key and value heads, found 16 and 8/);
  assert.deepEqual((await shown()).rows, []);
  const buttons = await page.$$eval(".lab-verdict .lab-set", (all) => all.map((button) => button.textContent));
  assert.ok(buttons.includes("take 8 tensor ranks"), buttons.join());
  await page.$$eval(".lab-verdict .lab-set", (all) => all.find((button) => button.textContent === "take 8 tensor ranks").click());
  await settled(() => document.querySelector('.lab input[name="tensor"]').value === "8" && document.querySelector('[data-table="crossings"]'));
  assert.equal(await page.evaluate(() => document.activeElement.name), "tensor", "the keyboard is where the remedy went");
});

test("ZeRO-3 sends half as much again as ZeRO-1", async () => {
  await follow({ tensor: 1, data: 8, zero: 3 });
  const rows = await page.$$eval('[data-table="zero"] tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const [one, three] = ["ZeRO-1", "ZeRO-3"].map((name) => rows.find(([stage]) => stage.startsWith(name)));
  assert.equal(one[2], "1");
  assert.equal(three[2], "1.5");
});

test("a crossing is chosen in the diagram by pointer and by key, and tells its reason and its formula", async () => {
  await follow({ tensor: 2 });
  const arrow = await page.$('.lab-diagram [data-arrow="attention output (partial sums)"]');
  await arrow.scrollIntoView();
  const { x, y, width, height } = await arrow.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await settled(() => document.querySelector('.lab [name="selected"]').value !== "");
  assert.equal(await page.$eval('.lab [name="selected"]', (field) => field.value), "attention output (partial sums)");
  await settled(() => document.querySelector(".lab-frame").textContent.includes("1 · 1024 · 1024 · 2 byte"));

  await page.focus(".lab-diagram .lab-cursor");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await settled(() => document.querySelector('.lab [name="selected"]').value !== "attention output (partial sums)");
});

test("a config.json that is pasted takes the model's place; one of no known family is refused in words", async () => {
  await follow({ tensor: 2 });
  const config = { model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22, num_attention_heads: 32,
    num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 2048, rms_norm_eps: 1e-5, tie_word_embeddings: false };
  const paste = (text) => page.$eval('.lab textarea[name="config"]', (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }, text);
  await paste(JSON.stringify(config));
  // Gathered among tensor ranks: 2,048 tokens by 2,048, 2 bytes each, in 22 layers.
  await settled((bytes) => [...document.querySelectorAll('[data-table="crossings"] tbody tr')].some((row) =>
    row.textContent.includes(bytes)), written(2048 * 2048 * 2));
  await paste('{"model_type": "perceiver"}');
  await settled(() => document.querySelector('[data-control="config"] .lab-error').textContent.includes("perceiver"));
  assert.ok(await page.$eval('[data-control="config"] .lab-error', (line) => line.checkVisibility()));
  await paste("");
  await settled(() => !document.querySelector('[data-control="config"] [aria-invalid]'));
});

test("a published preset is answered, and a change of the largest one within a tenth of a second", async () => {
  await page.$eval('.lab [data-choose="llama-3"]', (button) => button.click());
  await settled(() => document.querySelector('output[data-metric="devices"]')?.dataset.value === "16384");
  await live();
  const times = await page.evaluate(async () => {
    const inputs = Object.fromEntries([...document.querySelectorAll(".lab [name]")].map((field) => [field.name, field.value]));
    const times = [];
    for (const device of [1, 2, 4, 8, 16, 32, 64]) {
      const start = performance.now();
      const reply = await globalThis.atlas.runtime.ask({ lab: "execution", inputs: { ...inputs, device: String(device) } });
      if (!reply.ok) throw new Error(reply.message);
      times.push(performance.now() - start);
    }
    return times;
  });
  console.log(`# answers of the largest preset: ${times.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  assert.equal(times.length, 7);
});
