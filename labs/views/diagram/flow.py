"""A diagram that grows from top to bottom: how far down it has come, and what each part of a transformer looks like.

The residual stream is a line at the left. Matrices of the layer share one scale. Between blocks there is a gap in which
the marks of crossings stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from labs.views.diagram.matrix import MOST_CUTS, Place, matrix
from labs.views.text import escape
from labs.views.words import LEADING, fitted, taken, wrapped

RESIDUAL = 100.0
FRAME_LEFT, FRAME_RIGHT = 76.0, 292.0
GAP = 32.0  # holds the marks of one place
SOLID = "\N{NO-BREAK SPACE}"  # between a number and what it counts
ITALIC = ' font-style="italic"'

Box = dict[str, Any]
Line = tuple[str, str, str]  # words, colour, attributes


@dataclass
class Flow:
    """What is drawn so far, and how far down it has come.

    Attributes:
        y: where the next part begins
        parts: SVG text
        ways: lines within a layer, below all parts
        stream: lines of the residual stream, below all parts
        places: of each box, by its place in the list of boxes
        anchors: where the marks of a crossing stand: centre, and the height that they may take
        top: of the layers' frame
        bottom: of it
    """

    scale: float
    y: float = 8
    parts: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    stream: list[str] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    anchors: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    top: float = 0
    bottom: float = 0


def size_of(drawn: Flow, box: Box) -> tuple[float, float]:
    """Return how wide and how high a box is drawn."""
    *outputs, inputs = box["shape"]
    return max(inputs * drawn.scale, 3), max(outputs[0] * drawn.scale, 3) if outputs else 6


def gap(drawn: Flow, x: float, place: str, high: float = GAP) -> None:
    (drawn.stream if x == RESIDUAL else drawn.ways).append(f"M{x:g} {drawn.y:.1f}v{high:.1f}")
    drawn.anchors[place] = (x, drawn.y + high / 2, high - 8)
    drawn.y += high


def put(drawn: Flow, i: int, box: Box, place: Place, *, torn: bool = False) -> None:
    drawn.places[i] = place
    drawn.parts.append(f'<g data-box="{escape(box["name"])}">{matrix(box, place, torn=torn)}</g>')


def bar(drawn: Flow, i: int, box: Box, x: float) -> None:
    """Place a norm: a bar as wide as the stream, its name beside it."""
    wide, high = size_of(drawn, box)
    (drawn.stream if x == RESIDUAL else drawn.ways).append(f"M{x:g} {drawn.y:.1f}v24")
    put(drawn, i, box, Place(x - wide / 2, drawn.y + 9, wide, high))
    left = x + wide / 2 + 8
    drawn.anchors.setdefault("norm weights", (FRAME_RIGHT, drawn.y + 12, 20))
    room = FRAME_RIGHT - 20 - left
    extra, colour = look_of(box)
    drawn.parts.append(fitted(left, drawn.y + 17, box["label"], room, colour=colour, extra=extra))
    drawn.y += 24


def lines_of(box: Box, room: float) -> list[Line]:
    """Return a name and what is said of it, in lines that fit: words, colour, attributes."""
    extra, colour = look_of(box)
    names, said = wrapped(box["label"], room), wrapped(" ".join(said_of(box)), room)
    if said and taken(f"{names[-1]} {said[0]}") <= room:
        names[-1] += f" {said.pop(0)}"
    return [*((words, colour, extra) for words in names), *((words, "muted", "") for words in said)]


def write(drawn: Flow, lines: Sequence[Line], left: float, line: float, room: float) -> None:
    """Write lines from a place on."""
    for n, (words, colour, extra) in enumerate(lines):
        drawn.parts.append(fitted(left, line + LEADING * n, words, room, colour=colour, extra=extra))


def said_of(box: Box) -> list[str]:
    """Return what stands below a name: the parts where they are too many to draw, and the copies."""
    parts = [f"{box['parts']:,}{SOLID}parts"] if box["parts"] > MOST_CUTS else []
    return [*parts, *([f"×{SOLID}{box['copies']:,}"] if box["copies"] > 1 else [])]


def look_of(box: Box) -> tuple[str, str]:
    return (' font-weight="600"', "accent") if box["selected"] else ("", "ink")
