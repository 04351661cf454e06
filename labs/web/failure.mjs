/** Why a lab can't run, in words for the person who reads the page. */
export class Failure extends Error {}

/** A request that ended because the reader pressed Stop. */
export class Stopped extends Failure {
  constructor() {
    super("Stopped.");
  }
}

/**
 * Return what went wrong as a sentence.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  return error instanceof Failure ? error.message : `Something unexpected happened: ${error?.message ?? error}.`;
}

/**
 * Return the sentences for the status line.
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  return `${reasonOf(error)} The numbers below are the last good ones.`;
}
