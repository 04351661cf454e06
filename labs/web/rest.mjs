/**
 * What a worker does while nobody asks. It answers the last question again, until the browser's compiler has seen what a lab calls, so that
 * a reader's first drag is not the slow one; and it has Python clear up, which would otherwise hold up one frame in forty.
 */
const QUIET = 400; // ms without a request
const ANSWERS = 30; // by then the compiler has done most of its work
const WORK = 500; // ms for all of them
const LONG = 200; // ms; an answer that takes longer is not given again, since a reader who asks meanwhile waits for it

export class Rest {
  #again;
  #clear;
  #failed;
  #timer;
  #asked = 0; // how often
  #since = 0;
  #answers = 0;
  #spent = 0; // ms

  /**
   * @param {(text: string) => Promise<unknown>} again answers a lab's request, for nobody
   * @param {() => unknown} clear has Python clear up
   * @param {(error: Error) => void} failed called if one of the two fails
   */
  constructor(again, clear, failed) {
    this.#again = again;
    this.#clear = clear;
    this.#failed = failed;
  }

  /** Somebody asks: whatever goes on here ends. */
  asked() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#since = performance.now();
  }

  /**
   * A reply is on its way.
   * @param {string} [text] the request, where it was a lab's
   */
  answered(text) {
    clearTimeout(this.#timer);
    const again = performance.now() - this.#since > LONG ? undefined : text;
    this.#timer = setTimeout(() => this.#begin(again, this.#asked).catch(this.#failed), QUIET);
  }

  async #begin(text, asked) {
    while (text && this.#answers < ANSWERS && this.#spent < WORK) {
      const begun = performance.now();
      await this.#again(text);
      this.#answers += 1;
      this.#spent += performance.now() - begun;
      await new Promise((resolve) => setTimeout(resolve)); // a request goes first
      if (asked !== this.#asked) return;
    }
    this.#clear();
  }
}
