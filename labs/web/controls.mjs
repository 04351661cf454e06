/** A lab's form: fields that a person types in, and a slider beside each that puts its stop's text into the field. */

const PAGE = 3; // stops by Page Up and Page Down: a factor of ten, or of eight; browsers do not agree on one of their own

/** One control. Units are Python's business: here a value is a number to find a stop by, and a text to show. */
class Control {
  #stops;
  #slider;
  #error;

  /** @param {HTMLElement} element the `.lab-control` */
  constructor(element) {
    this.name = element.dataset.control;
    this.label = element.querySelector("label")?.firstChild?.textContent.trim() || this.name;
    this.field = element.querySelector("input[name]");
    this.#slider = element.querySelector("input[type=range]");
    this.#error = element.querySelector(".lab-error");
    this.#stops = JSON.parse(this.#slider?.dataset.stops ?? "[]");
  }

  get default() {
    return this.field.dataset.default;
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
      const [, text] = this.#stops[this.#slider.valueAsNumber];
      this.field.value = text;
      this.#slider.setAttribute("aria-valuetext", text);
      changed("none");
    };
    this.#slider?.addEventListener("input", slid);
    this.#slider?.addEventListener("keydown", (event) => {
      const steps = { PageUp: PAGE, PageDown: -PAGE }[event.key];
      if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const before = this.#slider.value;
      this.#slider.value = this.#slider.valueAsNumber + steps; // the browser keeps it within the ends
      if (this.#slider.value !== before) slid();
    });
    this.field.addEventListener("input", () => changed("pause"));
    this.field.addEventListener("change", () => changed("none"));
    this.field.addEventListener("keydown", (event) => {
      // A form with several fields and no submit button does nothing on Enter by itself.
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      changed("none");
    });
  }

  /** Show an accepted input: no error, the slider at the nearest stop. */
  accept({ value, text }) {
    this.mark("");
    if (!this.#slider || !this.#stops.length) return;
    this.#slider.value = nearestStop(this.#stops.map(([stop]) => stop), value);
    this.#slider.setAttribute("aria-valuetext", text);
  }

  /** Show the model's sentence beside the control; an empty one takes it away. */
  mark(message) {
    if (message) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
    if (this.#error.textContent !== message) this.#error.textContent = message;
    this.#error.hidden = !message;
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

  get names() {
    return this.#controls.map((control) => control.name);
  }

  /** What the fields hold: name -> text. */
  get texts() {
    return Object.fromEntries(this.#controls.map((control) => [control.name, control.field.value]));
  }

  /** Put texts into the fields; what is not named gets its default. */
  fill(texts) {
    for (const control of this.#controls) control.field.value = texts[control.name] ?? control.default;
  }

  areDefaults(texts) {
    return this.#controls.every((control) => texts[control.name] === control.default);
  }

  /** @param {Record<string, {value: number, text: string}>} inputs as Python read them */
  accept(inputs) {
    for (const control of this.#controls) control.accept(inputs[control.name]);
  }

  /** Show a refusal beside its control, and return its sentence for the status line. */
  refuse({ control: name, message }) {
    for (const control of this.#controls) control.mark(control.name === name ? message : "");
    const label = this.#controls.find((control) => control.name === name)?.label;
    return `${label ? `${label}: ` : ""}${message}. The result below is the last good one.`;
  }

  focus() {
    this.#controls[0]?.field.focus();
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
