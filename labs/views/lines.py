"""A line chart: curves over a linear or a log axis, regions behind them, the current point.

    {"kind": "lines", "id": …, "title": …,
     "x": {"label": …, "symbol": …, "unit": …, "scale": "linear" | "log", "base": 2 | 10}, "y": the same,
     "lines": [{"name": …, "label": …, "kind": a kind of parallelism or nothing, "points": [(x, y), …]}, …],
     "regions": [{"label": …, "from": x, "to": x}, …], "point": {"x": …, "y": …}}
"""

from functools import lru_cache
from math import inf
from typing import Any

from labs.views.drawing import COLOURS, LINE, WIDTH, Style, key, rule, stroke, styles, text, width_of
from labs.views.figure import Column, Picture, Row
from labs.views.labels import Box, Point, free_place, spread
from labs.views.scale import LEAST, Axis, from_zero, title_of, whole_decades, with_room
from labs.views.text import NOTHING, shown

HEIGHT = 320
LEFT, RIGHT, TOP, BOTTOM = 68, 344, 34, 262
GUTTER = RIGHT + 12  # where names of lines begin
MISSING = (NOTHING, None)  # where a line has no point: text and height
SMALL = 13  # type of the regions' names


def lines_picture(series: dict[str, Any]) -> Picture:
    """Return a line chart as drawn."""
    lines, x, y = series["lines"], _axis(series, "x", LEFT, RIGHT), _axis(series, "y", BOTTOM, TOP)
    looks = styles(lines)
    placed = [_placed(line["points"], x, y) for line in lines]
    drawn = [[place for place in line if place] for line in placed]
    point = _point(series, x, y)
    obstacles = [*drawn, *([[(LEFT, point[1]), point, (point[0], BOTTOM)]] if point else [])]
    parts = [
        *(_region(region, x) for region in series.get("regions", ())),
        *(_grid(x, y) if any(drawn) else _empty(x)),
        *(stroke(_path(places), look) for places, look in zip(drawn, looks, strict=True) if places),
        *_names(lines, drawn, looks),
        *(_region_name(region, x, obstacles) for region in series.get("regions", ())),
        *_current(point),
        text(4, 16, title_of(series["y"], y), colour="ink", room=RIGHT),
        text(RIGHT, HEIGHT - 12, title_of(series["x"], x), anchor="end", colour="ink", room=RIGHT - LEFT),
    ]
    rows = _rows(series, placed, x)
    return Picture(
        kind="lines",
        height=HEIGHT,
        parts=parts,
        columns=[Column(series["x"]["label"])]
        + [Column(line["label"], key(look, line=True)) for line, look in zip(lines, looks, strict=True)],
        rows=[row for _, row in rows],
        current=_nearest(series, [value for value, _ in rows]),
        dots=len(lines),
        span=(TOP, BOTTOM),
        says=_says(series),
    )


def _axis(series: dict[str, Any], name: str, start: float, end: float) -> Axis:
    spec, i = series[name], "xy".index(name)
    log = spec.get("scale") == "log"
    values = [point[i] for line in series["lines"] for point in line["points"] if not log or point[i] > LEAST]
    low, high = (min(values), max(values)) if values else (1.0, 1.0)
    if log and (name == "y" or low == high):
        low, high = whole_decades(low, high)
    elif name == "y":
        low, high = from_zero(values)
    elif not log:
        low, high = with_room(low, high)
    return Axis(low, high, start, end, log, spec["unit"], spec.get("base", 10), upright=name == "y")


def _placed(points: list[tuple[float, float]], x: Axis, y: Axis) -> list[Point | None]:
    """Return where a line's points stand; a log axis has no place for zero."""
    along, up, least, lowest = x.place, y.place, LEAST if x.log else -inf, LEAST if y.log else -inf
    return [(along(a), up(b)) if a > least and b > lowest else None for a, b in points]


def _path(places: list[Point]) -> str:
    """Return the line; one point alone is a short level stroke."""
    start = f"M{places[0][0]:.1f} {places[0][1]:.1f}"
    return start + ("".join(f"L{a:.1f} {b:.1f}" for a, b in places[1:]) or "h0.1")


@lru_cache(maxsize=64)  # while a control is dragged, the axes are mostly those of the frame before
def _grid(x: Axis, y: Axis) -> tuple[str, ...]:
    levels = "".join(f"M{LEFT} {y.place(value):.1f}H{RIGHT}" for value, _ in y.ticks)
    marks = "".join(f"M{x.place(value):.1f} {BOTTOM}v6" for value, _ in x.ticks)
    marks += "".join(f"M{x.place(value):.1f} {BOTTOM}v3" for value in x.minor())
    marks += "".join(f"M{LEFT} {y.place(value):.1f}h-3" for value in y.minor())
    return (
        rule(levels, "grid"),
        rule(f"M{LEFT} {BOTTOM}H{RIGHT}{marks}", "muted"),
        *(text(LEFT - 8, y.place(value) + 5, label, anchor="end", room=LEFT - 10) for value, label in y.ticks),
        *(text(x.middle(value, label), BOTTOM + 22, label, anchor="middle") for value, label in x.ticks),
    )


