"""The opened layer of a transformer: each block leaves the residual stream and comes back to it."""

from collections.abc import Sequence
from typing import Any

from labs.views.diagram.flow import (
    FRAME_RIGHT,
    ITALIC,
    RESIDUAL,
    Box,
    Flow,
    bar,
    gap,
    lines_of,
    look_of,
    put,
    said_of,
    size_of,
    write,
)
from labs.views.diagram.matrix import Place, cells
from labs.views.drawing import COLOURS, rule, text
from labs.views.words import LEADING, fitted, relative, share, wrapped

LEFT, RIGHT = 118.0, 284.0
WAY = 146.0  # the line from block to block
SIDE = 112.0  # past attention, where both blocks share a norm
COLUMN = 52.0  # of a matrix among others, with its name

Boxes = Sequence[tuple[int, Box]]


def layer(drawn: Flow, boxes: Boxes, series: dict[str, Any]) -> None:
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
        _leave(drawn, norms.get("attention") or norms.get("layer"))
        shared = drawn.y
        gap(drawn, WAY, "attention input")
        projections = [(i, box) for i, box in attention if not box["name"].endswith(".output")]
        for row in _attention_rows(projections):
            _row(drawn, row)
        if inner:
            _row(drawn, inner)
        _operation(drawn)
        for i, box in attention:
            if box["name"].endswith(".output"):
                _alone(drawn, i, box, "layer weights")
        gap(drawn, WAY, "attention output")
        _back(drawn)
    for block in ("mlp", "experts"):
        of_block = [(i, box) for i, box in boxes if box["block"] == block]
        if not of_block:
            continue
        start = _leave(drawn, norms.get("mlp"), shared if "layer" in norms else None)
        drawn.anchors.setdefault("all weights", (FRAME_RIGHT, start, 20))
        gap(drawn, WAY, "mlp input")
        _mlp(drawn, of_block) if block == "mlp" else _experts(drawn, of_block)
        gap(drawn, WAY, "mlp output")
        _back(drawn)
    drawn.y += 8
    drawn.bottom = drawn.y
    drawn.stream.append(f"M{RESIDUAL:g} {drawn.top:.1f}V{drawn.bottom:.1f}")


def _one_of(series: dict[str, Any]) -> str:
    """Return what the frame is called: which layer it opens, of how many, and what more is said of it."""
    layer, semicolon, more = series["layer"].partition(";")
    return f"{layer}, of {series['layers']:,}{semicolon}{more}"


def _leave(drawn: Flow, norm: tuple[int, Box] | None, shared: float | None = None) -> float:
    """Draw a block's way out of the residual stream, through its norm or from one that is shared; return the height."""
    start = drawn.y
    if shared is None:
        drawn.ways.append(f"M{RESIDUAL:g} {start:.1f}H{WAY:g}")
    else:
        drawn.ways.append(f"M{WAY:g} {shared:.1f}H{SIDE:g}V{start:.1f}H{WAY:g}")
    if norm:
        bar(drawn, *norm, WAY)
    return start


def _back(drawn: Flow) -> None:
    """Draw the way back to the residual stream, where it is added."""
    y = drawn.y
    drawn.ways.append(f"M{WAY:g} {y:.1f}H{RESIDUAL + 7:g}")
    drawn.parts.append(
        f'<circle cx="{RESIDUAL:g}" cy="{y:.1f}" r="7" fill="{COLOURS["surface"]}" stroke="{COLOURS["ink"]}" '
        f'stroke-width="1.4"/>' + rule(f"M{RESIDUAL - 4:g} {y:.1f}h8M{RESIDUAL:g} {y - 4:.1f}v8", "ink")
    )
    drawn.y += 20


def _attention_rows(boxes: Boxes) -> list[Boxes]:
    """Return the projections in rows: of latent attention each latent has its own, others stand side by side."""
    if not any("down" in box["name"] for _, box in boxes):
        return [boxes]
    kv = [one for one in boxes if ".kv_" in one[1]["name"]]
    query = [one for one in boxes if one not in kv]
    return [row for row in (query, kv) if row]


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


def _mlp(drawn: Flow, boxes: Boxes) -> None:
    first = [(i, box) for i, box in boxes if not box["name"].endswith("down")]
    last = [one for one in boxes if one not in first]
    for row in _packed(drawn, first):
        _row(drawn, row)
    for row in _packed(drawn, last):
        _row(drawn, row)


def _experts(drawn: Flow, boxes: Boxes) -> None:
    routed = [(i, box) for i, box in boxes if box["experts"]]
    shared = [(i, box) for i, box in boxes if "shared" in box["name"]]
    for i, box in boxes:
        if (i, box) not in routed and (i, box) not in shared:
            _alone(drawn, i, box)
    gap(drawn, WAY, "experts")
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


