/** Inputs in the URL and in the browser: what is kept, what wins, what is refused. The browser is played by the test. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Keeper } from "../../../labs/web/keep.mjs";

const DEFAULTS = { ranks: "8", payload: "100 MB" };
const controls = {
  names: ["ranks", "payload"],
  ownOf: (texts) => (Object.entries(DEFAULTS).every(([name, text]) => texts[name] === text) ? null : texts),
};

let items;
let replaced;
beforeEach(() => {
  items = new Map();
  replaced = [];
  play({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => items.set(key, text),
    removeItem: (key) => items.delete(key),
  });
  at("https://host.example/card.html?q=1", "");
  globalThis.history = { state: null, replaceState: (_state, _title, url) => replaced.push(url) };
});

function play(storage) {
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
}

function at(url, hash) {
  globalThis.location = { href: url + hash, hash, pathname: "/card.html", search: "?q=1" };
}

const keeper = () => new Keeper("network", controls);

test("inputs are kept in both places, and found again", () => {
  assert.equal(keeper().keep({ ranks: "24", payload: "1 GB" }), true);
  assert.deepEqual(replaced, ["#network.ranks=24&network.payload=1+GB"]);
  assert.deepEqual(keeper().kept, { ranks: "24", payload: "1 GB" });
});

test("inputs as built are taken out of both", () => {
  keeper().keep({ ranks: "24", payload: "1 GB" });
  at("https://host.example/card.html?q=1", "#network.ranks=24&network.payload=1+GB");
  assert.equal(keeper().keep(DEFAULTS), true);
  assert.equal(replaced.at(-1), "/card.html?q=1");
  assert.equal(keeper().kept, null);
});

test("an anchor of a heading stays while there is nothing to keep, and other labs' inputs always", () => {
  at("https://host.example/card.html?q=1", "#science");
  keeper().keep(DEFAULTS);
  assert.deepEqual(replaced, []);
  at("https://host.example/card.html?q=1", "#other.x=3");
  keeper().keep({ ranks: "24", payload: "1 GB" });
  assert.equal(replaced.at(-1), "#other.x=3&network.ranks=24&network.payload=1+GB");
});

test("what is kept is one lab's own", () => {
  keeper().keep({ ranks: "24", payload: "1 GB" });
  assert.equal(new Keeper("other", controls).kept, null);
});

for (const text of ["", "{", "null", "3", '"x"', "[]", '{"ranks": 5}', '{"other": "1"}', '{"__proto__": {"ranks": "1"}}', `{"ranks": "${"9".repeat(101)}"}`]) {
  test(`what nobody has kept is nothing: ${text.slice(0, 30)}`, () => {
    items.set("parallelism-atlas.lab.network", text);
    assert.equal(keeper().kept, null);
  });
}

test("a part that can be used is used", () => {
  items.set("parallelism-atlas.lab.network", '{"ranks": "<b>", "payload": {}}');
  assert.deepEqual(keeper().kept, { ranks: "<b>" });
});

test("storage that refuses is told of, and the URL still has it", () => {
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  play({ getItem: refuse, setItem: refuse, removeItem: refuse });
  assert.equal(keeper().kept, null);
  assert.equal(keeper().keep({ ranks: "24", payload: "1 GB" }), false);
  assert.deepEqual(replaced, ["#network.ranks=24&network.payload=1+GB"]);
  assert.equal(keeper().keep(DEFAULTS), true, "nothing was to be kept");
  Object.defineProperty(globalThis, "localStorage", { get: refuse, configurable: true });
  assert.equal(keeper().kept, null);
  assert.equal(keeper().keep({ ranks: "24", payload: "1 GB" }), false);
});

test("a link holds this lab's inputs alone, or its own place where they are as built", () => {
  at("https://host.example/card.html?q=1", "#other.x=3");
  assert.equal(keeper().link({ ranks: "24", payload: "1 GB" }), "https://host.example/card.html?q=1#network.ranks=24&network.payload=1+GB");
  assert.equal(keeper().link(DEFAULTS), "https://host.example/card.html?q=1#lab-network");
});
