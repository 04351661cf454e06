/**
 * Call once the element is on screen, but not before the page is there and idle; never where the reader saves data.
 * @param {Element} element
 * @param {() => void} call
 */
export function whenSeen(element, call) {
  if (navigator.connection?.saveData) return;
  const idle = globalThis.requestIdleCallback ?? ((later) => setTimeout(later, 200));
  const watch = () =>
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      idle(call);
    }).observe(element);
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch, { once: true });
}
