"""Where everything of a transformer stands in its diagram: one way down, from tokens to loss, whatever is split.

The residual stream is a line at the left; within the opened layer each block leaves it and comes back to it. Matrices
of the layer share one scale; those of the vocabulary keep their width and are cut short. Between blocks there is a gap
in which the marks of crossings stand.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from labs.views.drawing import COLOURS, rule, text, width_of
from labs.views.matrix import MOST_CUTS, Place, cells, matrix
from labs.views.words import LEADING, TYPE, fitted, relative, share, wrapped

RESIDUAL = 100.0
FRAME_LEFT, FRAME_RIGHT = 76.0, 292.0
LEFT, RIGHT = 118.0, 284.0  # of what a layer holds
WAY = 146.0  # the line from block to block of a layer
SIDE = 112.0  # past attention, where both blocks share a norm
SHORT = 58.0  # of what is cut short
TALLEST, WIDEST = 150.0, 46.0  # side of the largest matrix; of the smallest sides
COLUMN = 52.0
SOLID = "\N{NO-BREAK SPACE}"  # between a number and what it counts
ITALIC = ' font-style="italic"'
GAP = 32.0  # holds the marks of one place

Box = dict[str, Any]


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


def flow(series: dict[str, Any]) -> Flow:
    """Return the whole diagram but for its arrows and its stages."""
    boxes = list(enumerate(series["boxes"]))
    layer = [(i, box) for i, box in boxes if box["block"] in ("attention", "mlp", "experts") or _inner_norm(box)]
    drawn = Flow(scale=_scale(box for _, box in layer))
    _ends(drawn, [(i, box) for i, box in boxes if box["block"] == "embedding"], "embedding")
    _gap(drawn, RESIDUAL, "embedding output")
    _layer(drawn, layer, series)
    _gap(drawn, RESIDUAL, "stage boundary")
    last = [(i, box) for i, box in boxes if box["block"] == "norms" and not _inner_norm(box)]
    for i, box in last:
        _bar(drawn, i, box, RESIDUAL)
    _gap(drawn, RESIDUAL, "head input")
    head = [(i, box) for i, box in boxes if box["block"] == "head"]
    if head:
        _ends(drawn, head, "head")
    else:
        _tied(drawn)
    _gap(drawn, RESIDUAL, "loss")
    drawn.parts.append(text(RESIDUAL, drawn.y + 14, "loss", anchor="middle", extra=ITALIC))
    drawn.y += 22
    below = [
        _frame(drawn.top, drawn.bottom),
        rule("".join(drawn.ways), "muted", ' stroke-width="1.2"'),
        rule("".join(drawn.stream), "ink", ' stroke-width="2"'),
    ]
    drawn.parts[:0] = below
    return drawn


def _inner_norm(box: Box) -> bool:
    return bool(box["block"] == "norms" and box["name"] != "norms.final")


def _scale(boxes: Iterable[Box]) -> float:
    shapes = [box["shape"] for box in boxes if len(box["shape"]) == 2]
    return min((min(TALLEST / max(shape), WIDEST / min(shape)) for shape in shapes if min(shape) > 1), default=0.01)


def _size(drawn: Flow, box: Box) -> tuple[float, float]:
    """Return how wide and how high a box is drawn."""
    *outputs, inputs = box["shape"]
    return max(inputs * drawn.scale, 3), max(outputs[0] * drawn.scale, 3) if outputs else 6


def _gap(drawn: Flow, x: float, place: str, high: float = GAP) -> None:
    (drawn.stream if x == RESIDUAL else drawn.ways).append(f"M{x:g} {drawn.y:.1f}v{high:.1f}")
    drawn.anchors[place] = (x, drawn.y + high / 2, high - 8)
    drawn.y += high


def _said(box: Box) -> list[str]:
    """Return what stands below a name: the parts where they are too many to draw, and the copies."""
    parts = [f"{box['parts']:,}{SOLID}parts"] if box["parts"] > MOST_CUTS else []
    return [*parts, *([f"×{SOLID}{box['copies']:,}"] if box["copies"] > 1 else [])]


def _place(drawn: Flow, i: int, box: Box, place: Place, *, torn: bool = False) -> None:
    drawn.places[i] = place
    drawn.parts.append(f'<g data-box="{box["name"]}">{matrix(box, place, torn=torn)}</g>')


def _ends(drawn: Flow, boxes: Sequence[tuple[int, Box]], name: str) -> None:
    """Place what stands before or behind the layers, on the residual stream, its names beside it."""
    for i, box in boxes:
        wide, high = _size(drawn, box)
        torn, high = high > SHORT, min(high, SHORT)
        left = RESIDUAL + max(wide / 2, 20) + 8
        lines = _lines(box, FRAME_RIGHT - left)
        row = max(high, 48.0 if i else SHORT, LEADING * len(lines) + 22)
        start = drawn.y - 6 if i else drawn.y + row / 2
        drawn.stream.append(f"M{RESIDUAL:g} {start:.1f}V{drawn.y + row:.1f}")
        _place(drawn, i, box, Place(RESIDUAL - wide / 2, drawn.y + (row - high) / 2, wide, high), torn=torn)
        _beside(drawn, lines, left, drawn.y + 16, FRAME_RIGHT - left)
        drawn.anchors.setdefault(f"{name} weights", (RESIDUAL + wide / 2, drawn.y + row - 10, 18))
        if name == "head":
            drawn.anchors.setdefault("tied ends", drawn.anchors["head weights"])
        drawn.y += row + (6 if len(boxes) > 1 else 0)
    if len(boxes) > 1:
        drawn.stream.append(f"M{RESIDUAL:g} {drawn.y - 6:.1f}v6")


def _tied(drawn: Flow) -> None:
    """Place a ghost where the head would stand: the embedding is used once more."""
    wide, high = 40.0, 40.0
    muted = COLOURS["muted"]
    drawn.parts.append(
        f'<rect x="{RESIDUAL - wide / 2:g}" y="{drawn.y:.1f}" width="{wide:g}" height="{high:g}" fill="none" '
        f'stroke="{muted}" stroke-dasharray="2 3"/>'
    )
    left = RESIDUAL + wide / 2 + 8
    for n, words in enumerate(("the embedding", "again")):
        drawn.parts.append(fitted(left, drawn.y + 16 + LEADING * n, words, FRAME_RIGHT - left, extra=ITALIC))
    drawn.anchors["tied ends"] = drawn.anchors["head weights"] = (RESIDUAL + wide / 2, drawn.y + high - 8, 14)
    drawn.y += high


def _lines(box: Box, room: float) -> list[tuple[str, str, str]]:
    """Return a name and what is said of it, in lines that fit: words, colour, attributes."""
    extra, colour = _chosen(box)
    names, said = wrapped(box["label"], room), wrapped(" ".join(_said(box)), room)
    if said and width_of(f"{names[-1]} {said[0]}", TYPE) <= room:
        names[-1] += f" {said.pop(0)}"
    return [*((words, colour, extra) for words in names), *((words, "muted", "") for words in said)]


def _beside(drawn: Flow, lines: Sequence[tuple[str, str, str]], left: float, line: float, room: float) -> None:
    """Write lines from a place on."""
    for n, (words, colour, extra) in enumerate(lines):
        drawn.parts.append(fitted(left, line + LEADING * n, words, room, colour=colour, extra=extra))


def _chosen(box: Box) -> tuple[str, str]:
    return (' font-weight="600"', "accent") if box["selected"] else ("", "ink")


def _bar(drawn: Flow, i: int, box: Box, x: float) -> None:
    """Place a norm: a bar as wide as the stream, its name beside it."""
    wide, high = _size(drawn, box)
    (drawn.stream if x == RESIDUAL else drawn.ways).append(f"M{x:g} {drawn.y:.1f}v24")
    _place(drawn, i, box, Place(x - wide / 2, drawn.y + 9, wide, high))
    left = x + wide / 2 + 8
    drawn.anchors.setdefault("norm weights", (FRAME_RIGHT, drawn.y + 12, 20))
    room = FRAME_RIGHT - 20 - left
    extra, colour = _chosen(box)
    drawn.parts.append(fitted(left, drawn.y + 17, box["label"], room, colour=colour, extra=extra))
    drawn.y += 24


def _layer(drawn: Flow, boxes: Sequence[tuple[int, Box]], series: dict[str, Any]) -> None:
    drawn.top = drawn.y
    drawn.y += 20
    for words in wrapped(_one_of(series), FRAME_RIGHT - LEFT):
        drawn.parts.append(fitted(LEFT - 4, drawn.y, words, FRAME_RIGHT - LEFT, extra=ITALIC))
        drawn.y += LEADING
    norms = {box["name"].removeprefix("norms."): (i, box) for i, box in boxes if box["block"] == "norms"}
    attention = [(i, box) for i, box in boxes if box["block"] == "attention"]
    inner = [norms[name] for name in norms if name not in ("attention", "mlp", "layer")]
    shared = drawn.y
    if attention:
        start = _leave(drawn, norms.get("attention") or norms.get("layer"))
        shared = drawn.y
        _gap(drawn, WAY, "attention input")
        projections = [(i, box) for i, box in attention if not box["name"].endswith(".output")]
        for row in _attention_rows(projections):
            _row(drawn, row)
        if inner:
            _row(drawn, inner)
        _operation(drawn)
        for i, box in attention:
            if box["name"].endswith(".output"):
                _alone(drawn, i, box, "layer weights")
        _gap(drawn, WAY, "attention output")
        _back(drawn, start)
    for block in ("mlp", "experts"):
        of_block = [(i, box) for i, box in boxes if box["block"] == block]
        if not of_block:
            continue
        start = _leave(drawn, norms.get("mlp"), shared if "layer" in norms else None)
        drawn.anchors.setdefault("all weights", (FRAME_RIGHT, start, 20))
        _gap(drawn, WAY, "mlp input")
        _mlp(drawn, of_block) if block == "mlp" else _experts(drawn, of_block)
        _gap(drawn, WAY, "mlp output")
        _back(drawn, start)
    drawn.y += 8
    drawn.bottom = drawn.y
    drawn.stream.append(f"M{RESIDUAL:g} {drawn.top:.1f}V{drawn.bottom:.1f}")


def _one_of(series: dict[str, Any]) -> str:
    """Return what the frame is called: which layer it opens, of how many, and what more is said of it."""
    layer, semicolon, more = series["layer"].partition(";")
    return f"{layer}, of {series['layers']:,}{semicolon}{more}"


def _frame(top: float, bottom: float) -> str:
    """Return the frame of the opened layer."""
    return (
        f'<rect x="{FRAME_LEFT:g}" y="{top:.1f}" width="{FRAME_RIGHT - FRAME_LEFT:g}" height="{bottom - top:.1f}" '
        f'fill="{COLOURS["wash"]}" fill-opacity="0.5" stroke="{COLOURS["grid"]}"/>'
    )


def _leave(drawn: Flow, norm: tuple[int, Box] | None, shared: float | None = None) -> float:
    """Draw a block's way out of the residual stream, through its norm or from one that is shared; return the height."""
    start = drawn.y
    if shared is None:
        drawn.ways.append(f"M{RESIDUAL:g} {start:.1f}H{WAY:g}")
    else:
        drawn.ways.append(f"M{WAY:g} {shared:.1f}H{SIDE:g}V{start:.1f}H{WAY:g}")
    if norm:
        _bar(drawn, *norm, WAY)
    return start


