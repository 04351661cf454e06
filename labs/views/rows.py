"""What charts of rows share: the key of their parts above, and one linear axis below."""

from collections.abc import Sequence
from typing import Any

from labs.views.drawing import WIDTH, Style, area, rule, text, width_of
from labs.views.scale import Axis, title_of

FOOT = 48
SAMPLE = 25  # a sample and the gap to its name
GAP, PITCH = 26, 24  # from one name to the next, and from line to line: a phone sets them larger


def key_of(parts: Sequence[dict[str, Any]], looks: Sequence[Style], left: float) -> tuple[list[str], float]:
    """Return the samples with their names, as many in a line as fit, and how high they stand together."""
    drawn, at, line = [], left, 0
    for part, look in zip(parts, looks, strict=True):
        wide = SAMPLE + width_of(part["label"])
        if at > left and at + wide > WIDTH:
            at, line = left, line + 1
        top = 8 + PITCH * line
        drawn.append(area(at, top, 18, 12, look))
        drawn.append(text(at + SAMPLE, top + 11, part["label"], room=WIDTH - at - SAMPLE))
        at += wide + GAP
    return drawn, 8 + PITCH * (line + 1) if drawn else 0


def axis_below(spec: dict[str, Any], x: Axis, top: float, bottom: float) -> list[str]:
    """Return the axis of all rows: upright lines through them, their labels, the axis's name."""
    levels = "".join(f"M{x.place(value):.1f} {top:g}V{bottom + 6:g}" for value, _ in x.ticks)
    return [
        rule(levels, "grid"),
        *(text(x.middle(value, label), bottom + 21, label, anchor="middle") for value, label in x.ticks),
        text(x.end, bottom + FOOT - 6, title_of(spec, x), anchor="end", colour="ink", room=x.end - x.start),
    ]
