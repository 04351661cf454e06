/**
 * The WebAssembly modules of Python, as parts of the site. The whole one runs anything. The quick one has only what the labs call
 * (macros/tailor.mjs), a sixth of the code, and so starts sooner; it ends where it is asked for more.
 */
export const QUICK = "quick";
export const WHOLE = "wasm";
