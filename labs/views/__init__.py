"""How a frame looks: HTML and SVG text, written by the same code at build and in the browser."""
