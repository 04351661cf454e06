/**
 * What runs inside the measured page, from its first moment. It looks on: it waits for changes to the document and for
 * messages of workers, and asks nothing of the page.
 *
 * Puppeteer hands the function over as text, so it can use nothing of this module.
 */

/**
 * Note when the ring's time first shows this value, and every message of a worker.
 * Sets `bench.first`, a promise of {ms: since navigation began, at: since 1970, how: what the worker said of its start}.
 * @param {number} expected seconds
 */
export function watchFirst(expected) {
  const Native = globalThis.Worker;
  let how = null;
  globalThis.Worker = class extends Native {
    constructor(...about) {
      super(...about);
      this.addEventListener("message", ({ data }) => {
        if (data.kind === "ready") how = data.how ?? null;
        globalThis.bench.onmessage?.(data);
      });
    }
  };
  globalThis.bench = {};
  globalThis.bench.first = new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      const shown = document.querySelector('output[data-metric="time"]')?.dataset.value;
      if (shown && Math.abs(Number(shown) - expected) <= 1e-9 * expected) {
        observer.disconnect();
        const ms = performance.now();
        resolve({ ms, at: performance.timeOrigin + ms, how });
      } else if (document.querySelector('.lab[data-state="error"]')) {
        observer.disconnect();
        reject(new Error(document.querySelector(".lab-status").textContent));
      }
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
}
