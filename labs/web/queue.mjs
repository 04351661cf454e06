/**
 * Return a function that works on values one at a time, and of those that come meanwhile keeps only the newest: a drag
 * never queues, and what is shown never goes back in time.
 * @template T
 * @param {(value: T, newest: () => boolean) => Promise<void>} work
 *   `newest()` says whether nothing newer waits; it must not reject
 * @returns {(value: T) => void}
 */
export function newestWins(work) {
  let running = false;
  let waiting;

  async function run() {
    running = true;
    while (waiting) {
      const { value } = waiting;
      waiting = undefined;
      await work(value, () => waiting === undefined);
    }
    running = false;
  }

  return (value) => {
    waiting = { value };
    if (!running) run();
  };
}
