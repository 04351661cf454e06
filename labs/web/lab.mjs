/** One lab of the page: its controls, its state, its frame. */
import { readCharts } from "./chart.mjs";
import { Controls } from "./controls.mjs";
import { inWords, isStop, reasonOf } from "./failure.mjs";
import { putFrame } from "./frame.mjs";
import { Keeper } from "./keep.mjs";
import { Presets } from "./presets.mjs";
import { newestWins } from "./queue.mjs";
import { whenSeen } from "./seen.mjs";
import { initShare } from "./share.mjs";
import { Status } from "./status.mjs";

const PAUSE = 150; // ms after a key before the text counts
const LONG = 150; // ms of one request after which the lab says that it is busy
const SETTLE = 500; // ms without a change before the result is announced and kept
const STARTING = "Starting Python in this page …";
const STOPPED = "Python was stopped and starts again …";
const ENDED = "Python has stopped. The numbers below are the last good ones.";
const BUSY = "Computing …";
const FETCHING = "Fetching what the build has worked out for these inputs …";
const WAITING = "Python runs the code of a cell; the lab's turn comes after it, or after Stop.";
const LAST = "These are your last inputs; the numbers below are still those as built.";
const UNKEPT = "The inputs are not kept for your next visit: this browser refuses storage, or has no room.";

export class Lab {
  #section;
  #asked; // what each request begins with
  #runtime;
  #controls;
  #presets;
  #keeper;
  #status;
  #frame;
  #failure = ""; // in words; while there is one, only Retry starts Python
  #cellRuns = false;
  #marks = false; // whether the next frame shows what is new
  #unkept = ""; // to be said once
  #typing; // this and the next two are timers
  #settling;
  #keeping;
  #submit = newestWins((texts, newest) => this.#compute(texts, newest));

