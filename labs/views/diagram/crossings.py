"""What crosses the network in the diagram of a transformer: a mark at its place, and a note at the margin."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from labs.views.diagram.matrix import Place
from labs.views.drawing import COLOURS, KINDS, WIDTH, Style
from labs.views.labels import spread
from labs.views.text import escape
from labs.views.words import LEADING, fitted, taken

Arrow = Mapping[str, Any]
Anchor = tuple[float, float, float]  # the middle of the marks of a place, and the height that they may take
STYLE = {"tensor": "tensor", "context": "sequence", "data": "data", "pipeline": "pipeline", "expert": "expert"}
NOTES = 324.0  # where notes begin
EDGE = 310.0  # as far as their threads run level
LONG, HEAD = 34.0, 5.0  # of a mark
APART = 8.0


class Crossing(NamedTuple):
    """An arrow as placed."""

    arrow: Arrow
    at: tuple[float, float]
    note: float  # the height of its note's middle
    lines: list[str]

    @property
    def place(self) -> Place:
        """Where the cursor shows it: its note, and its mark too where they are level."""
        high = LEADING * len(self.lines) + 4
        top = self.note - high / 2
        left = NOTES - 4 if abs(self.note - self.at[1]) > 12 else self.at[0] - LONG / 2 - 2
        return Place(left, top, WIDTH - left - 1, high)


def crossings(arrows: Sequence[Arrow], anchors: Mapping[str, Anchor], height: float) -> list[Crossing]:
    """Return every arrow at its place, those of one place stacked, their notes in the same order down the margin."""
    at = _marks(arrows, anchors)
    lines = [_lines(arrow) for arrow in arrows]
    pitch = LEADING * max(map(len, lines), default=1) + 5
    needed = max(height, pitch * (len(arrows) + 1))
    notes = spread([y for _, y in at], pitch, pitch / 2, needed - pitch / 2)
    return [Crossing(*one) for one in zip(arrows, at, notes, lines, strict=True)]


def crossing(one: Crossing) -> str:
    """Return an arrow as drawn."""
    arrow, selected = one.arrow, one.arrow["selected"]
    look = KINDS["state" if arrow["zero"] else STYLE[arrow["axis"]]]
    colour = "accent" if selected else look.colour
    extra = ' font-weight="600"' if selected else ""
    first = one.note - LEADING * len(one.lines) / 2 + 15
    notes = [
        fitted(NOTES, first + LEADING * n, words, WIDTH - NOTES - 2, colour="muted" if n else colour, extra=extra)
        for n, words in enumerate(one.lines)
    ]
    mark = _mark(one, Style(colour, look.dash, 3 if selected else 2, look.hatch))
    return f'<g data-arrow="{escape(arrow["key"])}">{mark}{"".join(notes)}</g>'


def _marks(arrows: Sequence[Arrow], anchors: Mapping[str, Anchor]) -> list[tuple[float, float]]:
    """Return the middle of each mark; those that share a place stand below each other there."""
    order: dict[Anchor, list[int]] = {}
    for i, arrow in enumerate(arrows):
        order.setdefault(anchors[arrow["place"]], []).append(i)
    found = [(0.0, 0.0)] * len(arrows)
    for (x, y, room), members in order.items():
        step = min(APART, room / max(len(members) - 1, 1))
        for n, i in enumerate(members):
            found[i] = (x, y + step * (n - (len(members) - 1) / 2))
    return found


def _lines(arrow: Arrow) -> list[str]:
    """Return a note's words in one line where they fit, or else the operation above its bytes."""
    label, operation = arrow["label"], arrow["operation"]
    if taken(label) <= WIDTH - NOTES - 2 or not label.startswith(f"{operation} "):
        return [label]
    return [operation, label.removeprefix(operation).strip()]


def _mark(one: Crossing, look: Style) -> str:
    """Return the arrow across the flow, and the thread to its note."""
    x, y = one.at
    left, right = x - LONG / 2, x + LONG / 2
    up = HEAD * 0.7
    heads = (
        f"M{left:.1f} {y:.1f}l{HEAD:g} {-up:g}v{2 * up:g}zM{right:.1f} {y:.1f}l{-HEAD:g} {-up:g}v{2 * up:g}z"
    )
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    return (
        f'<g fill="none" stroke="{COLOURS[look.colour]}">'
        f'<path d="M{right:.1f} {y:.1f}H{EDGE:g}L{NOTES - 5:g} {one.note:.1f}" stroke-width="0.7"/>'
        f'<path d="M{left + HEAD:.1f} {y:.1f}H{right - HEAD:.1f}" stroke-width="{look.width:g}"{dash}/>'
        f'<path d="{heads}" fill="{COLOURS[look.colour]}" stroke-width="0.6"/></g>'
    )
