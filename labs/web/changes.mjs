/** What the last change brought: rows of a frame's first table that tell themselves from others are compared with those before. */

const MOST = 4; // names of a kind that are told; the rest is counted

/** @typedef {Map<string, {name: string, state: string}>} Rows by their key */

/**
 * Return the rows that tell themselves from others: what each is called, and the word that says how it is.
 * @param {HTMLElement} place
 * @returns {Rows}
 */
export function keyedRows(place) {
  const rows = keyedTable(place)?.querySelectorAll("[data-key]") ?? [];
  return new Map([...rows].map((row) => [row.dataset.key, { name: row.cells[0].textContent, state: row.dataset.state ?? "" }]));
}

/**
 * Return what is new, gone, and there in another way.
 * @param {Rows} before
 * @param {Rows} after
 * @returns {{added: string[], removed: string[], changed: string[]}} keys
 */
export function compare(before, after) {
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    removed: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...after.keys()].filter((key) => before.has(key) && before.get(key).state !== after.get(key).state),
  };
}

function keyedTable(place) {
  return place.querySelector(".lab-table:has([data-key])");
}

/** Return the comparison as a sentence, or nothing where all is as before. */
export function inWords(before, after, { added, removed, changed }) {
  const parts = [
    ["added", added.map((key) => after.get(key).name)],
    ["removed", removed.map((key) => before.get(key).name)],
    ["changed", changed.map((key) => `${after.get(key).name} (${before.get(key).state} → ${after.get(key).state})`)],
  ];
  const told = parts.filter(([, names]) => names.length).map(([what, names]) => `${what}: ${listed(names)}`);
  return told.length ? `The last change. ${told.map((part) => `${part[0].toUpperCase()}${part.slice(1)}.`).join(" ")}` : "";
}

function listed(names) {
  return names.length > MOST ? `${names.slice(0, MOST).join("; ")}; and ${names.length - MOST} more` : names.join("; ");
}

/**
 * Mark what is new or changed in tables and diagrams, and say all of it above the table.
 * @param {HTMLElement} place
 * @param {Rows} before
 */
export function markChanges(place, before) {
  const after = keyedRows(place);
  const found = compare(before, after);
  const marked = [...found.added, ...found.changed];
  for (const element of place.querySelectorAll("[data-key], [data-arrow]")) {
    element.classList.toggle("lab-new", marked.includes(element.dataset.key ?? element.dataset.arrow));
  }
  const sentence = inWords(before, after, found);
  const table = keyedTable(place) ?? place.querySelector(".lab-table");
  if (!table || !sentence) return;
  const said = document.createElement("p");
  said.className = "lab-changes";
  said.textContent = sentence;
  (table.closest(".lab-scrolled, details") ?? table).before(said);
}
