"""What crosses the network in the diagram of a transformer: a mark at its place, and a note at the margin."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from labs.views.diagram.matrix import Place
from labs.views.drawing import COLOURS, KINDS, WIDTH, Style
from labs.views.labels import spread
from labs.views.text import escape
from labs.views.words import LEADING, fitted

Arrow = Mapping[str, Any]
Anchor = tuple[float, float, float]  # the middle of the marks of a place, and the height that they may take
STYLE = {"tensor": "tensor", "context": "sequence", "data": "data", "pipeline": "pipeline", "expert": "expert"}
NOTES = 324.0  # where notes begin
EDGE = 310.0  # as far as their threads run level
LONG, HEAD = 34.0, 5.0  # of a mark
APART = 8.0
LOOSE, TIGHT = 5.0, 1.0  # between notes, where there is room and where there is little
ROOMY = 0.7  # of the height: with notes that take more, each would stand far from its mark


class Crossing(NamedTuple):
    """Arrows of one place, axis and operation, as placed: one mark and one note."""

    arrows: list[Arrow]
    at: tuple[float, float]
    note: float  # the height of its note's middle
    lines: list[str]

    def place(self, arrow: Arrow) -> Place:
        """Where the cursor shows an arrow: its share of the note, and the mark too where they are level."""
        high = (LEADING * len(self.lines) + 4) / len(self.arrows)
        top = self.note + high * (self.arrows.index(arrow) - len(self.arrows) / 2)
        left = NOTES - 4 if abs(self.note - self.at[1]) > 12 else self.at[0] - LONG / 2 - 2
        return Place(left, top, WIDTH - left - 1, high)


def crossings(arrows: Sequence[Arrow], anchors: Mapping[str, Anchor], height: float) -> list[Crossing]:
    """Return the arrows at their places: those that do the same there are one mark, its note as near as room allows."""
    groups = _groups(arrows)
    at = _marks(groups, anchors)
    named = [_lines(group, named=True) for group in groups]
    fit = len(groups) * _pitch(named, LOOSE) <= ROOMY * height
    lines = named if fit else [_lines(group, named=False) for group in groups]
    pitch = min(_pitch(lines, LOOSE), max(_pitch(lines, TIGHT), height / max(len(groups), 1)))
    needed = max(height, pitch * len(groups))
    notes = spread([y for _, y in at], pitch, pitch / 2, needed - pitch / 2)
    return [Crossing(*one) for one in zip(groups, at, notes, lines, strict=True)]


def crossing(one: Crossing) -> str:
    """Return a mark and its note as drawn, in an element for each of its arrows."""
    arrow, selected = one.arrows[0], any(arrow["selected"] for arrow in one.arrows)
    look = KINDS["state" if arrow["zero"] else STYLE[arrow["axis"]]]
    colour = "accent" if selected else look.colour
    extra = ' font-weight="600"' if selected else ""
    first = one.note - LEADING * len(one.lines) / 2 + 15
    operation = next(n for n, words in enumerate(one.lines) if words.startswith(arrow["operation"]))
    notes = [
        fitted(
            NOTES,
            first + LEADING * n,
            words,
            WIDTH - NOTES - 2,
            colour=colour if n == operation else "muted",
            extra=extra if n == operation else "",
        )
        for n, words in enumerate(one.lines)
    ]
    style = Style(colour, look.dash, 3 if selected else 2, look.hatch)
    # Each arrow has a shaft of its own, one upon another, so that the page can light up any of them.
    drawn = [f"{_mark(one, style)}{''.join(notes)}", *[_shaft(one, style)] * (len(one.arrows) - 1)]
    return "".join(
        f'<g data-arrow="{escape(arrow["key"])}">{parts}</g>'
        for arrow, parts in zip(one.arrows, drawn, strict=True)
    )


def _groups(arrows: Sequence[Arrow]) -> list[list[Arrow]]:
    """Return the arrows that are one mark, in the order of the first of each."""
    found: dict[tuple[str, str, bool, str], list[Arrow]] = {}
    for arrow in arrows:
        found.setdefault((arrow["place"], arrow["axis"], arrow["zero"], arrow["operation"]), []).append(arrow)
    return list(found.values())


def _pitch(lines: Sequence[Sequence[str]], between: float) -> float:
    return LEADING * max(map(len, lines), default=1) + between


def _marks(groups: Sequence[Sequence[Arrow]], anchors: Mapping[str, Anchor]) -> list[tuple[float, float]]:
    """Return the middle of each mark; those that share a place stand below each other there."""
    order: dict[Anchor, list[int]] = {}
    for i, group in enumerate(groups):
        order.setdefault(anchors[group[0]["place"]], []).append(i)
    found = [(0.0, 0.0)] * len(groups)
    for (x, y, room), members in order.items():
        step = min(APART, room / max(len(members) - 1, 1))
        for n, i in enumerate(members):
            found[i] = (x, y + step * (n - (len(members) - 1) / 2))
    return found


def _lines(group: Sequence[Arrow], *, named: bool) -> list[str]:
    """Return a note's lines: what crosses, where it is to be named, the operation and how many, and their bytes."""
    operation, most = group[0]["operation"], max(group, key=lambda arrow: arrow["payload"])
    same = len({arrow["label"] for arrow in group}) == 1
    said = f"{operation} ×{len(group)}" if len(group) > 1 else operation
    amount = most["label"].removeprefix(operation).strip() if same else f"up to {most['each']}"
    shorts = {arrow["short"] for arrow in group}
    return [*([shorts.pop()] if named and len(shorts) == 1 else []), said, amount]


def _mark(one: Crossing, look: Style) -> str:
    """Return the arrow across the flow, and the thread to its note."""
    x, y = one.at
    left, right = x - LONG / 2, x + LONG / 2
    up = HEAD * 0.7
    heads = (
        f"M{left:.1f} {y:.1f}l{HEAD:g} {-up:g}v{2 * up:g}zM{right:.1f} {y:.1f}l{-HEAD:g} {-up:g}v{2 * up:g}z"
    )
    return (
        f'<g fill="none" stroke="{COLOURS[look.colour]}">'
        f'<path d="M{right:.1f} {y:.1f}H{EDGE:g}L{NOTES - 5:g} {one.note:.1f}" stroke-width="0.7"/>'
        f"{_shaft(one, look)}"
        f'<path d="{heads}" fill="{COLOURS[look.colour]}" stroke-width="0.6"/></g>'
    )


def _shaft(one: Crossing, look: Style) -> str:
    x, y = one.at
    half = LONG / 2 - HEAD
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    return (
        f'<path d="M{x - half:.1f} {y:.1f}H{x + half:.1f}" stroke="{COLOURS[look.colour]}" '
        f'stroke-width="{look.width:g}"{dash}/>'
    )