def _back(drawn: Flow, start: float) -> None:
    """Draw the way back to the residual stream, where it is added."""
    y = drawn.y
    drawn.ways.append(f"M{WAY:g} {y:.1f}H{RESIDUAL + 7:g}")
    drawn.parts.append(
        f'<circle cx="{RESIDUAL:g}" cy="{y:.1f}" r="7" fill="{COLOURS["surface"]}" stroke="{COLOURS["ink"]}" '
        f'stroke-width="1.4"/>' + rule(f"M{RESIDUAL - 4:g} {y:.1f}h8M{RESIDUAL:g} {y - 4:.1f}v8", "ink")
    )
    drawn.y += 20


def _attention_rows(boxes: Sequence[tuple[int, Box]]) -> list[Sequence[tuple[int, Box]]]:
    """Return the projections in rows: of latent attention each latent has its own, others stand side by side."""
    if not any("down" in box["name"] for _, box in boxes):
        return [boxes]
    kv = [one for one in boxes if ".kv_" in one[1]["name"]]
    query = [one for one in boxes if one not in kv]
    return [row for row in (query, kv) if row]


def _mlp(drawn: Flow, boxes: Sequence[tuple[int, Box]]) -> None:
    first = [(i, box) for i, box in boxes if not box["name"].endswith("down")]
    last = [one for one in boxes if one not in first]
    for row in _packed(drawn, first):
        _row(drawn, row)
    for row in _packed(drawn, last):
        _row(drawn, row)


