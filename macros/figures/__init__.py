"""Figures made at build from the model, one a file; each module has `draw() -> drawing.Figure`.

To add one: a module here, and its line below. The list holds names, so that who only needs to know which figures exist
does not load matplotlib.
"""

FIGURES: dict[str, str] = {
    "ring-all-reduce-schedule": "macros.figures.ring_all_reduce_schedule",
    "ring-all-reduce-time": "macros.figures.ring_all_reduce_time",
}
