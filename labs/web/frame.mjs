import { keyedRows, markChanges } from "./changes.mjs";
import { fillWithoutNumbers, putNumbers } from "./numbers.mjs";

const shown = new WeakMap(); // place -> the HTML in it

/**
 * Put a frame's HTML, which Python's views wrote, in place of the one before; what the reader has unfolded stays so, and the
 * keyboard stays where it was.
 * @param {HTMLElement} place
 * @param {string} html
 * @param {{marks?: boolean}} how whether to mark what is new
 */
export function putFrame(place, html, { marks = false } = {}) {
  if (shown.get(place) === html) return;
  const next = document.createElement("div");
  const isFirst = !shown.has(place);
  const before = marks ? keyedRows(place) : new Map();
  shown.set(place, html);
  if (isFirst || before.size) next.innerHTML = html; // whole: to be compared, or to be marked
  else fillWithoutNumbers(next, html);
  // The first live frame is the built one: leave selection and scrolling in peace.
  if (isFirst && sameNodes(place, next)) return;
  const open = named(place, "details");
  for (const [name, details] of open) open.set(name, details.open);
  const active = document.activeElement;
  const { value } = active; // now: a field that is taken away may still hear of it
  const focused = [...named(place, FOCUSABLE)].find(([, element]) => element === active)?.[0];
  place.replaceChildren(...next.childNodes);
  if (before.size) markChanges(place, before);
  for (const [name, details] of named(place, "details")) {
    details.open = open.get(name) ?? details.open;
    if (details.open) putNumbers(details);
  }
  const again = named(place, FOCUSABLE).get(focused);
  if (again?.type === "range") again.value = value;
  again?.focus({ preventScroll: true });
}

/** Return elements by the chart they are in and their number in it: charts that come or go before it change neither. */
function named(place, selector) {
  const counts = new Map();
  const found = new Map();
  for (const element of place.querySelectorAll(selector)) {
    // What does the same is the same, wherever it stands.
    const own = element.dataset.sets ?? element.closest("[data-series]")?.dataset.series ?? "";
    counts.set(own, (counts.get(own) ?? 0) + 1);
    found.set(`${own} ${counts.get(own)}`, element);
  }
  return found;
}

const FOCUSABLE = "summary, a[href], button, input, [tabindex]";

function sameNodes(one, other) {
  return (
    one.childNodes.length === other.childNodes.length &&
    [...one.childNodes].every((node, i) => node.isEqualNode(other.childNodes[i]))
  );
}
