/**
 * Code that a reader has edited, kept in this browser until it is reset: a reload loses nothing. It comes back as text in the
 * editor and runs when the reader says so. A browser that refuses storage, or has no room, keeps nothing.
 */
const LONGEST = 50_000; // characters

const key = (id) => `parallelism-atlas.cell.${location.pathname}#${id}`;

/** @returns {string | null} */
export function keptCode(id) {
  try {
    return localStorage.getItem(key(id));
  } catch {
    return null;
  }
}

export function keepCode(id, code) {
  try {
    if (code.length > LONGEST) localStorage.removeItem(key(id));
    else localStorage.setItem(key(id), code);
  } catch {
    // refused, or full: the code stays in the page
  }
}

export function forgetCode(id) {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // nothing was kept there
  }
}
