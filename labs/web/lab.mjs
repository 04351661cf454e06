/** One lab of the page: its controls, its state, its frame. */
import { Control } from "./controls.mjs";
import { inWords } from "./failure.mjs";
import { readInputs, writeInputs } from "./fragment.mjs";
import { putFrame } from "./frame.mjs";
import { newestWins } from "./queue.mjs";

const PAUSE = 150; // ms after a key before the text counts
const LONG = 150; // ms of one request after which the lab says that it is busy
const SETTLE = 500; // ms without a change before the result is announced and kept in the URL

export class Lab {
  #section;
  #runtime;
  #controls;
  #status;
  #retry;
  #typing; // timer
  #settling; // timer
  #keeping; // timer
  #submit = newestWins((inputs, newest) => this.#compute(inputs, newest));

  /**
   * Take over a lab as built.
   * @param {HTMLElement} section `section.lab`
   * @param {import("./runtime.mjs").Runtime} runtime
   */
  constructor(section, runtime) {
    this.#section = section;
    this.#runtime = runtime;
    this.#controls = [...section.querySelectorAll(".lab-control")].map((element) => new Control(element));
    this.#status = section.querySelector(".lab-status");
    this.#retry = section.querySelector(".lab-retry");
    for (const control of this.#controls) {
      control.enable();
      control.listen((delay) => this.#changed(delay));
    }
    this.#listen();
    this.#restore();
  }

  get #id() {
    return this.#section.dataset.lab;
  }

  #listen() {
    const form = this.#section.querySelector(".lab-controls");
    const reset = this.#section.querySelector(".lab-reset");
    reset.disabled = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault(); // the event comes before the fields change; set them here
      this.#fill({});
    });
    this.#retry.addEventListener("click", () => {
      this.#controls[0]?.field.focus(); // the button goes away; do not lose the keyboard's place
      this.wake();
    });
    for (const touch of ["focusin", "pointerdown"]) form.addEventListener(touch, () => this.#touch());
    whenSeen(this.#section, () => this.#touch());
    addEventListener("hashchange", () => {
      clearTimeout(this.#keeping); // the reader has gone to another place of the page; do not take it from the URL
      this.#restore();
    });
  }

  /** Fill in what the URL's fragment holds for this lab, if anything, and compute it. */
  #restore() {
    const inputs = readInputs(location.hash, this.#id, this.#controls.map((control) => control.name));
    if (inputs) this.#fill(inputs);
  }

  #fill(inputs) {
    for (const control of this.#controls) control.set(inputs[control.name] ?? control.default);
    this.#changed("none");
  }

  #changed(delay) {
    clearTimeout(this.#typing);
    if (delay === "pause") this.#typing = setTimeout(() => this.#apply(), PAUSE);
    else this.#apply();
  }

  /** Compute the fields as they are. While Python starts, that comes by itself; after a failure, with Retry. */
  #apply() {
    if (this.#is("static")) this.wake();
    else if (this.#is("live", "busy")) this.#submit(this.#inputs());
  }

  #is(...states) {
    return states.includes(this.#section.dataset.state);
  }

  #inputs() {
    return Object.fromEntries(this.#controls.map((control) => [control.name, control.field.value]));
  }

  /** The first touch wakes Python. A lab that failed waits for Retry: a loop of failures helps nobody. */
  #touch() {
    if (this.#is("static")) this.wake();
  }

  /** Start Python, then compute what the fields hold. */
  async wake() {
    this.#retry.hidden = true;
    this.#become("loading", "Starting Python in this page …");
    try {
      await this.#runtime.start();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#become("busy");
    this.#submit(this.#inputs());
  }

  async #compute(inputs, newest) {
    if (this.#is("error")) return; // what waited behind a request that failed
    const busy = setTimeout(() => this.#become("busy", "Computing …"), LONG);
    try {
      this.#show(await this.#runtime.ask({ lab: this.#id, inputs }), inputs, newest());
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(busy);
    }
  }

  /** Show a reply. While a newer input waits, the controls are left to it. */
  #show(reply, inputs, newest) {
    if (reply.ok) {
      putFrame(this.#section.querySelector(".lab-frame"), reply.html);
      if (newest) for (const control of this.#controls) control.accept(reply.inputs[control.name]);
    } else if (newest) {
      for (const control of this.#controls) {
        if (control.name === reply.control) control.refuse(reply.message);
        else control.clear();
      }
    }
    if (!newest) return;
    this.#become("live");
    this.#settle(reply, inputs);
  }

  /** Announce a result, and keep it in the URL, once the changes have come to rest: not on each pixel of a drag. */
  #settle(reply, inputs) {
    clearTimeout(this.#settling);
    clearTimeout(this.#keeping);
    this.#settling = setTimeout(() => this.#say(reply.ok ? `Live: ${reply.summary}` : this.#refusal(reply)), SETTLE);
    this.#keeping = setTimeout(() => this.#keep(inputs), SETTLE);
  }

  #refusal({ control: name, message }) {
    const control = this.#controls.find((known) => known.name === name);
    return `${control ? `${control.label}: ` : ""}${message}. The result below is the last good one.`;
  }

  #keep(inputs) {
    const changed = this.#controls.some((control) => inputs[control.name] !== control.default);
    const present = location.hash.slice(1);
    if (!changed && !readInputs(present, this.#id, Object.keys(inputs))) return; // leaves a heading's anchor as it is
    const fragment = writeInputs(present, this.#id, changed ? inputs : {});
    if (fragment === present) return;
    history.replaceState(history.state, "", fragment ? `#${fragment}` : location.pathname + location.search);
  }

  #fail(error) {
    clearTimeout(this.#typing);
    clearTimeout(this.#settling);
    this.#become("error", inWords(error));
    this.#retry.hidden = false;
  }

  #become(state, sentence) {
    this.#section.dataset.state = state;
    this.#section.querySelector(".lab-frame").setAttribute("aria-busy", String(state === "busy" || state === "loading"));
    if (sentence) this.#say(sentence);
  }

  #say(sentence) {
    if (this.#status.textContent !== sentence) this.#status.textContent = sentence;
  }
}

/** Call once the element is on screen, but not before the page is there and idle; never where the reader saves data. */
function whenSeen(element, call) {
  if (navigator.connection?.saveData) return;
  const idle = globalThis.requestIdleCallback ?? ((later) => setTimeout(later, 200));
  const watch = () =>
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      idle(call);
    }).observe(element);
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch, { once: true });
}
