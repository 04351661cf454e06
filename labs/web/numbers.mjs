/**
 * The tables of numbers under charts. They are folded and mostly stay so, and they are more than half of a frame's elements: in a
 * live frame each waits as text until it is unfolded or read.
 */

const FOLDED = /(<details class="lab-numbers"><summary>[^<]*<\/summary>)(.*?)(?=<\/details>)/gs;
const waiting = new WeakMap(); // details -> HTML of its table

/**
 * Fill an element with a frame, its charts' tables left out.
 * @param {HTMLElement} place
 * @param {string} html as Python's views wrote it
 */
export function fillWithoutNumbers(place, html) {
  const tables = [];
  place.innerHTML = html.replace(FOLDED, (_, folded, table) => {
    tables.push(table);
    return folded;
  });
  place.querySelectorAll(".lab-numbers").forEach((details, i) => waiting.set(details, tables[i]));
}

/**
 * Put the table in place, if it is not.
 * @param {HTMLDetailsElement} details
 */
export function putNumbers(details) {
  details.insertAdjacentHTML("beforeend", waiting.get(details) ?? "");
  waiting.delete(details);
}

/** Put tables in place as they are unfolded, by whatever means. */
export function unfoldNumbers(place) {
  place.addEventListener("toggle", ({ target }) => target.matches(".lab-numbers") && putNumbers(target), { capture: true });
}
