"""The charts that a lab's series can be. A series says its kind; what it holds is told in that kind's module."""

from collections.abc import Callable, Mapping
from typing import Any

from labs.views.bars import bars_picture
from labs.views.figure import Picture, figure_html
from labs.views.lines import lines_picture
from labs.views.model import model_picture
from labs.views.ring import ring_picture
from labs.views.timeline import timeline_picture

KINDS: Mapping[str, Callable[[dict[str, Any]], Picture]] = {
    "lines": lines_picture,
    "bars": bars_picture,
    "timeline": timeline_picture,
    "model": model_picture,
    "ring": ring_picture,
}


def chart_html(series: dict[str, Any]) -> str:
    """Return a chart in a figure, with its numbers."""
    kind = series["kind"]
    if kind not in KINDS:
        raise ValueError(f"chart {series['id']}: expected one of {', '.join(KINDS)}, found {kind}")
    return figure_html(series, KINDS[kind](series))
