/**
 * Put a frame's HTML, which Python's views wrote, in place of the one before; what the reader has unfolded stays so, and the
 * keyboard stays where it was.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function putFrame(place, html) {
  const next = document.createElement("div");
  next.innerHTML = html;
  // The first live frame is the built one: leave selection and scrolling in peace.
  if (sameNodes(place, next)) return;
  const open = named(place, "details");
  for (const [name, details] of open) open.set(name, details.open);
  const active = document.activeElement;
  const { value } = active; // now: a field that is taken away may still hear of it
  const focused = [...named(place, FOCUSABLE)].find(([, element]) => element === active)?.[0];
  const before = keysOf(place);
  place.replaceChildren(...next.childNodes);
  if (before.size) markChanges(place, before);
  for (const [name, details] of named(place, "details")) details.open = open.get(name) ?? details.open;
  const again = named(place, FOCUSABLE).get(focused);
  if (again?.type === "range") again.value = value;
  again?.focus({ preventScroll: true });
}

/** Return elements by the chart they are in and their number in it: charts that come or go before it change neither. */
function named(place, selector) {
  const counts = new Map();
  const found = new Map();
  for (const element of place.querySelectorAll(selector)) {
    const chart = element.closest("[data-series]")?.dataset.series ?? "";
    counts.set(chart, (counts.get(chart) ?? 0) + 1);
    found.set(`${chart} ${counts.get(chart)}`, element);
  }
  return found;
}

/** Return each row that tells itself from others, and its name. */
function keysOf(place) {
  return new Map([...place.querySelectorAll(".lab-table [data-key]")].map((row) => [row.dataset.key, row.cells[0].textContent]));
}

/** Mark what the last change brought, in tables and diagrams, and say what it took away. */
function markChanges(place, before) {
  const after = keysOf(place);
  const came = [...after.keys()].filter((key) => !before.has(key));
  const went = [...before.keys()].filter((key) => !after.has(key));
  for (const element of place.querySelectorAll("[data-key], [data-arrow]")) {
    element.classList.toggle("lab-new", came.includes(element.dataset.key ?? element.dataset.arrow));
  }
  const table = place.querySelector(".lab-table:has([data-key])") ?? place.querySelector(".lab-table");
  if (!table || came.length + went.length === 0) return;
  const said = document.createElement("p");
  said.className = "lab-changes";
  const list = (names) => (names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", "));
  const parts = [["added", came.map((key) => after.get(key))], ["removed", went.map((key) => before.get(key))]];
  said.textContent = `The last change ${parts.filter(([, names]) => names.length).map(([did, names]) => `${did} ${list(names)}`).join("; ")}.`;
  table.before(said);
}

const FOCUSABLE = "summary, a[href], button, input, [tabindex]";

function sameNodes(one, other) {
  return (
    one.childNodes.length === other.childNodes.length &&
    [...one.childNodes].every((node, i) => node.isEqualNode(other.childNodes[i]))
  );
}
