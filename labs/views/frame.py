"""A whole frame: results first, then charts, then tables."""

from labs.lab import Frame
from labs.views.chart import chart_html
from labs.views.metrics import metrics_html
from labs.views.table import table_html
from labs.views.text import shown


def frame_html(frame: Frame) -> str:
    """Return the frame as HTML. Every text in it is escaped."""
    return "".join(
        (
            metrics_html(frame["metrics"]),
            *map(chart_html, frame["series"]),
            *map(table_html, frame["tables"]),
        )
    )


def frame_summary(frame: Frame, first: int = 3) -> str:
    """Return the leading results as one sentence, for the status line and screen readers."""
    leading = (f"{metric['label']} {shown(metric['value'], metric['unit'])}" for metric in frame["metrics"][:first])
    return "; ".join(leading) + "."
