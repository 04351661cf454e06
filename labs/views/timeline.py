"""A timeline: what each row does, and when, as boxes over one linear axis of time.

    {"kind": "timeline", "id": …, "title": …, "x": {"label": …, "symbol": …, "unit": …}, "row": what a row is, "stage",
     "parts": [{"name": …, "label": …, "kind": a kind of parallelism or nothing}, …],
     "rows": [{"label": …, "spans": [{"part": name, "label": …, "from": x, "to": x,
               "says": what the readout calls it, or its label}, …]}, …],
     "wide": whether it is drawn twice as wide, for a diagram over the page}
"""

from typing import Any

from labs.views.drawing import COLOURS, WIDTH, Style, area, rule, styles, text, width_of
from labs.views.figure import Column, Picture, Row
from labs.views.rows import FOOT, axis_below, key_of
from labs.views.scale import Axis, with_room
from labs.views.text import shown

LEFT, RIGHT = 88, 466
PITCH, BOX = 28, 22


def timeline_picture(series: dict[str, Any]) -> Picture:
    """Return a timeline as drawn.

    Raises:
        ValueError: a span that ends before it begins
    """
    parts, rows, unit = series["parts"], series["rows"], series["x"]["unit"]
    spans = [(i, row, span) for i, row in enumerate(rows) for span in row["spans"]]
    if any(span["to"] < span["from"] for _, _, span in spans):
        raise ValueError(f"chart {series['id']}: expected spans that end after they begin")
    looks = dict(zip((part["name"] for part in parts), styles(parts), strict=True))
    wider = WIDTH if series.get("wide") else 0
    x = _axis([span for _, _, span in spans], unit, RIGHT + wider)
    names, head = key_of(parts, list(looks.values()), LEFT)
    bottom = head + PITCH * len(rows) + 4
    boxes = [_box(span, head + PITCH * i + PITCH - BOX, x) for i, _, span in spans]
    return Picture(
        kind="timeline",
        width=WIDTH + wider,
        height=bottom + FOOT,
        parts=[
            *names,
            *axis_below(series["x"], x, head, bottom),
            *(_row_name(row["label"], head + PITCH * (i + 1)) for i, row in enumerate(rows)),
            *(_span(span, box, looks[span["part"]]) for (_, _, span), box in zip(spans, boxes, strict=True)),
            rule(f"M{LEFT} {head:g}V{bottom:g}", "muted"),
        ],
        columns=[Column(series.get("row", "row")), Column("part"), Column("from"), Column("to"), Column("takes")],
        rows=[
            Row(
                (
                    row["label"],
                    span.get("says") or span.get("label") or span["part"],
                    *(shown(value, unit) for value in (span["from"], span["to"], span["to"] - span["from"])),
                ),
                box,
            )
            for (_, row, span), box in zip(spans, boxes, strict=True)
        ],
        current=None,
        says=f"{len(rows)} rows, until {shown(max(span['to'] for _, _, span in spans), unit)}." if spans else "",
    )


def _axis(spans: list[dict[str, Any]], unit: str, right: float) -> Axis:
    low = min((span["from"] for span in spans), default=0.0)
    high = max((span["to"] for span in spans), default=1.0)
    return Axis(*with_room(low, high), LEFT, right, log=False, unit=unit)


def _box(span: dict[str, Any], top: float, x: Axis) -> tuple[float, float, float, float]:
    start = x.place(span["from"])
    return start, top, max(x.place(span["to"]) - start, 0.5), BOX


def _span(span: dict[str, Any], box: tuple[float, float, float, float], look: Style) -> str:
    left, top, width, height = box
    label, drawn = span.get("label", ""), area(left, top, width, height, look)
    if not label or width_of(label) + 6 > width:
        return drawn
    halo = "" if look.hatch == "full" else f' stroke="{COLOURS["wash"]}" stroke-width="4" paint-order="stroke"'
    return drawn + text(left + width / 2, top + 16, label, anchor="middle", colour="ink", extra=halo)


def _row_name(label: str, bottom: float) -> str:
    return text(LEFT - 8, bottom - 6, label, anchor="end", colour="ink", room=LEFT - 12)