def _experts(drawn: Flow, boxes: Sequence[tuple[int, Box]]) -> None:
    routed = [(i, box) for i, box in boxes if box["experts"]]
    shared = [(i, box) for i, box in boxes if "shared" in box["name"]]
    for i, box in boxes:
        if (i, box) not in routed and (i, box) not in shared:
            _alone(drawn, i, box)
    _gap(drawn, WAY, "experts")
    drawn.y += 6  # the stack's edges
    for row in _packed(drawn, routed):
        _row(drawn, row)
    if routed:
        box = routed[0][1]
        mine = None if box["mine"] is None else box["mine"][1]
        squares, high = cells(box["experts"], box["expert_parts"], mine, LEFT, drawn.y + 2, RIGHT - LEFT)
        drawn.parts.append(squares)
        drawn.y += high + 6
        for words in wrapped(_grouped(box), RIGHT - LEFT):
            drawn.parts.append(fitted(LEFT, drawn.y + 16, words, RIGHT - LEFT))
            drawn.y += LEADING
        drawn.y += 14
    for row in _packed(drawn, shared):
        _row(drawn, row)


def _grouped(box: Box) -> str:
    count, ranks = box["experts"], box["expert_parts"]
    return f"{count:,} experts" if ranks == 1 else f"{count:,} experts on {ranks:,} ranks"


