/** Running a classic script: the one way to data beside the page that works over http and from disk alike. */
import { Failure } from "./failure.mjs";

const PATIENCE = 20_000; // ms

/**
 * Run a script once.
 * @param {string} url
 * @param {string} what the file is, for the sentence where it does not come
 * @returns {Promise<void>} when it has run, which one that was cut short has too; rejects with a Failure
 */
export function runScript(url, what) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const timer = setTimeout(() => reject(new Failure(`${what} did not come in ${PATIENCE / 1000} seconds.`)), PATIENCE);
    const end = () => {
      clearTimeout(timer);
      script.remove();
    };
    script.src = url;
    script.onload = () => {
      end();
      resolve();
    };
    script.onerror = () => {
      end();
      reject(new Failure(`${what} is missing beside this page.`));
    };
    document.head.append(script);
  });
}
