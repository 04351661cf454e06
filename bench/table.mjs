/** The results as text for a terminal. */

const COLUMNS = ["", "median", "95 %", "other", "ratio"];
const WIDTHS = [64, 10, 10, 10, 8];

/**
 * Return the table of one browser's measurements.
 * @param {{title: string, unit: string, ours: object, other: object | null, ratio: number | null}[]} measurements
 * @returns {string}
 */
export function table(measurements) {
  const rows = measurements.map(({ title, unit, ours, other, ratio }) => [
    title,
    shown(ours.median, unit),
    shown(ours.p95, unit),
    other ? shown(other.median, unit) : "",
    ratio === null ? "" : ratio.toFixed(3),
  ]);
  const line = (cells) => cells.map((cell, i) => (i ? cell.padStart(WIDTHS[i]) : cell.padEnd(WIDTHS[i]))).join("");
  return [COLUMNS, ...rows].map(line).join("\n");
}

/**
 * Return a line for each promise: whether it is met, and by how much.
 * @param {ReturnType<import("./claims.mjs").judge>} claims
 * @returns {string}
 */
export function verdicts(claims) {
  return claims
    .map(({ measurement, browser, of, limit, found, met }) => {
      const text = of === "ratio" ? (value) => value.toFixed(3) : (value) => shown(value, "s");
      const verdict = met ? "met" : "NOT MET";
      return `${verdict.padEnd(9)}${browser.padEnd(10)}${measurement}: ${of} at most ${text(limit)}, found ${text(found)}`;
    })
    .join("\n");
}

/** Return a value in seconds or bytes, to three digits or so. */
export function shown(value, unit) {
  if (unit === "byte") return `${(value / 1e6).toFixed(2)} MB`;
  if (value >= 1) return `${value.toFixed(2)} s`;
  return `${(value * 1000).toFixed(value < 0.1 ? 1 : 0)} ms`;
}
