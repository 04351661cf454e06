/** A lab's form: fields that a person types in, and a slider beside each that puts its stop's text into the field. */

/** One control. Units are Python's business: here a value is a number to find a stop by, and a text to show. */
export class Control {
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
    this.set(this.default);
    if (this.#slider) {
      this.#slider.disabled = false;
      this.#slider.value = this.#slider.defaultValue;
    }
  }

  /** @param {(delay: "none" | "pause") => void} changed called when the field's text is another */
  listen(changed) {
    this.#slider?.addEventListener("input", () => {
      const [, text] = this.#stops[this.#slider.valueAsNumber];
      this.set(text);
      this.#slider.setAttribute("aria-valuetext", text);
      changed("none");
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

  set(text) {
    this.field.value = text;
  }

  /** Show an accepted input: no error, the slider at the nearest stop. */
  accept({ value, text }) {
    this.#mark("");
    if (!this.#slider || !this.#stops.length) return;
    this.#slider.value = nearestStop(this.#stops.map(([stop]) => stop), value);
    this.#slider.setAttribute("aria-valuetext", text);
  }

  /** Show the model's sentence beside the control; an empty one takes it away. */
  #mark(message) {
    if (message) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
    if (this.#error.textContent !== message) this.#error.textContent = message;
    this.#error.hidden = !message;
  }

  refuse(message) {
    this.#mark(message);
  }

  clear() {
    this.#mark("");
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
