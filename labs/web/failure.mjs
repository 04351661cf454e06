/** Why a lab can't run, in words for the person who reads the page. */
export class Failure extends Error {}

/** A request that ended because the reader pressed Stop. */
export class Stopped extends Failure {
  constructor() {
    super("Stopped.");
  }
}

/**
 * Return the sentence for the status line.
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  const reason = error instanceof Failure ? error.message : `Something unexpected happened: ${error?.message ?? error}.`;
  return `${reason} The numbers below are the last good ones.`;
}
