"""A line chart as SVG text: axes with units, direct labels, dash patterns beside colours, the current point.

Colours are custom properties of the page with a fallback, so one picture serves the light and the dark scheme,
and a file saved from the page still has colours.
"""

from typing import Any

from labs.views.scale import Axis, whole_decades
from labs.views.text import escape, shown

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 84, 494, 34, 320
LABEL_GAP = 20

# The n-th line of a chart: colour and dash together, so that neither is needed alone.
STROKES = (
    ("var(--atlas-ink, #222)", "", 2.5),
    ("var(--atlas-tensor, #b0500f)", "7 4", 2),
    ("var(--atlas-data, #0a6ea8)", "2 4", 2),
    ("var(--atlas-pipeline, #00443f)", "10 3 2 3", 2),
)
MUTED, GRID = "var(--atlas-muted, #555)", "var(--atlas-grid, #ddd)"
WASH, ACCENT = "var(--atlas-wash, #f4f1ea)", "var(--atlas-accent, #a3322a)"


def chart_html(series: dict[str, Any]) -> str:
    """Return the chart in a figure, named for screen readers, with a table of its numbers folded below."""
    x, y = _axes(series)
    title = f"{series['title']}. {_point_text(series)}"
    parts = [
        *(_region(region, x) for region in series.get("regions", ())),
        *_grid(x, y),
        *(_line(line, x, y, STROKES[i % len(STROKES)]) for i, line in enumerate(series["lines"])),
        *_labels(series["lines"], x, y),
        *(_region_label(region, x) for region in series.get("regions", ())),
        *_point(series, x, y),
        _text(LEFT, 16, _axis_title(series["y"]), "start", ink=True),
        _text(RIGHT, HEIGHT - 14, _axis_title(series["x"]), "end", ink=True),
    ]
    return (
        f'<figure class="lab-chart" data-series="{escape(series["id"])}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg" font-size="13">{"".join(parts)}</svg>{_numbers(series)}</figure>'
    )


def _axes(series: dict[str, Any]) -> tuple[Axis, Axis]:
    points = [point for line in series["lines"] for point in line["points"]]
    ends = []
    for i, (name, start, end) in enumerate((("x", LEFT, RIGHT), ("y", BOTTOM, TOP))):
        log = series[name]["scale"] == "log"
        values = [point[i] for point in points if not log or point[i] > 0] or [1.0]
        low, high = min(values), max(values)
        if log and (i == 1 or low == high):
            low, high = whole_decades(low, high)
        if low == high:
            low, high = (low / 10, high * 10) if log else (low - 1, high + 1)
        ends.append(Axis(low, high, start, end, log, series[name]["unit"]))
    return ends[0], ends[1]


def _grid(x: Axis, y: Axis) -> list[str]:
    parts = []
    for value, label in y.ticks():
        at = y.place(value)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{RIGHT}" stroke="{GRID}"/>')
        parts.append(_text(LEFT - 8, at + 4, label, "end"))
    for value, label in x.ticks():
        at = x.place(value)
        parts.append(f'<path d="M{at:.1f} {BOTTOM}v5" stroke="{MUTED}"/>')
        parts.append(_text(at, BOTTOM + 21, label, "middle"))
    parts.append(f'<path d="M{LEFT} {BOTTOM}H{RIGHT}" stroke="{MUTED}"/>')
    return parts


def _line(line: dict[str, Any], x: Axis, y: Axis, stroke: tuple[str, str, float]) -> str:
    colour, dash, width = stroke
    drawn = [(a, b) for a, b in line["points"] if not y.log or b > 0]
    path = "L".join(f"{x.place(a):.1f} {y.place(b):.1f}" for a, b in drawn)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>' if drawn else ""


def _labels(lines: list[dict[str, Any]], x: Axis, y: Axis) -> list[str]:
    """Return each line's name at its right end; names that would touch are pushed apart."""
    ends = []
    for i, line in enumerate(lines):
        value = line["points"][-1][1]
        if value > 0 or not y.log:
            ends.append((y.place(value), line["label"], STROKES[i % len(STROKES)][0]))
    parts: list[str] = []
    last: float = TOP - LABEL_GAP
    for at, label, colour in sorted(ends):
        last = max(at, last + LABEL_GAP)
        parts.append(_text(RIGHT + 10, last + 4, label, "start", colour=colour))
    return parts


def _region(region: dict[str, Any], x: Axis) -> str:
    start, end = x.place(region["from"]), x.place(region["to"])
    if end - start < 1 or region["from"] > x.low:
        return ""
    return f'<rect x="{start:.1f}" y="{TOP}" width="{end - start:.1f}" height="{BOTTOM - TOP}" fill="{WASH}"/>'


def _region_label(region: dict[str, Any], x: Axis) -> str:
    start, end = x.place(region["from"]), x.place(region["to"])
    if end - start < 110:
        return ""
    return _text((start + end) / 2, TOP + 16, region["label"], "middle", italic=True)


def _point(series: dict[str, Any], x: Axis, y: Axis) -> list[str]:
    point = series.get("point")
    if not point or point["x"] <= 0 or point["y"] <= 0:
        return []
    at, up = x.place(point["x"]), y.place(point["y"])
    return [
        f'<path d="M{at:.1f} {BOTTOM}V{up:.1f}H{LEFT}" fill="none" stroke="{ACCENT}" stroke-dasharray="1 3"/>',
        f'<circle cx="{at:.1f}" cy="{up:.1f}" r="5.5" fill="{ACCENT}" stroke="var(--atlas-surface, #fff)" '
        'stroke-width="2"/>',
    ]


def _point_text(series: dict[str, Any]) -> str:
    point, x, y = series.get("point"), series["x"], series["y"]
    if not point:
        return ""
    return f"At {x['label'].lower()} {shown(point['x'], x['unit'])}: {shown(point['y'], y['unit'])}."


def _numbers(series: dict[str, Any], most: int = 13) -> str:
    """Return a folded table of the drawn lines at some of their points."""
    lines, x, y = series["lines"], series["x"], series["y"]
    points = lines[0]["points"]
    every = max(1, (len(points) - 1) // (most - 1))
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in (x["label"], *(li["label"] for li in lines)))
    rows = "".join(
        f'<tr><th scope="row">{escape(shown(points[i][0], x["unit"]))}</th>'
        + "".join(
            f'<td data-label="{escape(line["label"])}">{escape(shown(line["points"][i][1], y["unit"]))}</td>'
            for line in lines
        )
        + "</tr>"
        for i in range(0, len(points), every)
    )
    return (
        '<details class="lab-numbers"><summary>The same as numbers</summary>'
        f'<table class="lab-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>'
    )


def _axis_title(axis: dict[str, str]) -> str:
    return f"{axis['label']} {axis.get('symbol', '')}".strip()


def _text(
    at: float, up: float, text: str, anchor: str, *, colour: str = MUTED, ink: bool = False, italic: bool = False
) -> str:
    fill = STROKES[0][0] if ink else colour
    style = ' font-style="italic"' if italic else ""
    return f'<text x="{at:.1f}" y="{up:.1f}" text-anchor="{anchor}" fill="{fill}"{style}>{escape(text)}</text>'
