"""Bars that lie, one for each alternative: of one part, or stacked of several.

    {"kind": "bars", "id": …, "title": …, "x": {"label": …, "symbol": …, "unit": …}, "row": what a row is, "change",
     "parts": [{"name": …, "label": …, "kind": a kind of parallelism or nothing}, …],
     "rows": [{"label": …, "values": [one for each part], "now": true for the current one,
               "sets": {input: text, …} that a press on it fills, or nothing}, …],
     "limit": {"label": …, "value": …}, an upright line across the bars, or nothing}

A bar's length is its value, so the axis is linear and begins at zero, and no value is below it. Each bar has its name
and its total on a line of its own above it: they meet nothing, however long or short the bars.
"""

from collections.abc import Sequence
from typing import Any

from labs.views.drawing import LINE, Style, area, key, rule, styles, text, width_of
from labs.views.figure import Column, Picture, Row
from labs.views.rows import FOOT, axis_below, key_of
from labs.views.scale import Axis, from_zero
from labs.views.text import shown

LEFT, RIGHT = 6, 464
PITCH, BAR = 44, 16


def bars_picture(series: dict[str, Any]) -> Picture:
    """Return bars as drawn.

    Raises:
        ValueError: a value below zero, which a stack of lengths can't show
    """
    parts, rows, unit = series["parts"], series["rows"], series["x"]["unit"]
    limit = series.get("limit")
    if any(value < 0 for row in rows for value in row["values"]):
        raise ValueError(f"chart {series['id']}: expected values >= 0")
    stacked = len(parts) > 1
    looks = styles(parts, first=1 if stacked else 0)
    totals = [sum(row["values"]) for row in rows]
    x = Axis(*from_zero([*totals, *([limit["value"]] if limit else [])]), LEFT, RIGHT, log=False, unit=unit, margin=4)
    names, head = key_of(parts, looks, LEFT) if stacked else ([], 0)
    top_of_line, head = head + 4, head + (LINE if limit else 0)
    bottom = head + PITCH * len(rows) + 6
    columns = [Column(part["label"], key(look, line=False)) for part, look in zip(parts, looks, strict=True)]
    drawn, table = [], []
    for i, (row, total) in enumerate(zip(rows, totals, strict=True)):
        top = head + PITCH * (i + 1) - BAR
        drawn += [*_words(row, top, shown(total, unit)), *_bar(row["values"], looks, x, top)]
        texts = (row["label"], *(shown(v, unit) for v in row["values"]), *([shown(total, unit)] if stacked else []))
        box = (LEFT - 2, top - 2, max(x.place(total) - LEFT, 2) + 4, BAR + 4)
        table.append(Row(texts, box, sets=row.get("sets")))
    return Picture(
        kind="bars",
        height=bottom + FOOT,
        parts=[
            *names,
            *axis_below(series["x"], x, head, bottom),
            *drawn,
            rule(f"M{LEFT} {head:g}V{bottom:g}", "muted"),
            *(_limit(limit, x, top_of_line, [head + PITCH * (i + 1) for i in range(len(rows))]) if limit else ()),
        ],
        columns=[Column(series.get("row", "row")), *columns, *([Column("total")] if stacked else [])],
        rows=table,
        current=next((i for i, row in enumerate(rows) if row.get("now")), None),
        says="; ".join(f"{row['label']} {shown(total, unit)}" for row, total in zip(rows, totals, strict=True)),
    )


def _words(row: dict[str, Any], top: float, total: str) -> list[str]:
    colour, extra = ("accent", ' font-weight="600"') if row.get("now") else ("ink", "")
    room = RIGHT - LEFT - width_of(total) - 12
    return [
        text(LEFT + 4, top - 6, row["label"], colour=colour, room=room, extra=extra),
        text(RIGHT, top - 6, total, anchor="end", colour=colour, extra=extra),
    ]


def _limit(limit: dict[str, Any], x: Axis, top: float, bars: Sequence[float]) -> list[str]:
    """Return the line across each bar, its name above them on the side that has the room; bars' names stay clear."""
    at, name = x.place(limit["value"]), f"{limit['label']} {shown(limit['value'], x.unit)}"
    left = at - LEFT > RIGHT - at
    beside = text(at + (-5 if left else 5), top + 12, name, anchor="end" if left else "start", colour="accent")
    pieces = f"M{at:.1f} {top:g}v{LINE - 4:g}" + "".join(f"M{at:.1f} {bar + 2:g}v{-BAR - 4:g}" for bar in bars)
    return [rule(pieces, "accent", ' stroke-width="2"'), beside]


def _bar(values: Sequence[float], looks: Sequence[Style], x: Axis, top: float) -> list[str]:
    drawn, reached = [], 0.0
    for value, look in zip(values, looks, strict=True):
        start, reached = x.place(reached), reached + value
        width = x.place(reached) - start
        if width >= 0.05:
            drawn.append(area(start, top, width, BAR, look))
    return drawn