def _empty(x: Axis) -> list[str]:
    """Return what stands where there is no line: on a log axis nothing at zero can be drawn."""
    return [
        rule(f"M{LEFT} {BOTTOM}H{RIGHT}", "muted"),
        text((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, "nothing above zero to draw", anchor="middle"),
        *(text(x.middle(value, label), BOTTOM + 22, label, anchor="middle") for value, label in x.ticks),
    ]


def _names(lines: list[dict[str, Any]], drawn: list[list[Point]], looks: list[Style]) -> list[str]:
    """Return each line's name in the gutter at its right end, with a thread to it where it had to move."""
    named = [(line["label"], look, at[-1]) for line, look, at in zip(lines, looks, drawn, strict=True) if at]
    heights = spread([end for _, _, (_, end) in named], LINE, TOP, BOTTOM)
    parts = []
    for (label, look, (a, b)), up in zip(named, heights, strict=True):
        parts.append(rule(f"M{a + 2:.1f} {b:.1f}L{GUTTER - 4} {up:.1f}", look.colour, ' stroke-width="0.8"'))
        parts.append(text(GUTTER, up + 5, label, colour=look.colour, room=WIDTH - GUTTER))
    return ['<g class="lab-names">', *parts, "</g>"]


def _region(region: dict[str, Any], x: Axis) -> str:
    """Return the wash behind the first region; the others stand on the plain surface."""
    start, end = x.place(region["from"]), x.place(region["to"])
    if end - start < 1 or region["from"] > x.low:
        return ""
    wash = COLOURS["wash"]
    return f'<rect x="{start:.1f}" y="{TOP}" width="{end - start:.1f}" height="{BOTTOM - TOP}" fill="{wash}"/>'


def _region_name(region: dict[str, Any], x: Axis, obstacles: list[list[Point]]) -> str:
    """Return the region's name where no line passes, or nothing where there is no such place."""
    start, end = x.place(region["from"]), x.place(region["to"])
    wide = width_of(region["label"], SMALL)
    if end - start < wide + 8:
        return ""
    heights = [TOP + 4 + 10 * i for i in range((BOTTOM - TOP - 30) // 10)]
    heights = [up for pair in zip(heights, reversed(heights), strict=True) for up in pair]  # from both ends inwards
    lefts = ((start + end - wide) / 2, end - wide - 4, start + 4)
    boxes = (Box(left - 4, up, left + wide + 4, up + LINE) for up in heights for left in lefts)
    box = free_place(boxes, obstacles)
    if box is None:
        return ""
    extra = f' font-size="{SMALL}" font-style="italic"'
    return text((box.left + box.right) / 2, box.top + 14, region["label"], anchor="middle", extra=extra)


def _point(series: dict[str, Any], x: Axis, y: Axis) -> Point | None:
    point = series.get("point")
    if not point or (x.log and point["x"] <= LEAST) or (y.log and point["y"] <= LEAST):
        return None
    return x.place(point["x"]), y.place(point["y"])


def _current(point: Point | None) -> list[str]:
    if point is None:
        return []
    at, up = point
    accent, surface = COLOURS["accent"], COLOURS["surface"]
    return [
        rule(f"M{at:.1f} {BOTTOM}V{up:.1f}H{LEFT}", "accent", ' stroke-dasharray="1 3"'),
        f'<circle cx="{at:.1f}" cy="{up:.1f}" r="5.5" fill="{accent}" stroke="{surface}" stroke-width="2"/>',
    ]


def _rows(series: dict[str, Any], placed: list[list[Point | None]], x: Axis) -> list[tuple[float, Row]]:
    """Return each x that any line has, with every line's value there."""
    unit, units = series["x"]["unit"], series["y"]["unit"]
    lines = [
        {a: (shown(b, units), place and place[1]) for (a, b), place in zip(line["points"], places, strict=True)}
        for line, places in zip(series["lines"], placed, strict=True)
    ]
    rows = []
    for value in sorted({value for line in lines for value in line if value > LEAST or not x.log}):
        texts, heights = zip(*[line.get(value, MISSING) for line in lines], strict=True)
        rows.append((value, Row((shown(value, unit), *texts), (x.place(value), *heights))))
    return rows


def _nearest(series: dict[str, Any], values: list[float]) -> int | None:
    point = series.get("point")
    if not point or not values:
        return None
    return min(range(len(values)), key=lambda i: abs(values[i] - point["x"]))


def _says(series: dict[str, Any]) -> str:
    point, x, y = series.get("point"), series["x"], series["y"]
    if not point:
        return ""
    return f"At {x['label'].lower()} {shown(point['x'], x['unit'])}: {shown(point['y'], y['unit'])}."
