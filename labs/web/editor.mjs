/**
 * The editor of the code cells: CodeMirror with Python, and no more of it than that. A part of its own, which a page loads
 * when the first cell is opened; its exports are `atlasEditor` there.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const given = Annotation.define(); // marks what the page puts in, as opposed to what the reader types

/**
 * @param {{parent: HTMLElement, text: string, label: string, describedBy: string, onInput: () => void, onRun: () => void}} options
 * @returns {import("./plain.mjs").Editor}
 */
export function createEditor({ parent, text, label, describedBy, onInput, onRun }) {
  const run = () => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        EditorState.tabSize.of(4),
        indentUnit.of("    "),
        // pythonLanguage alone: python() brings completion along, and weighs a third more.
        new LanguageSupport(pythonLanguage),
        syntaxHighlighting(classHighlighter), // classes tok-…, coloured by cell.css
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
        // Before the default keys, where Ctrl+Enter opens a line. Tab is not bound: it leaves the editor.
        keymap.of([{ key: "Ctrl-Enter", mac: "Cmd-Enter", run }, { key: "Ctrl-Enter", run }, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(given))) onInput();
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: given.of(true) });
    },
    focus: () => view.focus(),
  };
}
