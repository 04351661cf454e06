/**
 * Why a lab can't run, in words for the person who reads the page. Known by its name: the script in the head and that of the page
 * each hold a copy of these classes.
 */
export class Failure extends Error {
  name = "Failure";
}

/** A request that ended because the reader pressed Stop. */
export class Stopped extends Failure {
  name = "Stopped";
  constructor() {
    super("Stopped.");
  }
}

/** Whether this is why a request ended. */
export function isStop(error) {
  return error?.name === "Stopped";
}

/**
 * Return what went wrong as a sentence.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  return ["Failure", "Stopped"].includes(error?.name) ? error.message : `Something unexpected happened: ${error?.message ?? error}.`;
}

/**
 * Return the sentences for the status line.
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  return `${reasonOf(error)} The numbers below are the last good ones.`;
}
