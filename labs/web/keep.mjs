/**
 * A lab's inputs where they outlive the page: in the URL's fragment, to share, and in this browser, for the next visit.
 * They are texts, put into fields as if typed. A browser that refuses storage, or has no room, costs the reader nothing
 * but the memory.
 */
import { LONGEST, readInputs, writeInputs } from "./fragment.mjs";

const KEY = "parallelism-atlas.lab.";

export class Keeper {
  #lab;
  #controls;
  #key;

  /**
   * @param {string} lab its name in the page
   * @param {import("./controls.mjs").Controls} controls
   * @param {string} page its path, where another page may have another lab of this name
   */
  constructor(lab, controls, page = "") {
    this.#lab = lab;
    this.#controls = controls;
    this.#key = KEY + lab + page;
  }

  /** What the URL holds, or null. */
  get linked() {
    return readInputs(location.hash, this.#lab, this.#controls.names);
  }

  /** What was kept at the last visit, or null. */
  get kept() {
    let kept;
    try {
      kept = JSON.parse(localStorage.getItem(this.#key)) ?? {};
    } catch {
      return null; // refused, or not what was written here
    }
    const known = this.#controls.names.filter((name) => Object.hasOwn(kept, name));
    const inputs = known.map((name) => [name, kept[name]]).filter(([, text]) => typeof text === "string" && text.length <= LONGEST);
    return inputs.length ? Object.fromEntries(inputs) : null;
  }

  /**
   * Keep inputs; those as built need no keeping, and are taken out.
   * @param {Record<string, string>} texts
   * @returns {boolean} false where the browser does not keep them for the next visit
   */
  keep(texts) {
    const own = this.#controls.ownOf(texts);
    const present = location.hash.slice(1);
    if (own || this.linked) {
      // A heading's anchor stays as it is while there is nothing to keep.
      const fragment = writeInputs(present, this.#lab, own ?? {});
      const url = fragment ? `#${fragment}` : location.pathname + location.search;
      if (fragment !== present) history.replaceState(history.state, "", url);
    }
    try {
      if (own) localStorage.setItem(this.#key, JSON.stringify(own));
      else localStorage.removeItem(this.#key);
      return true;
    } catch {
      return !own;
    }
  }

  /**
   * The address of a state; that of the inputs as built is the lab's own.
   * @param {Record<string, string>} texts
   * @returns {string}
   */
  link(texts) {
    const own = this.#controls.ownOf(texts);
    const fragment = own ? writeInputs("", this.#lab, own) : `lab-${this.#lab}`;
    return `${location.href.split("#")[0]}#${fragment}`;
  }
}
