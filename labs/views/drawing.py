"""The strokes and fills of charts, and the few SVG elements that they are drawn with.

Colours are custom properties of the page with a fallback, so one picture serves the light and the dark scheme,
and a file saved from the page still has colours. Each colour has a dash or a hatch of its own beside it.
"""

from functools import cache, lru_cache
from math import ceil, floor
from typing import Any, NamedTuple

from labs.views.text import escape

FONT = 14  # units of the drawing
LINE = 20.0  # from one line of text to the next
WIDTH = 480  # of every picture

# The fallbacks are the light scheme's, docs/assets/stylesheets/colours.css; a test compares.
COLOURS = {
    name: f"var(--atlas-{name}, {value})"
    for name, value in {
        "surface": "#fdfcf9",
        "wash": "#f4f1e9",
        "ink": "#1f1e1b",
        "muted": "#5f5a50",
        "grid": "#dfdacd",
        "accent": "#8a2a36",
        "data": "#0a6ea8",
        "tensor": "#b0500f",
        "pipeline": "#00443f",
        "sequence": "#75246f",
        "expert": "#7f6640",
        "state": "#43208c",
    }.items()
}


class Style(NamedTuple):
    """How a line or an area is told from others: by colour, and by dash or hatch."""

    colour: str
    dash: str
    width: float
    hatch: str


# Each kind of parallelism looks the same in every chart.
KINDS = {
    "data": Style("data", "", 2, "full"),
    "tensor": Style("tensor", "8 4", 2, "rising"),
    "pipeline": Style("pipeline", "12 3 2 3", 2, "falling"),
    "sequence": Style("sequence", "2 3", 2, "upright"),
    "expert": Style("expert", "5 3", 2, "level"),
    "state": Style("state", "8 3 2 3 2 3", 2, "cross"),
}
# What is no kind of parallelism takes these, in order.
PLAIN = (
    Style("accent", "", 2.4, "full"),
    Style("ink", "8 4", 1.6, "rising"),
    Style("ink", "2 3", 1.8, "full"),
    Style("muted", "12 3 2 3", 1.8, "falling"),
    Style("muted", "", 1.8, "level"),
    Style("muted", "5 3", 1.8, "upright"),
    Style("ink", "8 3 2 3 2 3", 1.6, "cross"),
)


def styles(parts: list[dict[str, Any]], first: int = 0) -> list[Style]:
    """Return a style for each line or part: its kind's, or the next plain one."""
    found, plain = [], first
    for part in parts:
        if part.get("kind"):
            found.append(KINDS[part["kind"]])
        else:
            found.append(PLAIN[plain % len(PLAIN)])
            plain += 1
    return found


def _advance(mark: str) -> float:
    """Return the most that Inter takes for a character, as a share of the size of type; other fonts take less."""
    if mark in " .,:;'|()/ijltI":
        return 0.37
    if mark in "mwMW%½—":
        return 1.0
    return 0.78 if mark.isupper() else 0.67


@lru_cache(maxsize=4096)
def width_of(text: str, size: float = FONT) -> float:
    """Return about how wide a text is, rather too wide than too narrow."""
    return sum(map(_advance, text)) * size


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    colour: str = "muted",
    room: float | None = None,
    extra: str = "",
) -> str:
    """Return a text that stands on the line y, in smaller type where it is wider than its room."""
    if room is not None and width_of(words) > room:
        extra += f' font-size="{FONT * room / width_of(words):.1f}"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{COLOURS[colour]}"{extra}>{escape(words)}</text>'
    )


def rule(d: str, colour: str, extra: str = "") -> str:
    """Return a line one unit thick."""
    return f'<path d="{d}" fill="none" stroke="{COLOURS[colour]}"{extra}/>'


def stroke(d: str, style: Style) -> str:
    """Return a line in its style."""
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    return (
        f'<path d="{d}" fill="none" stroke="{COLOURS[style.colour]}" stroke-width="{style.width}"'
        f'{dash} stroke-linejoin="round"/>'
    )


def area(x: float, y: float, width: float, height: float, style: Style) -> str:
    """Return a rectangle, tinted or hatched. The hatch is drawn, since a pattern would need an id for each chart."""
    colour = COLOURS[style.colour]
    full = style.hatch == "full"
    ground = f'fill="{colour}" fill-opacity="0.3"' if full else f'fill="{COLOURS["wash"]}"'
    lines = "" if full else hatch(x, y, width, height, style.hatch)
    return (
        f'<rect x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" width="{max(width - 1, 0):.1f}" height="{max(height - 1, 0):.1f}" '
        f'{ground} stroke="{colour}"/>' + (rule(lines, style.colour) if lines else "")
    )


def hatch(x: float, y: float, width: float, height: float, kind: str, gap: float = 6.0) -> str:
    """Return the lines of a hatch within a rectangle, as a path; most are alike, each a step from the last."""
    if kind == "cross":
        return hatch(x, y, width, height, "rising", gap) + hatch(x, y, width, height, "falling", gap)
    if kind == "upright":
        return _row(x + gap, y, 0, height, gap, 0, ceil(width / gap) - 1)
    if kind == "level":
        return _row(x, y + gap, width, 0, 0, gap, ceil(height / gap) - 1)
    foot, rise = (y + height, -1) if kind == "rising" else (y, 1)
    # The diagonal at a distance i * gap from a corner goes from side to side where the rectangle does not end before.
    whole, last = ceil(height / gap), floor(width / gap)
    lines = [_row(x + whole * gap - height, foot, height, rise * height, gap, 0, last - whole + 1)]
    for i in (*range(1, whole), *range(max(whole, last + 1), floor((width + height) / gap) + 1)):
        left, right = max(0.0, i * gap - height), min(width, i * gap)
        start = foot + rise * (height - i * gap + left)
        if right - left >= 0.5:
            lines.append(f"M{x + left:.1f} {start:.1f}l{right - left:.1f} {rise * (right - left):.1f}")
    return "".join(lines)


def _row(x: float, y: float, along: float, down: float, right: float, below: float, count: int) -> str:
    """Return lines of one direction as a path, each so far to the right of the one before and below it."""
    along, down = round(along, 1), round(down, 1)
    line = f"l{along:g} {down:g}"
    return f"M{x:.1f} {y:.1f}{line}" + f"m{right - along:g} {below - down:g}{line}" * (count - 1) if count > 0 else ""


@cache
def key(style: Style, *, line: bool) -> str:
    """Return the sample of a style that stands beside its name in the page."""
    drawn = stroke("M0 5H24", style) if line else area(0, 0, 14, 10, style)
    wide = 24 if line else 14
    return f'<svg class="lab-key" viewBox="0 0 {wide} 10" width="{wide}" height="10" aria-hidden="true">{drawn}</svg>'
