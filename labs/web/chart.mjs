/**
 * Reading a chart: pointing at it, or moving its cursor by key, shows one row of its numbers. Python has written all texts into
 * the chart's table, and where each row stands in the drawing; here they are only put in place.
 */
import { putNumbers, unfoldNumbers } from "./numbers.mjs";

/**
 * @param {HTMLElement} place where charts come and go, `.lab-frame`
 * @param {(texts: Record<string, string>) => void} set called with the inputs that a row stands for, when it is pressed
 */
export function readCharts(place, set) {
  const withChart = (act) => (event) => {
    const chart = event.target.closest?.(".lab-chart");
    if (chart && place.contains(chart)) act(chart, event);
  };
  const withCursor = (act) => withChart((chart, event) => event.target.matches(".lab-cursor") && act(chart, event.target.valueAsNumber, event));
  unfoldNumbers(place);
  place.addEventListener("input", withCursor(read));
  place.addEventListener("focusin", withCursor(read));
  place.addEventListener("focusout", withCursor(rest));
  for (const kind of ["pointermove", "pointerdown"]) {
    place.addEventListener(kind, withChart((chart, event) => {
      const plot = event.target.closest(".lab-plot");
      if (plot) read(chart, nearest(chart, pointIn(plot.querySelector("svg"), event)));
    }));
  }
  const press = (row) => row?.dataset.sets && set(JSON.parse(row.dataset.sets));
  place.addEventListener("click", withChart((chart, event) => {
    const plot = event.target.closest(".lab-plot");
    if (plot) press(rowsOf(chart)[nearest(chart, pointIn(plot.querySelector("svg"), event))]);
  }));
  place.addEventListener("keydown", withCursor((chart, index, event) => event.key === "Enter" && press(rowsOf(chart)[index])));
  place.addEventListener("pointerout", withChart((chart, { target, relatedTarget, pointerType }) => {
    const plot = target.closest(".lab-plot");
    // A finger that lifts leaves what it has found.
    if (plot && pointerType !== "touch" && !plot.contains(relatedTarget)) rest(chart);
  }));
}

/** Return where the pointer is, in the drawing's units. */
function pointIn(svg, { clientX, clientY }) {
  const { left, top, width, height } = svg.getBoundingClientRect();
  const { viewBox } = svg;
  return [((clientX - left) / width) * viewBox.baseVal.width, ((clientY - top) / height) * viewBox.baseVal.height];
}

function rowsOf(chart) {
  putNumbers(chart.querySelector(".lab-numbers"));
  return [...chart.querySelectorAll(".lab-points tbody tr")];
}

const placesOf = (row) => row.dataset.at.split(" ").map((place) => (place === "-" ? null : Number(place)));

function nearest(chart, [x, y]) {
  const away = rowsOf(chart).map((row) => {
    const [left, top, width, height] = placesOf(row);
    if (chart.dataset.kind === "lines") return Math.abs(x - left);
    return Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
  });
  return away.indexOf(Math.min(...away));
}

/** Show a row: its texts in the readout and for screen readers, its place in the drawing. */
function read(chart, index) {
  const row = rowsOf(chart)[index];
  if (!row) return;
  const texts = [...row.cells].map((cell) => cell.textContent);
  show(chart, texts);
  const cursor = chart.querySelector(".lab-cursor");
  const names = [...chart.querySelectorAll(".lab-points thead th")].map((head) => head.textContent);
  const spoken = texts.map((text, i) => `${names[i]} ${text}`.trim()).join(", ");
  cursor.value = index;
  if (cursor.getAttribute("aria-valuetext") !== spoken) cursor.setAttribute("aria-valuetext", spoken);
  mark(chart.querySelector(".lab-mark"), placesOf(row));
}

function show(chart, texts) {
  chart.querySelectorAll(".lab-readout strong").forEach((place, i) => {
    place.textContent = texts[i];
  });
}

function mark(group, [x, ...others]) {
  const [shape, ...dots] = group.children;
  if (shape.tagName === "rect") {
    const [y, width, height] = others;
    for (const [name, value] of Object.entries({ x, y, width, height })) shape.setAttribute(name, value);
  } else {
    shape.setAttribute("transform", `translate(${x} 0)`);
    dots.forEach((dot, i) => {
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", others[i] ?? 0);
      dot.setAttribute("visibility", others[i] === null ? "hidden" : "inherit");
    });
  }
  group.setAttribute("visibility", "visible");
}

/** Go back to the current point; a cursor that has the keyboard stays. */
function rest(chart) {
  const cursor = chart.querySelector(".lab-cursor");
  if (!cursor || cursor.matches(":focus")) return;
  read(chart, Number(cursor.dataset.rest));
  chart.querySelector(".lab-mark").setAttribute("visibility", "hidden");
}
