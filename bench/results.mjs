/** From the runs to what is kept of them. */
import { MEASUREMENTS } from "./measurements.mjs";
import { rounded, summary } from "./statistics.mjs";

/** The runs as they come: side (site, plain, bare) and measurement -> values. */
export class Runs {
  #values = new Map();

  /**
   * @param {string} side
   * @param {Record<string, number | number[]>} run measurement -> what one run gave
   */
  add(side, run) {
    for (const [id, given] of Object.entries(run)) this.#of(side, id).push(...[given].flat());
  }

  /**
   * Return what was measured in one browser.
   * @param {string} browser
   * @returns {object[]} in the order of MEASUREMENTS; those without a run are left out
   */
  measurements(browser) {
    return MEASUREMENTS.filter(({ id }) => this.#of("site", id).length).map(({ other: side, ...about }) => {
      const ours = summary(this.#of("site", about.id), { keep: side !== null });
      const other = side && this.#of(side, about.id).length ? summary(this.#of(side, about.id)) : null;
      return { ...about, browser, ours, other, ratio: other && rounded(ours.median / other.median) };
    });
  }

  #of(side, id) {
    const key = `${side} ${id}`;
    if (!this.#values.has(key)) this.#values.set(key, []);
    return this.#values.get(key);
  }
}
