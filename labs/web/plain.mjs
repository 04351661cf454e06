/** The editor of a code cell where the real one can't be loaded: a textarea that does the same. */

/** @typedef {{text: string, focus: () => void}} Editor setting the text is not the reader's input */

/**
 * @param {{parent: HTMLElement, text: string, label: string, describedBy: string, onInput: () => void, onRun: () => void}} options
 * @returns {Editor}
 */
export function createPlainEditor({ parent, text, label, describedBy, onInput, onRun }) {
  const area = document.createElement("textarea");
  area.className = "cell-plain";
  area.spellcheck = false;
  area.autocapitalize = "off";
  area.setAttribute("autocorrect", "off");
  area.setAttribute("aria-label", label);
  area.setAttribute("aria-describedby", describedBy);
  const fit = () => {
    area.rows = Math.min(area.value.split("\n").length + 1, 24);
  };
  area.addEventListener("input", () => {
    fit();
    onInput();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    onRun();
  });
  const editor = {
    get text() {
      return area.value;
    },
    set text(next) {
      area.value = next;
      fit();
    },
    focus: () => area.focus(),
  };
  editor.text = text;
  parent.append(area);
  return editor;
}
