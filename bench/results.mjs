/** From the runs to what is kept of them. */
import { rounded, summary } from "./statistics.mjs";

/**
 * What is measured, in the order in which it is shown: its name for people, its base unit, and what the site is compared
 * with, if anything.
 */
export const MEASUREMENTS = [
  { id: "http-first", title: "First visit over http: navigation to the first live result", unit: "s", other: "plain" },
  { id: "http-second", title: "Second visit over http: navigation to the first live result", unit: "s", other: "plain" },
  { id: "disk", title: "Opened from disk: navigation to the first live result", unit: "s", other: "bare" },
  { id: "bytes", title: "Bytes before the first live result, first visit", unit: "byte", other: "plain" },
  { id: "stop", title: "Stop of an endless loop, until Python is ready again", unit: "s", other: "plain" },
  { id: "reply", title: "Change of a control to the worker’s reply", unit: "s", other: null },
  { id: "frame", title: "Change of a control to the new frame in the page", unit: "s", other: null },
  { id: "paint", title: "Change of a control to the new frame on the screen", unit: "s", other: null },
];

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
    return MEASUREMENTS.filter(({ id }) => this.#of("site", id).length).map(({ id, title, unit, other }) => {
      const ours = summary(this.#of("site", id), { keep: other !== null });
      const theirs = other && this.#of(other, id).length ? summary(this.#of(other, id)) : null;
      return { id, browser, title, unit, ours, other: theirs, ratio: theirs && rounded(ours.median / theirs.median) };
    });
  }

  #of(side, id) {
    const key = `${side} ${id}`;
    if (!this.#values.has(key)) this.#values.set(key, []);
    return this.#values.get(key);
  }
}
