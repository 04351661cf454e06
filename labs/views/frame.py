"""A whole frame: what it says, wide diagrams, results, charts, tables, notes."""

from collections.abc import Mapping
from typing import Any

from labs.lab import Frame
from labs.views.action import action_html
from labs.views.chart import chart_html
from labs.views.metrics import metrics_html
from labs.views.table import table_html
from labs.views.text import escape, shown


def frame_html(frame: Frame) -> str:
    """Return the frame as HTML. Every text in it is escaped."""
    return "".join(
        (
            _list("lab-verdict", frame.get("verdict", ())),
            *(f'<div class="lab-diagram">{chart_html(diagram)}</div>' for diagram in frame.get("diagrams", ())),
            metrics_html(frame["metrics"]) if frame["metrics"] else "",
            f'<div class="lab-charts">{"".join(map(chart_html, frame["series"]))}</div>' if frame["series"] else "",
            *map(table_html, frame["tables"]),
            _list("lab-notes", frame.get("notes", ())),
        )
    )


def _list(name: str, sentences: Any) -> str:
    """Return sentences as a list; one of them may be an action, or a text with an action behind it."""
    items = "".join(f"<li>{_sentence(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{name}">{items}</ul>' if items else ""


def _sentence(sentence: str | Mapping[str, Any]) -> str:
    if isinstance(sentence, str):
        return escape(sentence)
    said = f"{escape(sentence['says'])} " if "says" in sentence else ""
    return said + action_html(sentence)


def numbers_html(csv: str) -> str:
    """Return the frame's numbers to copy, folded: to select by hand, or for the page's button to take."""
    return (
        '<details class="lab-csv"><summary>All numbers as CSV</summary>'
        f'<pre tabindex="0" role="group" aria-label="All numbers as CSV">{escape(csv)}</pre></details>'
    )


def frame_summary(frame: Frame, first: int = 3) -> str:
    """Return what a frame says of itself, or its leading results, as one sentence for the status line."""
    if "summary" in frame:
        return str(frame["summary"])
    leading = (f"{metric['label']} {shown(metric['value'], metric['unit'])}" for metric in frame["metrics"][:first])
    return "; ".join(leading) + "."
