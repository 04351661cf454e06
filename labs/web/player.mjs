/** The buttons beside a slider that go through its stops: one at a time, or by themselves until the last. */

const BEAT = 900; // ms between two stops

export class Player {
  #run;
  #timer; // while it plays

  /**
   * @param {HTMLElement} element holds the buttons `[data-play]`
   * @param {(by: number) => boolean} go goes by so many stops; false where there are no more
   */
  constructor(element, go) {
    const button = (what) => element.querySelector(`[data-play="${what}"]`);
    this.#run = button("run");
    for (const [what, by] of [["back", -1], ["next", 1]]) {
      button(what).disabled = false;
      button(what).addEventListener("click", () => {
        this.pause();
        go(by);
      });
    }
    this.#run.disabled = false;
    this.#run.addEventListener("click", () => (this.#timer ? this.pause() : this.#play(go)));
  }

  #play(go) {
    if (!go(1)) go(-Infinity); // from the last stop on, it begins again
    this.#show("Pause");
    this.#timer = setInterval(() => go(1) || this.pause(), BEAT);
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#show("Play");
  }

  #show(word) {
    if (this.#run.textContent !== word) this.#run.textContent = word;
  }
}
