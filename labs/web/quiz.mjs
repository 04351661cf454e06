/** A question of the page: with scripts, a choice is answered at once, in words and by a mark; without, the answer folds out. */

const RIGHT = "Correct.";
const WRONG = "Not quite: try again, or open the answer.";

/** @param {HTMLFormElement} form `form.quiz` */
export function initQuiz(form) {
  const feedback = form.querySelector(".quiz-feedback");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.reset(); // a browser that restores forms would show a choice without its answer
  form.addEventListener("change", ({ target }) => {
    if (!target.matches("input[type=radio]")) return;
    const right = target.value === form.dataset.answer;
    for (const label of form.querySelectorAll("label.quiz-option")) {
      mark(label, label.contains(target) ? right : undefined);
    }
    feedback.dataset.result = right ? "right" : "wrong";
    feedback.textContent = right ? `${RIGHT} ${explanation(form)}`.trim() : WRONG;
  });
}

/** Mark an option as right or wrong, or take its mark away. The glyph says it without colour; the words are read aloud. */
function mark(label, right) {
  label.querySelector(".quiz-mark")?.remove();
  if (right === undefined) {
    delete label.dataset.result;
    return;
  }
  label.dataset.result = right ? "right" : "wrong";
  const glyph = document.createElement("span");
  glyph.className = "quiz-mark";
  glyph.setAttribute("aria-hidden", "true");
  glyph.textContent = right ? " ✓" : " ✗";
  label.append(glyph);
}

/** The reasoning as text; the first paragraph of the answer only repeats the option. */
function explanation(form) {
  const paragraphs = [...form.querySelectorAll(".quiz-answer p")].slice(1);
  return paragraphs.map((paragraph) => paragraph.textContent.trim()).join(" ");
}
