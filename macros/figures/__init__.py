"""Figures made at build from the model, one a file; each module has `draw() -> drawing.Figure`.

To add one: a module here, and its line below. The list holds names, so that who only needs to know which figures exist
does not load matplotlib.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from macros.bundle import BuildFailed
from macros.fault import fault

if TYPE_CHECKING:
    from macros.figures.drawing import Figure

FOLDER = Path(__file__).resolve().parent

FIGURES: dict[str, str] = {
    "ring-all-reduce-schedule": "macros.figures.ring_all_reduce_schedule",
    "ring-all-reduce-time": "macros.figures.ring_all_reduce_time",
}


def drawn(name: str) -> "Figure":
    """Return a figure, drawn.

    Raises:
        BuildFailed: its code has a mistake
    """
    home = FOLDER / f"{FIGURES[name].rpartition('.')[2]}.py"
    try:
        figure = import_module(FIGURES[name]).draw()
        if not all(isinstance(getattr(figure, part, None), str) for part in ("svg", "alt", "caption")):
            raise TypeError(f"draw() gives no drawing.Figure but {type(figure).__name__}")
    except Exception as error:  # noqa: BLE001  # whatever a figure's code does
        found = fault(error, home, FOLDER)
        raise BuildFailed(f"expected the figure {name} to be drawn, found\n  {found}") from None
    return cast("Figure", figure)
