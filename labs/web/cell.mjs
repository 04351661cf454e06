/** The code cells of a page: the Python behind a lab's frame, or a card's own, which a reader can change and run. */
import { isStop } from "./failure.mjs";
import { forgetCode, keepCode, keptCode } from "./keepcode.mjs";
import { Output } from "./output.mjs";
import { createPlainEditor } from "./plain.mjs";

const PATIENCE = 10_000; // ms for the editor to come; the plain one does the same

const STARTING = "Starting Python in this page …";
const RUNNING = "Running …";
const WAITING = "Another cell is running; this one comes after it, or after Stop.";
const SILENT = "Done. The code printed nothing, and its last line has no value.";
const STOPPED = "Stopped. Python starts again …";
const READY = "Stopped. Python is ready again.";
const OUTDATED = "The code has changed since the output below.";

/**
 * Take over the cells of this page.
 * @param {import("./runtime.mjs").Runtime} runtime
 * @param {URL} editor the script of the editor, which defines atlasEditor
 */
export function initCells(runtime, editor) {
  for (const element of document.querySelectorAll("details[data-cell]")) new Cell(element, runtime, editor);
}

export class Cell {
  #element;
  #runtime;
  #editorUrl;
  #code; // the element that shows the code before the editor comes
  #given; // the code as the page gives it: of the lab's present frame, or the card's
  #editor;
  #output;
  #status;
  #running = false;
  #isBusy = false; // Python runs a cell, this one or another

  /**
   * @param {HTMLDetailsElement} element `details.cell`
   * @param {import("./runtime.mjs").Runtime} runtime
   * @param {URL} editorUrl
   */
  constructor(element, runtime, editorUrl) {
    this.#element = element;
    this.#runtime = runtime;
    this.#editorUrl = editorUrl;
    this.#code = element.querySelector(".cell-source code");
    this.#given = this.#code.textContent.trimEnd();
    this.#code.textContent = this.#given;
    this.#output = new Output(element.querySelector(".cell-output"));
    this.#status = element.querySelector(".cell-status");
    element.querySelector(".cell-live").hidden = false;
    this.#button("run").addEventListener("click", () => this.run());
    this.#button("stop").addEventListener("click", () => this.stop());
    this.#button("reset").addEventListener("click", () => this.reset());
    element.addEventListener("toggle", () => element.open && this.#open());
    runtime.addEventListener("state", ({ detail }) => this.#follow(detail));
    this.#followFrame();
    this.#showState();
    if (element.open) this.#open();
  }

  get text() {
    return this.#editor?.text ?? this.#code.textContent;
  }

  get isEdited() {
    return this.text !== this.#given;
  }

  /** Run the code as it stands. */
  async run() {
    if (this.#running) return;
    this.#running = true;
    this.#output.clear();
    this.#say(this.#isBusy ? WAITING : RUNNING);
    this.#showState();
    const request = { code: this.text, name: this.#element.dataset.name };
    const onOutput = ({ stream, text }) => {
      this.#output.put(stream, text);
      this.#say(RUNNING);
    };
    try {
      this.#show(await this.#runtime.ask(request, { onOutput }));
    } catch (error) {
      this.#say(isStop(error) ? STOPPED : `${error.message} Run tries again.`);
    } finally {
      this.#running = false;
      this.#showState();
    }
  }

  /** End the run, whatever it does, and have Python back. */
  async stop() {
    if (!this.#running) return;
    try {
      await this.#runtime.stop();
    } catch (error) {
      this.#say(`Stopped. ${error.message} Run tries again.`);
    }
  }

  /** Take the page's code again, with the lab's present inputs, and clear the output. */
  reset() {
    if (this.#running) return;
    this.#put(this.#given);
    forgetCode(this.#element.id);
    this.#output.clear();
    this.#say("");
    this.#showState();
  }

  #show(reply) {
    if (reply.ok) {
      if (reply.value !== null) this.#output.put("value", reply.value);
      this.#say(this.#output.isEmpty ? SILENT : "Done.");
    } else if (reply.error) {
      const { traceback, line } = reply.error;
      this.#output.put("error", traceback);
      this.#say(line ? `Ended in line ${line}, with an error.` : "Ended with an error.");
    } else {
      this.#say(`${reply.message} Run tries again.`); // the worker could not even begin
    }
  }

  #follow(state) {
    this.#isBusy = state === "busy";
    const said = this.#status.textContent;
    if (state === "ready" && said === STOPPED) this.#say(READY);
    if (state === "busy" && said === STARTING) this.#say(RUNNING);
    if (state === "starting" && this.#running && said === RUNNING) this.#say(STARTING);
  }

  /** The frame carries the code that gives it: whenever it changes, the cell changes, unless the reader has edited it. */
  #followFrame() {
    const frame = this.#element.closest("section.lab")?.querySelector(".lab-frame");
    if (!frame || !this.#element.dataset.lab) return;
    const take = () => {
      const code = frame.querySelector(".lab-code")?.textContent.trimEnd();
      if (code === undefined || code === this.#given) return;
      const follows = !this.isEdited;
      this.#given = code;
      if (follows) this.#put(code);
      this.#changed();
    };
    new MutationObserver(take).observe(frame, { childList: true });
    take();
  }

  #put(text) {
    if (this.#editor) {
      if (this.#editor.text !== text) this.#editor.text = text;
    } else {
      this.#code.textContent = text;
    }
  }

  #changed() {
    if (!this.#running && !this.#output.isEmpty) this.#say(OUTDATED);
    this.#showState();
  }

  /** The first time, put the editor in place of the text. */
  async #open() {
    if (this.#editor === undefined) {
      this.#editor = null; // on its way
      this.#runtime.whole();
      const kept = keptCode(this.#element.id);
      if (kept !== null) this.#put(kept);
      const create = await loadEditor(this.#editorUrl).catch(() => createPlainEditor);
      const place = this.#element.querySelector(".cell-editor");
      const source = this.#element.querySelector(".cell-source");
      this.#editor = create({
        parent: place,
        text: this.#code.textContent,
        label: `Python code: ${this.#element.querySelector("summary").textContent.trim()}`,
        describedBy: this.#element.querySelector(".cell-hint").id,
        onInput: () => this.#edited(),
        onRun: () => this.run(),
      });
      place.hidden = false;
      source.hidden = true;
      this.#showState();
    }
  }

  #edited() {
    if (this.isEdited) keepCode(this.#element.id, this.text);
    else forgetCode(this.#element.id);
    this.#changed();
  }

  #button(name) {
    return this.#element.querySelector(`[data-do="${name}"]`);
  }

  /** Buttons are never disabled outright: one that has the focus would lose the keyboard's place. */
  #showState() {
    const reset = !this.#running && (this.isEdited || !this.#output.isEmpty);
    const able = { run: !this.#running, stop: this.#running, reset };
    for (const [name, can] of Object.entries(able)) this.#button(name).setAttribute("aria-disabled", String(!can));
    this.#element.dataset.state = this.#running ? "running" : "ready";
    this.#element.querySelector(".cell-edited").hidden = !this.isEdited;
  }

  #say(sentence) {
    if (this.#status.textContent !== sentence) this.#status.textContent = sentence;
  }
}

let loading;

/** Load the editor's script, once for all cells; a classic one, since a page from disk runs no other. */
function loadEditor(url) {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url.href;
    // A script that was cut short has run too, and has defined nothing.
    script.onload = () => (globalThis.atlasEditor ? resolve(globalThis.atlasEditor.createEditor) : reject());
    script.onerror = reject;
    setTimeout(reject, PATIENCE);
    document.head.append(script);
  });
  return loading;
}
