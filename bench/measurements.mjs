/** What is measured, in the words in which the terminal and the site's page tell it. */

export const RANKS = 1024; // of the ring lab whose control is changed
export const CHANGES = 200;
export const WORK = 5; // ms; about what Python needs for a reply

const PLAIN = { other: "plain", against: "Plain Pyodide" };
const CHANGE = `From the change of a slider, with the ring lab at ${RANKS.toLocaleString("en")} ranks,`;

/**
 * In the order in which they are shown: name, how it is measured, base unit, and what the site is compared with, if
 * anything, by its side in the runs and in words.
 */
export const MEASUREMENTS = [
  {
    id: "http-first",
    title: "First visit",
    how: "From the navigation to the first live result in the page, over http, in a browser that has never been there.",
    unit: "s",
    ...PLAIN,
  },
  {
    id: "http-second",
    title: "Second visit",
    how: "From the navigation to the first live result, once more in the same browser, which may keep what it was sent.",
    unit: "s",
    ...PLAIN,
  },
  {
    id: "disk",
    title: "Opened from disk",
    how: "From opening the page’s file to the first live result, in a new browser and without a host. A plain start is that of the same site without the picture of Python’s memory.",
    unit: "s",
    other: "bare",
    against: "A plain start",
  },
  {
    id: "bytes",
    title: "Bytes before the first live result",
    how: "What the host sends, zipped as it travels, for all that a first visit asks for before its first live result.",
    unit: "byte",
    ...PLAIN,
  },
  {
    id: "stop",
    title: "Stop to ready",
    how: "From the press of Stop, while a cell runs an endless loop, until Python is ready again. Plain Pyodide’s way to stop is to end its worker and start another.",
    unit: "s",
    ...PLAIN,
  },
  {
    id: "reply",
    title: "Control change to Python’s reply",
    how: `${CHANGE} to the reply of Python: numbers and charts, not yet in the page.`,
    unit: "s",
    other: null,
    against: null,
  },
  {
    id: "frame",
    title: "Control change to new frame",
    how: `${CHANGE} until the new numbers and charts are in the page.`,
    unit: "s",
    other: null,
    against: null,
  },
  {
    id: "paint",
    title: "Control change to new frame on screen",
    how: `${CHANGE} to the second refresh of the screen after the new frame has come into the page, when it is drawn.`,
    unit: "s",
    other: null,
    against: null,
  },
  {
    id: "machine",
    title: "The machine’s own delays",
    how: `Fixed work that takes ${WORK} ms at best, in an otherwise empty worker of the same browser, between the changes of the slider and after the same pauses: where this is late, nothing of this site made it so.`,
    unit: "s",
    other: null,
    against: null,
  },
];
