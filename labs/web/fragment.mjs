/**
 * A lab's inputs in the URL's fragment: `#network.ranks=32&network.payload=1+GB`. Texts only: whatever stands there goes
 * into fields, as if typed. A heading's anchor has no `=`, and is left alone.
 */

export const LONGEST = 100; // characters of one input; more is no quantity

/**
 * Return the inputs that the fragment holds for a lab, or null where it holds none.
 * @param {string} fragment with or without `#`
 * @param {string} lab
 * @param {string[]} names the lab's controls; others are ignored
 * @returns {Record<string, string> | null}
 */
export function readInputs(fragment, lab, names) {
  const inputs = {};
  for (const [key, text] of pairs(fragment)) {
    const name = names.find((known) => key === `${lab}.${known}`);
    if (name && text.length <= LONGEST) inputs[name] = text;
  }
  return Object.keys(inputs).length ? inputs : null;
}

/**
 * Return what the first lab of a link will ask for, if the link holds all of its inputs.
 * @param {string} fragment with or without `#`
 * @returns {{lab: string, inputs: Record<string, string>} | null}
 */
export function linkedRequest(fragment) {
  const inputs = pairs(fragment).map(([key, text]) => [...key.split("."), text]);
  const lab = inputs[0]?.[0];
  const own = inputs.filter(([of, name, text]) => of === lab && name && text.length <= LONGEST);
  return own.length ? { lab, inputs: Object.fromEntries(own.map(([, name, text]) => [name, text])) } : null;
}

/**
 * Return the fragment with a lab's inputs in it, and those of other labs kept.
 * @param {string} fragment the present one
 * @param {string} lab
 * @param {Record<string, string>} inputs empty to take the lab out
 * @returns {string} without `#`
 */
export function writeInputs(fragment, lab, inputs) {
  const others = pairs(fragment).filter(([key]) => !key.startsWith(`${lab}.`));
  const own = Object.entries(inputs).map(([name, text]) => [`${lab}.${name}`, text]);
  return new URLSearchParams([...others, ...own]).toString();
}

function pairs(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!/^[a-z0-9-]+\.[a-z0-9_-]+=/.test(text)) return [];
  return [...new URLSearchParams(text)];
}
