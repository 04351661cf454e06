/** The results as text for a terminal. */

const WHAT = {
  "http-first": "first visit, to the first live result",
  "http-second": "second visit, the same",
  disk: "from disk, the same (other: without the memory)",
  bytes: "bytes before the first live result",
  stop: "Stop to ready (other: terminate, load again)",
  reply: "change of a control to the reply",
  frame: "change of a control to the new frame",
  paint: "change of a control to the frame on screen",
};
const COLUMNS = ["", "median", "95 %", "other", "ratio"];

/**
 * Return the table of one browser's measurements.
 * @param {{id: string, unit: string, ours: object, other: object | null, ratio: number | null}[]} measurements
 * @returns {string}
 */
export function table(measurements) {
  const rows = measurements.map(({ id, unit, ours, other, ratio }) => [
    WHAT[id],
    shown(ours.median, unit),
    shown(ours.p95, unit),
    other ? shown(other.median, unit) : "",
    ratio === null ? "" : ratio.toFixed(3),
  ]);
  return [COLUMNS, ...rows].map(([what, ...cells]) => what.padEnd(50) + cells.map((cell) => cell.padStart(11)).join("")).join("\n");
}

/** Return the promises, each with what was found. */
export function verdicts(claims) {
  return claims
    .map(({ measurement, browser, of, limit, found, met }) => {
      const words = of === "ratio" ? [limit, found.toFixed(3)] : [shown(limit, "s"), shown(found, "s")];
      return `${met ? "met    " : "NOT MET"}  ${browser.padEnd(9)} ${measurement}: ${of} at most ${words[0]}, found ${words[1]}`;
    })
    .join("\n");
}

function shown(value, unit) {
  if (unit === "byte") return `${(value / 1e6).toFixed(2)} MB`;
  return value < 1 ? `${(value * 1000).toFixed(value < 0.1 ? 1 : 0)} ms` : `${value.toFixed(2)} s`;
}
