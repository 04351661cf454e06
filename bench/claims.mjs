/** What the site promises of its speed, each held against a measurement of the same run. */

/**
 * `of` says which number counts: the ratio to the alternative, the median, or the 95th percentile. Times are in seconds.
 */
export const CLAIMS = [
  { measurement: "http-first", of: "ratio", limit: 0.25 },
  { measurement: "http-second", of: "ratio", limit: 0.2 },
  { measurement: "disk", of: "ratio", limit: 0.3 },
  { measurement: "bytes", of: "ratio", limit: 1.25 },
  { measurement: "stop", of: "median", limit: 0.5 },
  { measurement: "frame", of: "p95", limit: 0.016 },
  { measurement: "paint", of: "p95", limit: 0.05 },
];

/**
 * Return each claim with what was found, one for each browser.
 * @param {{id: string, browser: string, ratio: number | null, ours: {median: number, p95: number}}[]} measurements
 * @returns {{measurement: string, browser: string, of: string, limit: number, found: number, met: boolean}[]}
 */
export function judge(measurements) {
  return CLAIMS.flatMap((claim) => measurements.filter(({ id }) => id === claim.measurement).map((found) => verdict(claim, found)));
}

function verdict(claim, { browser, ratio, ours }) {
  const found = claim.of === "ratio" ? ratio : ours[claim.of];
  if (typeof found !== "number") throw new Error(`${claim.measurement} in ${browser}: expected a ${claim.of}, found ${found}`);
  return { ...claim, browser, found, met: found <= claim.limit };
}
