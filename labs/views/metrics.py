"""The row of results: one <output> each, with the value in base units for scripts and tests."""

from collections.abc import Sequence
from typing import Any

from labs.views.text import escape, shown


def metrics_html(metrics: Sequence[dict[str, Any]]) -> str:
    """Return the results as a list; the first one leads."""
    return f'<ul class="lab-metrics">{"".join(_metric(metric) for metric in metrics)}</ul>'


def _metric(metric: dict[str, Any]) -> str:
    value, unit = metric["value"], metric["unit"]
    exact = "" if value is None else repr(value)
    return (
        f'<li class="lab-metric"><span class="lab-metric-label">{escape(metric["label"])}</span> '
        f'<output data-metric="{escape(metric["name"])}" data-value="{exact}" data-unit="{escape(unit)}">'
        f"{escape(shown(value, unit))}</output> "
        f'<span class="lab-metric-symbol">{escape(metric["symbol"])}</span></li>'
    )
