/** What state a lab is in, in words: static, loading, live, busy, error. One sentence at a time, and Retry where it helps. */
export class Status {
  #section;
  #frame;
  #line;
  #retry;

  /**
   * @param {HTMLElement} section `section.lab`
   * @param {() => void} retried called when the reader presses Retry
   */
  constructor(section, retried) {
    this.#section = section;
    this.#frame = section.querySelector(".lab-frame");
    this.#line = section.querySelector(".lab-status");
    this.#retry = section.querySelector(".lab-retry");
    this.#retry.addEventListener("click", retried);
  }

  /** @param {...string} states */
  is(...states) {
    return states.includes(this.#section.dataset.state);
  }

  /** Change the state; without a sentence the line stays as it is. Retry is there after a failure, until Python starts. */
  become(state, sentence) {
    this.#section.dataset.state = state;
    this.#frame.setAttribute("aria-busy", String(state === "busy" || state === "loading"));
    if (state === "error") this.#retry.hidden = false;
    else if (state !== "static") this.#retry.hidden = true;
    if (sentence) this.say(sentence);
  }

  get sentence() {
    return this.#line.textContent;
  }

  say(sentence) {
    if (this.sentence !== sentence) this.#line.textContent = sentence;
  }
}
