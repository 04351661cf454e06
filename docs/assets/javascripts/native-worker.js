// From disk, iframe-worker (the next script) puts an <iframe> stand-in in the place of Worker, for the search alone.
// The labs need real workers, so keep them under a name of their own.
window.NativeWorker = window.Worker;
