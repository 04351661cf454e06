/**
 * What runs inside the measured page. It looks on: it waits for events, for changes to the document and for messages of
 * workers, and asks nothing of the page.
 *
 * Puppeteer hands each function over as text, so none can use anything of this module.
 */

/**
 * From the first moment of the page: note when the ring's time first shows this value, and what a worker says of its start.
 * Sets `bench.first`, a promise of {ms: since navigation began, at: since 1970, how}.
 * @param {number} expected seconds
 */
export function watchFirst(expected) {
  const Native = globalThis.Worker;
  const bench = { onreply() {} };
  let how = null;
  globalThis.Worker = class extends Native {
    constructor(...about) {
      super(...about);
      this.addEventListener("message", ({ data }) => {
        if (data.kind === "ready") how = data.how ?? null;
        else if (typeof data === "string") bench.onreply();
      });
    }
  };
  bench.first = new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      const shown = document.querySelector('.lab-frame output[data-metric="time"]')?.dataset.value;
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
  globalThis.bench = bench;
}

/**
 * Move a slider of the ring lab to and fro, and measure each change from the event to the worker's reply, to the new
 * frame in the document, and to the second animation frame after that: the picture is on the screen then.
 * @param {{control: string, changes: number, wait: number}} how `wait`: ms between two changes, at most
 * @returns {Promise<{reply: number[], frame: number[], paint: number[]}>} ms
 */
export async function measureChanges({ control, changes, wait }) {
  const slider = document.querySelector(`.lab [data-control="${control}"] input[type="range"]`);
  const place = document.querySelector(".lab-frame");
  const until = { reply: [], frame: [], paint: [] };
  let step = slider.valueAsNumber < Number(slider.max) ? 1 : -1;
  for (let i = 0; i < changes; i += 1) {
    if (slider.valueAsNumber + step > Number(slider.max) || slider.valueAsNumber + step < Number(slider.min)) step = -step;
    let begun;
    const changed = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`change ${i + 1}: expected a new frame in 10 s, found none`)), 10_000);
      let replied;
      globalThis.bench.onreply = () => {
        replied ??= performance.now() - begun;
      };
      new MutationObserver((_records, observer) => {
        observer.disconnect();
        clearTimeout(late);
        resolve([replied, performance.now() - begun]);
      }).observe(place, { childList: true });
    });
    begun = performance.now();
    slider.valueAsNumber += step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const [reply, frame] = await changed;
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    until.reply.push(reply);
    until.frame.push(frame);
    until.paint.push(performance.now() - begun);
    // At any point of the screen's own rhythm: the wait goes through 0, 7, 14, … of its length.
    await new Promise((later) => setTimeout(later, (i * 7) % wait));
  }
  return until;
}

/**
 * Start a worker of its own that does the same work whenever it is told to, and says how long it took.
 * Sets `bench.machine`, a function that returns a promise of the ms of one turn.
 * @param {number} work ms that a turn takes at best
 */
export async function startMachine(work) {
  const code = `
    const turn = (count) => { let x = 1; for (let i = 0; i < count; i += 1) x = (Math.imul(x, 1103515245) + 12345) | 0; return x; };
    const timed = (count) => { const begun = performance.now(); turn(count); return performance.now() - begun; };
    const tried = 1e7; // far longer than the clock's own steps
    timed(tried); // the compiler warms up
    const count = Math.round((tried * ${Number(work)}) / Math.min(...Array.from({ length: 10 }, () => timed(tried))));
    onmessage = () => postMessage(timed(count));
    postMessage("warm");`;
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  const next = () => new Promise((resolve) => worker.addEventListener("message", ({ data }) => resolve(data), { once: true }));
  await next();
  globalThis.bench.machine = () => {
    worker.postMessage(null);
    return next();
  };
}

/**
 * Measure the fixed work, with the pauses of `measureChanges`.
 * @param {{times: number, wait: number}} how
 * @returns {Promise<number[]>} ms
 */
export async function measureMachine({ times, wait }) {
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    taken.push(await globalThis.bench.machine());
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    await new Promise((later) => setTimeout(later, (i * 7) % wait));
  }
  return taken;
}

/**
 * From the press of Stop to the cell's word that Python is ready again.
 * Sets `bench.stopped`, a promise of the time between, in ms.
 */
export function watchStop() {
  const cell = document.querySelector("section.lab details.cell");
  globalThis.bench.stopped = new Promise((resolve) => {
    let begun;
    cell.querySelector('[data-do="stop"]').addEventListener("click", () => (begun = performance.now()), { capture: true });
    globalThis.atlas.runtime.addEventListener("state", ({ detail }) => {
      if (begun && detail === "ready") resolve(performance.now() - begun);
    });
  });
}
