/** What a list of measured values comes to. */

/**
 * Return the middle value, or the mean of the two in the middle.
 * @param {number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = rising(values);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * Return the smallest of the values that at least this share of them does not exceed. It is always one that was measured;
 * of few values the 95th percentile is the largest.
 * @param {number[]} values
 * @param {number} share above 0, at most 1
 * @returns {number}
 */
export function percentile(values, share) {
  const sorted = rising(values);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

/**
 * Return what the results keep of some values.
 * @param {number[]} values
 * @param {{keep?: boolean}} options whether the values themselves are kept too
 * @returns {{count: number, median: number, p95: number, values?: number[]}}
 */
export function summary(values, { keep = true } = {}) {
  const kept = keep ? { values: values.map(rounded) } : {};
  return { count: values.length, median: rounded(median(values)), p95: rounded(percentile(values, 0.95)), ...kept };
}

/** Return the value to five digits, which is more than any of the clocks can give. */
export function rounded(value) {
  return Number(value.toPrecision(5));
}

function rising(values) {
  if (!values.length) throw new RangeError("expected at least one value, found none");
  return [...values].sort((one, other) => one - other);
}
