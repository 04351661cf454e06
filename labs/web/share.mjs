/** Taking something along: a link to this state, the numbers as CSV, a chart as a file. All of it works from disk too. */

const WITHOUT_TEXT = "Link copied; it leaves out the text that you gave.";
const KEYS = "Press Ctrl+C, or ⌘C, to copy.";

/**
 * Wire the tools of a lab.
 * @param {HTMLElement} section `section.lab`
 * @param {() => string} link the address of the present state
 * @param {() => boolean} leavesOut whether that state has a text which the link does not hold
 */
export function initShare(section, link, leavesOut) {
  const said = section.querySelector(".lab-said");
  const field = section.querySelector(".lab-text");
  const texts = {
    link: [() => (leavesOut() ? WITHOUT_TEXT : "Link copied."), link],
    numbers: [() => "Numbers copied.", () => section.querySelector(".lab-frame .lab-csv pre").textContent],
  };
  for (const button of section.querySelectorAll(".lab-copy")) {
    const [done, text] = texts[button.dataset.copy];
    button.disabled = false;
    button.addEventListener("click", async () => say(said, (await copy(text(), field)) ? done() : KEYS));
  }
  section.querySelector(".lab-frame").addEventListener("click", ({ target }) => {
    const chart = target.closest?.(".lab-save")?.closest(".lab-chart");
    if (!chart) return;
    save(`${section.dataset.name}-${chart.dataset.series}.svg`, "image/svg+xml", standalone(chart.querySelector(".lab-plot svg")));
    say(said, "Chart saved.");
  });
}

/** Say it even where the same was said before. */
function say(place, sentence) {
  place.textContent = "";
  setTimeout(() => {
    place.textContent = sentence;
  });
}

/** Copy a text. A browser that refuses gets it in a field, selected, so that two keys do it; then the answer is false. */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    field.hidden = true;
    return true;
  } catch {
    field.hidden = false;
    field.value = text;
    field.focus();
    field.select();
    return false;
  }
}

/**
 * Return a chart as a file of its own: in the light scheme's colours, which stand in it as fallbacks, on its own ground, and
 * without the cursor.
 * @param {SVGSVGElement} svg
 * @returns {string}
 */
export function standalone(svg) {
  const copied = svg.cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  copied.querySelector(".lab-mark")?.remove();
  copied.setAttribute("width", width);
  copied.setAttribute("height", height);
  copied.setAttribute("font-family", "Inter, system-ui, 'Helvetica Neue', Arial, sans-serif");
  const ground = document.createElementNS(copied.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ width, height, fill: "var(--atlas-surface, #fdfcf9)" })) ground.setAttribute(name, value);
  const title = document.createElementNS(copied.namespaceURI, "title");
  title.textContent = svg.getAttribute("aria-label");
  copied.prepend(title, ground);
  return new XMLSerializer().serializeToString(copied).replace(/var\(--[\w-]+, *([^()]+)\)/g, "$1");
}

function save(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the browser may read it after the click
}