  /**
   * Take over a lab as built.
   * @param {HTMLElement} section `section.lab`
   * @param {import("./runtime.mjs").Runtime} runtime
   */
  constructor(section, runtime) {
    this.#section = section;
    const { lab, equation } = section.dataset;
    this.#asked = equation ? { lab, equation: JSON.parse(equation) } : { lab };
    this.#runtime = runtime;
    this.#frame = section.querySelector(".lab-frame");
    this.#controls = new Controls(section, (delay) => {
      this.#marks = true;
      this.#changed(delay);
    });
    this.#presets = new Presets(section, (texts) => this.#fill(texts));
    this.#keeper = new Keeper(section.dataset.name, this.#controls, section.dataset.equation ? location.pathname : "");
    this.#status = new Status(section, () => {
      this.#controls.focus(); // the button goes away; do not lose the keyboard's place
      this.wake();
    });
    section.dataset.scripts = "on";
    initShare(section, () => this.#keeper.link(this.#controls.texts), () => this.#controls.hasLongText);
    const set = (texts) => {
      this.#fill({ ...this.#controls.texts, ...texts });
      this.#marks = true;
    };
    readCharts(this.#frame, set);
    this.#frame.addEventListener("click", ({ target }) => {
      const button = target.closest?.("button.lab-set");
      if (!button) return;
      const texts = JSON.parse(button.dataset.sets);
      // A remedy goes away with what it mends: the keyboard goes to the field that it has filled.
      if (button.closest(".lab-verdict")) this.#controls.focus(Object.keys(texts)[0]);
      set(texts);
    });
    this.#listen();
    this.#restore(this.#keeper.linked, this.#keeper.kept);
  }

  #listen() {
    const form = this.#section.querySelector(".lab-controls");
    this.#section.querySelector(".lab-reset").disabled = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault(); // the event comes before the fields change; set them here
      this.#fill({});
    });
    for (const touch of ["focusin", "pointerdown"]) form.addEventListener(touch, () => this.#touch());
    const presets = this.#section.querySelector(".lab-presets");
    for (const sign of ["pointerenter", "focusin"]) presets?.addEventListener(sign, () => this.#foresee());
    whenSeen(this.#section, () => typeof WebAssembly === "object" && this.#touch());
    addEventListener("hashchange", () => {
      clearTimeout(this.#keeping); // the reader has gone to another place of the page; do not take it from the URL
      const { linked } = this.#keeper;
      this.#restore(linked, null);
      if (linked) this.#section.scrollIntoView({ block: "start" });
    });
    this.#runtime.addEventListener("state", ({ detail }) => this.#follow(detail));
  }

  /** A link is meant: it is computed at once. What was kept is shown, and computed when the lab is seen. */
  #restore(linked, kept) {
    if (linked) this.#fill({ ...this.#controls.longTexts, ...linked });
    else if (kept) {
      this.#controls.fill({ ...this.#controls.longTexts, ...kept });
      this.#status.say(LAST);
      const built = this.#match();
      if (built) this.#showBuilt(built);
    }
  }

  #fill(texts) {
    this.#marks = false; // another case altogether
    this.#controls.fill(texts);
    this.#changed("none");
  }

  #changed(delay) {
    clearTimeout(this.#typing);
    if (delay === "pause") this.#typing = setTimeout(() => this.#apply(), PAUSE);
    else this.#apply();
  }

  /** Answer the fields as they are: live, or from the build, or say why not. While Python starts, that comes by itself. */
  #apply() {
    const built = this.#match();
    if (this.#status.is("live", "busy")) this.#submit(this.#controls.texts);
    else if (built) this.#showBuilt(built);
    else if (this.#failure) this.#fail(this.#failure);
    else if (this.#status.is("static")) this.wake();
  }

  #match() {
    this.#presets.mark(this.#controls.texts);
    return this.#presets.find(this.#controls.texts);
  }

  /** A reader who turns to the presets may choose one; what goes wrong is said when he has. */
  #foresee() {
    if (!this.#status.is("live", "busy")) this.#presets.load().catch(() => {});
  }

  /** The first touch wakes Python. A lab that failed waits for Retry: a loop of failures helps nobody. */
  #touch() {
    if (this.#status.is("static") && !this.#failure) this.wake();
  }

  /** Start Python, then compute what the fields hold; `said` is why it has to. */
  async wake(said = "") {
    this.#failure = "";
    this.#status.become("loading", `${said} ${STARTING}`.trim());
    try {
      await this.#runtime.start();
      if (this.#status.is("loading")) this.#live(); // else "ready" has come first
    } catch (error) {
      this.#fail(inWords(error), said);
    }
  }

  #live() {
    clearTimeout(this.#typing);
    this.#failure = "";
    this.#status.become("busy");
    this.#submit(this.#controls.texts);
  }

  /** Python is shared with cells and other labs: go down and come back with it. */
  #follow(state) {
    this.#cellRuns = state === "busy";
    if (state === "stopped" && this.#status.is("live", "busy")) this.#status.become("loading", STOPPED);
    else if (state === "failed" && this.#status.is("live")) this.#fail(ENDED);
    else if (state === "ready" && (this.#status.is("loading") || this.#failure)) this.#live();
  }

  async #compute(texts, newest) {
    if (!this.#status.is("live", "busy")) return; // what waited behind a request that failed
    const busy = setTimeout(() => this.#status.become("busy", this.#cellRuns ? WAITING : BUSY), LONG);
    try {
      const { defaults } = this.#controls;
      this.#show(await this.#runtime.ask({ ...this.#asked, inputs: texts }, { defaults }), texts, newest());
    } catch (error) {
      // After a Stop Python comes back by itself: "ready" tells when, and then the fields are computed.
      if (!isStop(error)) this.#fail(inWords(error));
    } finally {
      clearTimeout(busy);
    }
  }

  /** Show a reply. While a newer input waits, the controls are left to it. */
  #show(reply, texts, newest) {
    if (reply.ok) putFrame(this.#frame, reply.html, { marks: this.#marks });
    if (!newest) return;
    if (reply.ok) this.#controls.accept(reply.inputs, reply.limits);
    this.#status.become("live");
    this.#settle(reply.ok ? `Live: ${reply.summary}` : this.#controls.refuse(reply), texts);
  }

  #showBuilt(built) {
    const html = this.#presets.html(built);
    if (html === undefined) {
      this.#fetchBuilt(built);
      return;
    }
    const { inputs, summary } = built;
    putFrame(this.#frame, html);
    this.#controls.accept(inputs);
    if (this.#status.is("error")) this.#status.become("static");
    const more = this.#failure ? "Live Python does not run." : this.#status.is("loading") ? STARTING : "";
    const sentence = `From the build: ${summary} ${more}`.trim();
    this.#status.say(sentence);
    this.#settle(sentence, this.#controls.texts);
  }

  /** Bring the presets' frames here and show this one, unless Python has answered or the fields hold something newer. */
  async #fetchBuilt(built) {
    const isWanted = () => !this.#status.is("live", "busy") && this.#presets.find(this.#controls.texts) === built;
    const slow = setTimeout(() => isWanted() && !this.#status.is("loading") && this.#status.say(FETCHING), LONG);
    try {
      await this.#presets.load();
      if (isWanted()) this.#showBuilt(built);
    } catch (error) {
      if (isWanted()) this.#withoutBuilt(reasonOf(error));
    } finally {
      clearTimeout(slow);
    }
  }

  /** Say why the build's frame is not there, and leave the answer to Python, if it runs. */
  #withoutBuilt(reason) {
    if (this.#failure) this.#fail(this.#failure, reason);
    else if (this.#status.is("loading")) this.#status.say(`${reason} ${STARTING}`);
    else this.wake(reason);
  }

  /** Announce a result, and keep it, once the changes have come to rest: not on each pixel of a drag. */
  #settle(sentence, texts) {
    clearTimeout(this.#settling);
    clearTimeout(this.#keeping);
    this.#section.dataset.settling = ""; // the line still tells of an earlier state
    this.#keeping = setTimeout(() => {
      if (!this.#keeper.keep(texts)) this.#unkept ||= ` ${UNKEPT}`;
    }, SETTLE);
    this.#settling = setTimeout(() => {
      delete this.#section.dataset.settling;
      this.#status.say(`${sentence}${this.#unkept}`);
      if (this.#unkept) this.#unkept = " ";
    }, SETTLE);
  }

  /** Python has failed; `said` is what had gone wrong before. */
  #fail(sentence, said = "") {
    clearTimeout(this.#typing);
    clearTimeout(this.#settling);
    this.#failure = sentence;
    this.#status.become("error", `${said} ${sentence}`.trim());
  }
}