def _packed(drawn: Flow, boxes: Sequence[tuple[int, Box]]) -> list[list[tuple[int, Box]]]:
    """Return boxes in rows, as many in each as fit."""
    rows: list[list[tuple[int, Box]]] = []
    used = 0.0
    for i, box in boxes:
        column = max(_size(drawn, box)[0], COLUMN)
        if rows and used + 5 + column <= RIGHT - LEFT:
            rows[-1].append((i, box))
            used += 5 + column
        else:
            rows.append([(i, box)])
            used = column
    return rows


def _alone(drawn: Flow, i: int, box: Box, anchor: str = "") -> None:
    """Place one matrix on the way, its name beside it."""
    wide, high = _size(drawn, box)
    left = max(WAY - wide / 2, LEFT)
    beside = left + max(wide, 28) + 8
    room = FRAME_RIGHT - 22 - beside
    lines = _lines(box, room)
    row = max(high, LEADING * len(lines) + 4, 44.0)
    drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v{row:.1f}")
    _place(drawn, i, box, Place(left, drawn.y + (row - high) / 2, wide, high))
    _beside(drawn, lines, beside, drawn.y + (row - LEADING * len(lines)) / 2 + 15, room)
    if anchor:
        drawn.anchors[anchor] = (FRAME_RIGHT, drawn.y + row / 2, 28)
    drawn.y += row


def _row(drawn: Flow, boxes: Sequence[tuple[int, Box]]) -> None:
    """Place matrices that take the same input side by side, level at the bottom, their names below them."""
    if len(boxes) == 1:
        _single(drawn, *boxes[0])
        return
    sizes = [_size(drawn, box) for _, box in boxes]
    columns = [max(wide, COLUMN) for wide, _ in sizes]
    step = max(min((RIGHT - LEFT - sum(columns)) / (len(boxes) - 1), 8), 0)
    centres = [LEFT + 2 + sum(columns[:n]) + step * n + column / 2 for n, column in enumerate(columns)]
    bottom = drawn.y + 8 + max(high for _, high in sizes)
    ways = "".join(
        f"M{x:.1f} {drawn.y:.1f}V{bottom - high:.1f}" for x, (_, high) in zip(centres, sizes, strict=True)
    )
    drawn.ways.append(f"M{centres[0]:.1f} {drawn.y:.1f}H{centres[-1]:.1f}{ways}")
    lines = [
        [*((words, *_chosen(box)) for words in wrapped(box["label"], column + step + 2)),
         *((words, "", "muted") for words in _said(box))]
        for (_, box), column in zip(boxes, columns, strict=True)
    ]
    size = min(share(one[0], column + step + 2) for of, column in zip(lines, columns, strict=True) for one in of)
    for (i, box), (wide, high), x, below in zip(boxes, sizes, centres, lines, strict=True):
        _place(drawn, i, box, Place(x - wide / 2, bottom - high, wide, high))
        for n, (words, extra, colour) in enumerate(below):
            more = extra + relative(size)
            drawn.parts.append(text(x, bottom + 18 + LEADING * n, words, anchor="middle", colour=colour, extra=more))
    drawn.y = bottom + 8 + LEADING * max(map(len, lines))
    drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v8")
    drawn.y += 8


def _single(drawn: Flow, i: int, box: Box) -> None:
    """Place a matrix that is too wide for a neighbour, its name below it and beside the way."""
    wide, high = _size(drawn, box)
    _place(drawn, i, box, Place(min(WAY - COLUMN / 2, RIGHT - wide), drawn.y, wide, high))
    top = drawn.y + high
    room = RIGHT - WAY - 10
    lines = _lines(box, room)
    _beside(drawn, lines, WAY + 10, top + 18, room)
    drawn.y = top + 6 + LEADING * len(lines)
    drawn.ways.append(f"M{WAY:g} {top:.1f}V{drawn.y:.1f}")


def _operation(drawn: Flow) -> None:
    """Draw attention itself, which has no weights."""
    y, high = drawn.y, 30.0
    drawn.parts.append(
        f'<rect x="{LEFT:g}" y="{y:.1f}" width="{RIGHT - LEFT:g}" height="{high:g}" rx="{high / 2:g}" '
        f'fill="{COLOURS["surface"]}" stroke="{COLOURS["grid"]}"/>'
    )
    drawn.parts.append(fitted(LEFT + 14, y + 20, "attention", 90, extra=ITALIC))
    drawn.anchors["attention"] = (RIGHT - 34, y + high / 2, high - 8)
    drawn.y += high
    drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v10")
    drawn.y += 10
