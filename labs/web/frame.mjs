/**
 * Put a frame's HTML, which Python's views wrote, in place of the one before; what the reader has unfolded stays so.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function putFrame(place, html) {
  const next = document.createElement("div");
  next.innerHTML = html;
  // The first live frame is the built one: leave selection and scrolling in peace.
  if (sameNodes(place, next)) return;
  const open = [...place.querySelectorAll("details")].map((details) => details.open);
  const focused = [...place.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  place.replaceChildren(...next.childNodes);
  place.querySelectorAll("details").forEach((details, i) => {
    details.open = open[i] ?? details.open;
  });
  if (focused >= 0) place.querySelectorAll(FOCUSABLE)[focused]?.focus({ preventScroll: true });
}

const FOCUSABLE = "summary, a[href], button, input, [tabindex]";

function sameNodes(one, other) {
  return (
    one.childNodes.length === other.childNodes.length &&
    [...one.childNodes].every((node, i) => node.isEqualNode(other.childNodes[i]))
  );
}
