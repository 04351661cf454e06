/** From the runs to what is kept of them. */
import { rounded, summary } from "./statistics.mjs";

/** What is measured, in the order in which it is shown; `pair` says what the other side is. */
export const MEASUREMENTS = [
  { id: "http-first", unit: "s", pair: "plain" },
  { id: "http-second", unit: "s", pair: "plain" },
  { id: "disk", unit: "s", pair: "bare" },
  { id: "bytes", unit: "byte", pair: "plain" },
  { id: "stop", unit: "s", pair: "plain" },
  { id: "reply", unit: "s", pair: null },
  { id: "frame", unit: "s", pair: null },
  { id: "paint", unit: "s", pair: null },
];

/** The runs as they come: side -> measurement -> values. */
export class Runs {
  #values = new Map();

  /** @param {string} side site, plain or bare */
  add(side, run) {
    for (const [id, given] of Object.entries(run)) {
      const values = this.#of(side, id);
      values.push(...[given].flat());
    }
  }

  /**
   * Return what was measured in one browser.
   * @param {string} browser
   * @returns {object[]} in the order of MEASUREMENTS; those without a run are left out
   */
  measurements(browser) {
    return MEASUREMENTS.filter(({ id }) => this.#of("site", id).length).map(({ id, unit, pair }) => {
      const ours = summary(this.#of("site", id), { keep: pair !== null });
      const other = pair && this.#of(pair, id).length ? summary(this.#of(pair, id)) : null;
      return { id, browser, unit, ours, other, ratio: other && rounded(ours.median / other.median) };
    });
  }

  #of(side, id) {
    const key = `${side} ${id}`;
    if (!this.#values.has(key)) this.#values.set(key, []);
    return this.#values.get(key);
  }
}
