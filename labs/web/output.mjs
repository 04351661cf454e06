/** What a reader's code has printed and come to: parts in order, each named by a word, all of it text and never HTML. */

const LABELS = { stdout: "Output", stderr: "Error output", note: "Note", value: "Value", error: "Error" };
const SPOKEN = 2_000; // characters; nobody wants to hear more of a log
const CONTROLS = /[\b\r\u001b]/;

export class Output {
  #region;
  #last; // {kind, pre, raw}: what comes next of the same kind goes on there
  #length = 0;

  /** @param {HTMLElement} region `.cell-output`, a log */
  constructor(region) {
    this.#region = region;
  }

  get isEmpty() {
    return !this.#last;
  }

  clear() {
    this.#region.replaceChildren();
    this.#region.setAttribute("aria-live", "polite");
    this.#region.removeAttribute("tabindex");
    this.#last = undefined;
    this.#length = 0;
  }

  /**
   * @param {"stdout" | "stderr" | "note" | "value" | "error"} kind
   * @param {string} text
   */
  put(kind, text) {
    const atEnd = this.#region.scrollHeight - this.#region.scrollTop - this.#region.clientHeight < 8;
    if (this.#last?.kind !== kind) this.#begin(kind);
    this.#length += text.length;
    if (this.#length > SPOKEN) this.#region.setAttribute("aria-live", "off");
    const { pre } = this.#last;
    this.#last.raw += text;
    if (CONTROLS.test(text)) pre.textContent = asTerminal(this.#last.raw);
    else pre.append(text);
    if (atEnd) this.#region.scrollTop = this.#region.scrollHeight;
  }

  #begin(kind) {
    const part = document.createElement("div");
    part.className = "cell-part";
    part.dataset.part = kind;
    const label = document.createElement("p");
    label.className = "cell-part-label";
    label.textContent = LABELS[kind] ?? kind;
    const pre = document.createElement("pre");
    part.append(label, pre);
    this.#region.append(part);
    this.#region.tabIndex = 0; // it scrolls, so the keyboard has to get there
    this.#last = { kind, pre, raw: "" };
  }
}

/**
 * Return the text as a terminal would leave it: a carriage return writes over its line, as progress bars do, a backspace
 * takes a character back, and colours are left out.
 * @param {string} text
 * @returns {string}
 */
export function asTerminal(text) {
  const plain = text.replaceAll("\r\n", "\n").replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  return plain.split("\n").map(overwritten).join("\n");
}

function overwritten(line) {
  const shown = [];
  let at = 0;
  for (const character of line) {
    if (character === "\r") at = 0;
    else if (character === "\b") at = Math.max(at - 1, 0);
    else shown[at++] = character;
  }
  return shown.join("");
}
