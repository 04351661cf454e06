/**
 * A lab's form: fields that a person types in, each with a slider that puts its stop's text into the field; lists to choose
 * from; fields for long texts, which take a dropped file too.
 */
import { Player } from "./player.mjs";
import { takeFiles } from "./textfile.mjs";

const PAGE = 3; // stops by Page Up and Page Down: a factor of ten, or of eight; browsers do not agree on one of their own

/** One control. Units are Python's business: here a value is a number to find a stop by, and a text to show. */
class Control {
  #stops;
  #slider;
  #error;
  #element;
  #player; // where the stops play by themselves

  /** @param {HTMLElement} element the `.lab-control` */
  constructor(element) {
    this.name = element.dataset.control;
    this.label = element.querySelector("label")?.firstChild?.textContent.trim() || this.name;
    this.field = element.querySelector("[name]");
    this.#slider = element.querySelector("input[type=range]");
    this.#error = element.querySelector(".lab-error");
    this.#element = element;
    this.#stops = JSON.parse(this.#slider?.dataset.stops ?? "[]");
  }

  get default() {
    return this.field.dataset.default ?? this.field.defaultValue;
  }

  /** Whether it is a text of any length: no link holds it, and it is not kept for the next visit. */
  get isLong() {
    return this.field.tagName === "TEXTAREA";
  }

  /** Enable what was built disabled. A browser that restores a form after a reload would leave field and slider apart. */
  enable() {
    this.field.disabled = false;
    this.field.value = this.default;
    if (this.#slider) {
      this.#slider.disabled = false;
      this.#slider.value = this.#slider.defaultValue;
    }
  }

  /** @param {(delay: "none" | "pause") => void} changed called when the field's text is another */
  listen(changed) {
    const slid = () => {
      this.#player?.pause();
      this.#slide(changed);
    };
    this.#slider?.addEventListener("input", slid);
    this.#slider?.addEventListener("keydown", (event) => {
      const steps = { PageUp: PAGE, PageDown: -PAGE }[event.key];
      if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#player?.pause();
      this.#go(steps, changed);
    });
    if (this.#element.querySelector(".lab-play")) this.#player = new Player(this.#element, (by) => this.#go(by, changed));
    if (this.isLong) takeFiles(this.#element, this.field, () => changed("none"), (message) => this.mark(message));
    this.field.addEventListener("input", () => changed("pause"));
    this.field.addEventListener("change", () => changed("none"));
    this.field.addEventListener("keydown", (event) => {
      // A form with several fields and no submit button does nothing on Enter by itself.
      if (event.key !== "Enter" || event.isComposing || this.isLong) return;
      event.preventDefault();
      changed("none");
    });
  }

  /** Put the slider's stop into the field. */
  #slide(changed) {
    const [, text] = this.#stops[this.#slider.valueAsNumber];
    this.field.value = text;
    this.#slider.setAttribute("aria-valuetext", text);
    changed("none");
  }

  /** Go by some stops, as far as there are any; return whether there was anywhere to go. */
  #go(by, changed) {
    const before = this.#slider.value;
    this.#slider.valueAsNumber += by; // the browser keeps it within the ends
    if (this.#slider.value === before) return false;
    this.#slide(changed);
    return true;
  }

  /** Show an accepted input: no error, the slider at the nearest stop. */
  accept({ value, text }) {
    this.mark("");
    if (!this.#slider || !this.#stops.length) return;
    this.#slider.value = nearestStop(this.#stops.map(([stop]) => stop), value);
    this.#slider.setAttribute("aria-valuetext", text);
  }

  /** Keep the slider within what is of use. A field that is beyond it shows the last value that is. */
  limit(most = Infinity) {
    if (!this.#stops.length) return;
    const last = this.#stops.findLastIndex(([stop]) => stop <= most);
    if (last < 0 || Number(this.#slider.max) === last) return;
    const beyond = this.#slider.valueAsNumber > last;
    this.#slider.max = last;
    if (beyond) this.field.value = this.#stops[last][1];
  }

  /** Open the group that it is folded in. */
  unfold() {
    const fold = this.#element.closest("details.lab-fold");
    if (fold) fold.open = true;
  }

  /** Show the model's sentence beside the control; an empty one takes it away. */
  mark(message) {
    if (message) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
    if (this.#error.textContent !== message) this.#error.textContent = message;
    this.#error.hidden = !message;
    if (message) this.unfold();
  }
}

/** All controls of a lab, as one record of texts. */
export class Controls {
  #controls;

  /**
   * @param {HTMLElement} section `section.lab`
   * @param {(delay: "none" | "pause") => void} changed called when a person has changed a field
   */
  constructor(section, changed) {
    this.#controls = [...section.querySelectorAll(".lab-control")].map((element) => new Control(element));
    for (const control of this.#controls) {
      control.enable();
      control.listen(changed);
    }
  }

  /** Those that a link holds, and that are kept for the next visit. */
  get names() {
    return this.#controls.filter((control) => !control.isLong).map((control) => control.name);
  }

  /** The texts that no link holds. */
  get longTexts() {
    return Object.fromEntries(this.#controls.filter((control) => control.isLong).map(({ name, field }) => [name, field.value]));
  }

  /** Whether such a text was given. */
  get hasLongText() {
    return this.#controls.some((control) => control.isLong && control.field.value !== control.default);
  }

  /** What the fields hold as built: name -> text. */
  get defaults() {
    return Object.fromEntries(this.#controls.map((control) => [control.name, control.default]));
  }

  /** What the fields hold: name -> text. */
  get texts() {
    return Object.fromEntries(this.#controls.map((control) => [control.name, control.field.value]));
  }

  /** Put texts into the fields; what is not named gets its default. */
  fill(texts) {
    for (const control of this.#controls) control.field.value = texts[control.name] ?? control.default;
  }

  /** Return what a link holds of these texts: nothing where all are as built. */
  ownOf(texts) {
    const short = this.#controls.filter((control) => !control.isLong);
    if (short.every((control) => texts[control.name] === control.default)) return null;
    return Object.fromEntries(short.map(({ name }) => [name, texts[name]]));
  }

  /**
   * @param {Record<string, {value: number, text: string}>} inputs as Python read them
   * @param {Record<string, number>} limits of inputs that are of no use beyond, for these others
   */
  accept(inputs, limits = {}) {
    for (const control of this.#controls) {
      control.limit(limits[control.name]);
      control.accept(inputs[control.name]);
    }
  }

  /** Show a refusal beside its control, and return its sentence for the status line. */
  refuse({ control: name, message }) {
    for (const control of this.#controls) control.mark(control.name === name ? message : "");
    const label = this.#controls.find((control) => control.name === name)?.label;
    return `${label ? `${label}: ` : ""}${message}. The result below is the last good one.`;
  }

  /** Go to a field; without a name to the first. */
  focus(name) {
    const control = this.#controls.find((one) => one.name === name) ?? this.#controls[0];
    control?.unfold();
    control?.field.focus();
  }
}

/**
 * Return the index of the stop nearest to a value: by ratio between positive stops, by difference elsewhere.
 * @param {number[]} stops in rising order
 * @param {number} value
 * @returns {number}
 */
export function nearestStop(stops, value) {
  const after = stops.findIndex((stop) => stop >= value);
  if (after === -1) return stops.length - 1;
  if (after === 0) return 0;
  const [low, high] = [stops[after - 1], stops[after]];
  const nearerLow = low > 0 ? value / low < high / value : value - low < high - value;
  return nearerLow ? after - 1 : after;
}
