/** Compare what two Pythons reply: numbers to 1e-12 of each other, everything else exactly. */

const LIMIT = 1e-12;

/**
 * Return the places where two replies differ.
 * @param {unknown} one
 * @param {unknown} other
 * @param {string} place where in the reply, for the message
 * @returns {string[]}
 */
export function differences(one, other, place = "") {
  if (typeof one === "number" && typeof other === "number") {
    return Math.abs(one - other) <= LIMIT * Math.max(Math.abs(one), Math.abs(other)) ? [] : [`${place}: ${one}, ${other}`];
  }
  if (one && other && typeof one === "object" && typeof other === "object") {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(one[key], other[key], `${place}/${key}`));
  }
  return Object.is(one, other) ? [] : [`${place}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`];
}
