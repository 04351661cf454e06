/**
 * What the build has worked out: the frame of the defaults, which stands in the page, and those of the presets, which come in
 * a script of their own once a reader wants one. They answer whether Python runs or not. For readers without scripts the lab's
 * HTML lists what the presets come to; here the list gives way to the row of buttons.
 */
import { Failure } from "./failure.mjs";
import { runScript } from "./script.mjs";

/** @typedef {{id: string | null, inputs: Record<string, {value: number, text: string}>, summary: string}} Built */

const handed = new Map(); // lab -> preset's id -> the frame's HTML

globalThis.atlasPresets = (lab, frames) => handed.set(lab, frames);

export class Presets {
  #lab;
  #url;
  #first; // the HTML of the defaults' frame
  #built; // the first is that of the defaults
  #buttons;
  #note;
  #notes = new Map(); // id -> why it is worth a look
  #loading; // promise, while the script is on its way

  /**
   * @param {HTMLElement} section `section.lab`
   * @param {(texts: Record<string, string>) => void} chosen called with a preset's inputs
   */
  constructor(section, chosen) {
    const frame = section.querySelector(".lab-frame");
    this.#lab = section.dataset.lab;
    this.#url = section.dataset.presets;
    this.#first = frame.innerHTML;
    this.#built = [{ id: null, inputs: JSON.parse(frame.dataset.inputs), summary: frame.dataset.summary }];
    this.#buttons = [...section.querySelectorAll("[data-choose]")];
    this.#note = section.querySelector(".lab-presets .lab-preset-note");
    if (this.#note) this.#notes.set(null, this.#note.textContent);
    for (const listed of section.querySelectorAll(".lab-built [data-preset]")) {
      const { preset: id, inputs } = listed.dataset;
      this.#built.push({ id, inputs: JSON.parse(inputs), summary: listed.querySelector(".lab-preset-result").textContent });
      this.#notes.set(id, listed.querySelector(".lab-preset-note").textContent);
    }
    section.querySelector(".lab-built")?.remove();
    for (const button of this.#buttons) {
      button.disabled = false;
      button.addEventListener("click", () => chosen(texts(this.#of(button.dataset.choose))));
    }
  }

  #of(id) {
    return this.#built.find((built) => built.id === id);
  }

  /**
   * Return what the build has for these very inputs, if anything.
   * @param {Record<string, string>} typed
   * @returns {Built | undefined}
   */
  find(typed) {
    return this.#built.find(({ inputs }) => Object.entries(inputs).every(([name, { text }]) => typed[name]?.trim() === text));
  }

  /**
   * Return the frame's HTML, or undefined while it is not here.
   * @param {Built} built
   */
  html({ id }) {
    return id === null ? this.#first : handed.get(this.#lab)?.[id];
  }

  /**
   * Bring the frames here.
   * @returns {Promise<void>} rejects with a Failure; the next call tries again
   */
  load() {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load() {
    const isHere = () => this.#built.every((built) => this.html(built) !== undefined);
    if (isHere()) return;
    const what = `The file with the presets (${this.#url.slice(this.#url.lastIndexOf("/") + 1)})`;
    await runScript(this.#url, what);
    if (!isHere()) throw new Failure(`${what} is damaged or cut short.`);
  }

  /** Show which preset the fields hold, if any. */
  mark(typed) {
    const id = this.find(typed)?.id ?? null;
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(button.dataset.choose === id));
    if (this.#note) this.#note.textContent = this.#notes.get(id);
  }
}

function texts({ inputs }) {
  return Object.fromEntries(Object.entries(inputs).map(([name, { text }]) => [name, text]));
}
