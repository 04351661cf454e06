"""A whole frame: results first, then charts, then tables."""

from labs.lab import Frame
from labs.views.chart import chart_html
from labs.views.metrics import metrics_html
from labs.views.table import table_html
from labs.views.text import escape, shown


def frame_html(frame: Frame) -> str:
    """Return the frame as HTML. Every text in it is escaped."""
    return "".join(
        (
            metrics_html(frame["metrics"]),
            f'<div class="lab-charts">{"".join(map(chart_html, frame["series"]))}</div>' if frame["series"] else "",
            *map(table_html, frame["tables"]),
        )
    )


def numbers_html(csv: str) -> str:
    """Return the frame's numbers to copy, folded: to select by hand, or for the page's button to take."""
    return (
        '<details class="lab-csv"><summary>All numbers as CSV</summary>'
        f'<pre tabindex="0" role="group" aria-label="All numbers as CSV">{escape(csv)}</pre></details>'
    )


def frame_summary(frame: Frame, first: int = 3) -> str:
    """Return the leading results as one sentence, for the status line and screen readers."""
    leading = (f"{metric['label']} {shown(metric['value'], metric['unit'])}" for metric in frame["metrics"][:first])
    return "; ".join(leading) + "."
