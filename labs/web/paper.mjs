/** On paper nothing can be unfolded: inputs and tables of labs that are folded are opened for it, and closed again. */

const FOLDS = ".lab details:is(.lab-fold, .lab-more)";

export function unfoldForPaper() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(FOLDS)].filter((fold) => !fold.open);
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
    opened = [];
  });
}
