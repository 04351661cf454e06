/**
 * What the build has worked out: the frames of the defaults and of the presets. They answer at once, whether Python runs or
 * not. A lab's HTML holds them unfolded for readers without scripts; here the folds give way to the row of buttons.
 */

/** @typedef {{id: string | null, inputs: Record<string, {value: number, text: string}>, summary: string, html: string}} Built */

export class Presets {
  #built; // the first is that of the defaults
  #buttons;
  #note;
  #notes = new Map(); // id -> why it is worth a look

  /**
   * @param {HTMLElement} section `section.lab`
   * @param {(texts: Record<string, string>) => void} chosen called with a preset's inputs
   */
  constructor(section, chosen) {
    this.#built = [builtFrame(null, section.querySelector(".lab-frame"))];
    this.#buttons = [...section.querySelectorAll("[data-choose]")];
    this.#note = section.querySelector(".lab-presets .lab-preset-note");
    if (this.#note) this.#notes.set(null, this.#note.textContent);
    for (const fold of section.querySelectorAll("details[data-preset]")) {
      this.#built.push(builtFrame(fold.dataset.preset, fold.querySelector("[data-inputs]")));
      this.#notes.set(fold.dataset.preset, fold.querySelector(".lab-preset-note").textContent);
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
   * Return the built frame of these very inputs, if there is one.
   * @param {Record<string, string>} typed
   * @returns {Built | undefined}
   */
  find(typed) {
    return this.#built.find(({ inputs }) => Object.entries(inputs).every(([name, { text }]) => typed[name]?.trim() === text));
  }

  /** Show which preset the fields hold, if any. */
  mark(typed) {
    const id = this.find(typed)?.id ?? null;
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(button.dataset.choose === id));
    if (this.#note) this.#note.textContent = this.#notes.get(id);
  }
}

/** @returns {Built} */
function builtFrame(id, element) {
  return { id, inputs: JSON.parse(element.dataset.inputs), summary: element.dataset.summary, html: element.innerHTML };
}

function texts({ inputs }) {
  return Object.fromEntries(Object.entries(inputs).map(([name, { text }]) => [name, text]));
}