def _packed(drawn: Flow, boxes: Boxes) -> list[list[tuple[int, Box]]]:
    """Return boxes in rows, as many in each as fit."""
    rows: list[list[tuple[int, Box]]] = []
    used = 0.0
    for i, box in boxes:
        column = max(size_of(drawn, box)[0], COLUMN)
        if rows and used + 5 + column <= RIGHT - LEFT:
            rows[-1].append((i, box))
            used += 5 + column
        else:
            rows.append([(i, box)])
            used = column
    return rows


def _alone(drawn: Flow, i: int, box: Box, anchor: str = "") -> None:
    """Place one matrix on the way, its name beside it."""
    wide, high = size_of(drawn, box)
    left = max(WAY - wide / 2, LEFT)
    beside = left + max(wide, 28) + 8
    room = FRAME_RIGHT - 22 - beside
    lines = lines_of(box, room)
    row = max(high, LEADING * len(lines) + 4, 44.0)
    drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v{row:.1f}")
    put(drawn, i, box, Place(left, drawn.y + (row - high) / 2, wide, high))
    write(drawn, lines, beside, drawn.y + (row - LEADING * len(lines)) / 2 + 15, room)
    if anchor:
        drawn.anchors[anchor] = (FRAME_RIGHT, drawn.y + row / 2, 28)
    drawn.y += row


def _row(drawn: Flow, boxes: Boxes) -> None:
    """Place matrices that take the same input side by side, level at the bottom, their names below them."""
    if len(boxes) == 1:
        _single(drawn, *boxes[0])
        return
    sizes = [size_of(drawn, box) for _, box in boxes]
    columns = [max(wide, COLUMN) for wide, _ in sizes]
    step = max(min((RIGHT - LEFT - sum(columns)) / (len(boxes) - 1), 24), 0)
    centres = [LEFT + 2 + sum(columns[:n]) + step * n + column / 2 for n, column in enumerate(columns)]
    bottom = drawn.y + 8 + max(high for _, high in sizes)
    ways = "".join(
        f"M{x:.1f} {drawn.y:.1f}V{bottom - high:.1f}" for x, (_, high) in zip(centres, sizes, strict=True)
    )
    drawn.ways.append(f"M{centres[0]:.1f} {drawn.y:.1f}H{centres[-1]:.1f}{ways}")
    names = [wrapped(box["label"], column + step + 2) for (_, box), column in zip(boxes, columns, strict=True)]
    size = min(share(words, column + step + 2) for of, column in zip(names, columns, strict=True) for words in of)
    for (i, box), (wide, high), x, words in zip(boxes, sizes, centres, names, strict=True):
        put(drawn, i, box, Place(x - wide / 2, bottom - high, wide, high))
        extra, colour = look_of(box)
        for n, line in enumerate(words):
            more = extra + relative(size)
            drawn.parts.append(text(x, bottom + 18 + LEADING * n, line, anchor="middle", colour=colour, extra=more))
    drawn.y = bottom + 8 + LEADING * max(map(len, names))
    _each(drawn, [said_of(box) for _, box in boxes], centres, [column + step + 2 for column in columns])
    drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v8")
    drawn.y += 8


def _each(drawn: Flow, said: list[list[str]], centres: list[float], rooms: list[float]) -> None:
    """Write what is said of matrices side by side: once where it is the same of all, or else below each."""
    if all(one == said[0] for one in said):
        lines = wrapped(" ".join(["each", *said[0]]), RIGHT - WAY - 10) if said[0] else []
        write(drawn, [(words, "muted", "") for words in lines], WAY + 10, drawn.y + 15, RIGHT - WAY - 10)
        drawn.ways.append(f"M{WAY:g} {drawn.y:.1f}v{LEADING * len(lines):g}")
        drawn.y += LEADING * len(lines)
        return
    for x, room, parts in zip(centres, rooms, said, strict=True):
        for n, words in enumerate(parts):
            drawn.parts.append(fitted(x, drawn.y + 10 + LEADING * n, words, room, anchor="middle"))
    drawn.y += LEADING * max(map(len, said))


def _single(drawn: Flow, i: int, box: Box) -> None:
    """Place a matrix that is too wide for a neighbour, its name below it and beside the way."""
    wide, high = size_of(drawn, box)
    put(drawn, i, box, Place(min(WAY - COLUMN / 2, RIGHT - wide), drawn.y, wide, high))
    top = drawn.y + high
    room = RIGHT - WAY - 10
    lines = lines_of(box, room)
    write(drawn, lines, WAY + 10, top + 18, room)
    drawn.y = top + 6 + LEADING * len(lines)
    drawn.ways.append(f"M{WAY:g} {top:.1f}V{drawn.y:.1f}")
