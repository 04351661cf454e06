"""A schedule of many operations: one row for each worker, boxes over one linear axis of time, as wide as the page.

    {"kind": "gantt", "id": …, "title": …, "x": {"label": …, "symbol": …, "unit": …}, "row": what a row is, "stage",
     "parts": [{"name": …, "label": …, "shade": one of SHADES}, …],
     "columns": [{"label": …, "unit": …}, …], what the readout says of a row,
     "rows": [{"label": …, "values": [one for each column], "spans": [(part, words, from, to), …]}, …]}

Unlike a timeline it has hundreds of boxes: those of a row and a part are one path, their words stand where they have
room, and the readout tells of rows, not of boxes.
"""

from collections.abc import Sequence
from typing import Any

from labs.views.drawing import COLOURS, rule, text, width_of
from labs.views.figure import Column, Picture, Row
from labs.views.rows import FOOT, axis_below
from labs.views.scale import Axis, with_room
from labs.views.text import escape, shown

WIDTH = 960
LEFT, RIGHT = 72, 946
PITCH, BOX, SMALL = 26, 22, 12
Shade = tuple[str, float]  # a colour, and how much of it
# Told apart by how dark they are, so that they stay so in print and for every eye.
SHADES: dict[str, Shade] = {
    "light": ("ink", 0.06),
    "middle": ("ink", 0.3),
    "dark": ("ink", 0.75),
    "light accent": ("accent", 0.1),
    "accent": ("accent", 0.45),
}
DARK = 0.6  # from here on words are light


def gantt_picture(series: dict[str, Any]) -> Picture:
    """Return a schedule as drawn."""
    parts, rows, unit = series["parts"], series["rows"], series["x"]["unit"]
    shades = {part["name"]: SHADES[part["shade"]] for part in parts}
    ends = [span[3] for row in rows for span in row["spans"]]
    x = Axis(*with_room(0.0, max(ends, default=1.0)), LEFT, RIGHT, log=False, unit=unit)
    head = 30
    bottom = head + PITCH * len(rows) + 4
    tops = [head + PITCH * (i + 1) - BOX for i in range(len(rows))]
    return Picture(
        kind="gantt",
        width=WIDTH,
        height=bottom + FOOT,
        parts=[
            *_key(parts, shades),
            *axis_below(series["x"], x, head, bottom),
            *(drawn for row, top in zip(rows, tops, strict=True) for drawn in _row(row, top, x, shades)),
            rule(f"M{LEFT} {head:g}V{bottom:g}", "muted"),
        ],
        columns=[Column(series.get("row", "row")), *(Column(column["label"]) for column in series["columns"])],
        rows=[
            Row(
                (
                    row["label"],
                    *(shown(v, column["unit"]) for v, column in zip(row["values"], series["columns"], strict=True)),
                ),
                (LEFT - 2, top - 2, RIGHT - LEFT + 4, BOX + 4),
            )
            for row, top in zip(rows, tops, strict=True)
        ],
        current=None,
        says=f"{len(rows)} rows, until {shown(max(ends), unit)}." if ends else "",
    )


def _key(parts: Sequence[dict[str, Any]], shades: dict[str, Shade]) -> list[str]:
    drawn, at = [], float(LEFT)
    for part in parts:
        drawn.append(_path(f"M{at:.0f} 8h18v12h-18z", *shades[part["name"]]))
        drawn.append(text(at + 25, 19, part["label"]))
        at += 25 + width_of(part["label"]) + 26
    return drawn


def _row(row: dict[str, Any], top: float, x: Axis, shades: dict[str, Shade]) -> list[str]:
    boxes: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {}
    for part, said, start, end in row["spans"]:
        left, right = x.place(start), x.place(end)
        boxes.setdefault(part, []).append(f"M{left:.1f} {top:g}h{right - left:.1f}v{BOX}h{left - right:.1f}z")
        if said and width_of(said, SMALL) + 2 <= right - left:
            light = "surface" if shades[part][1] >= DARK else "ink"
            words.setdefault(light, []).append(
                f'<text x="{(left + right) / 2:.0f}" y="{top + 15:g}">{escape(said)}</text>'
            )
    return [
        text(LEFT - 8, top + 15, row["label"], anchor="end", colour="ink", room=LEFT - 12),
        *(_path("".join(found), *shades[part]) for part, found in boxes.items()),
        *(
            f'<g font-size="{SMALL}" text-anchor="middle" fill="{COLOURS[colour]}">{"".join(found)}</g>'
            for colour, found in words.items()
        ),
    ]


def _path(d: str, colour: str, shade: float) -> str:
    return (
        f'<path d="{d}" fill="{COLOURS[colour]}" fill-opacity="{shade:g}" '
        f'stroke="{COLOURS[colour]}" stroke-width="0.7"/>'
    )
