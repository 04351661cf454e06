"""The charts that a lab's series can be. A series says its kind; what it holds is told in that kind's module."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from labs.views.figure import Picture, figure_html, ornament

# Each is drawn by the module of its name, which is imported when it is first needed.
KINDS = ("lines", "bars", "gantt", "timeline", "model", "ring")


def chart_html(series: dict[str, Any]) -> str:
    """Return a chart in a figure, with its numbers."""
    return figure_html(series, _picture(series))


def drawing(series: dict[str, Any]) -> str:
    """Return the drawing of a chart alone, as an ornament beside words that say the same."""
    return ornament(_picture(series))


def _picture(series: dict[str, Any]) -> Picture:
    kind = series["kind"]
    if kind not in KINDS:
        raise ValueError(f"chart {series['id']}: expected one of {', '.join(KINDS)}, found {kind}")
    picture: Callable[[dict[str, Any]], Picture] = getattr(import_module(f"labs.views.{kind}"), f"{kind}_picture")
    return picture(series)
