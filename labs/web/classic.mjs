/**
 * Lets Pyodide start in a classic worker. It calls `importScripts` once, and refuses to start where that works;
 * a module worker is no way out, since browsers do not start one from a page that was opened from disk.
 * Import this first: Pyodide asks while its own module is read.
 */
self.importScripts = () => {
  throw new Error("importScripts is switched off in this worker");
};
