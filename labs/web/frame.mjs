/**
 * Put a frame's HTML, which Python's views wrote, in place of the one before; what the reader has unfolded stays so, and the
 * keyboard stays where it was.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function putFrame(place, html) {
  const next = document.createElement("div");
  next.innerHTML = html;
  // The first live frame is the built one: leave selection and scrolling in peace.
  if (sameNodes(place, next)) return;
  const open = [...place.querySelectorAll("details")].map((details) => details.open);
  const active = document.activeElement;
  const { value } = active; // now: a field that is taken away may still hear of it
  const focused = [...place.querySelectorAll(FOCUSABLE)].indexOf(active);
  place.replaceChildren(...next.childNodes);
  place.querySelectorAll("details").forEach((details, i) => {
    details.open = open[i] ?? details.open;
  });
  const again = focused < 0 ? undefined : place.querySelectorAll(FOCUSABLE)[focused];
  if (again?.type === "range") again.value = value;
  again?.focus({ preventScroll: true });
}

const FOCUSABLE = "summary, a[href], button, input, [tabindex]";

function sameNodes(one, other) {
  return (
    one.childNodes.length === other.childNodes.length &&
    [...one.childNodes].every((node, i) => node.isEqualNode(other.childNodes[i]))
  );
}
