"""Where everything of a transformer stands in its diagram: one way down, from tokens to loss, whatever is split.

Matrices of the vocabulary keep the scale of the layer in their width, and are cut short.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from labs.views.diagram.flow import (
    FRAME_LEFT,
    FRAME_RIGHT,
    ITALIC,
    RESIDUAL,
    Box,
    Flow,
    bar,
    gap,
    lines_of,
    put,
    size_of,
    write,
)
from labs.views.diagram.layer import layer
from labs.views.diagram.matrix import Place
from labs.views.drawing import COLOURS, rule, text
from labs.views.words import LEADING, fitted

SHORT = 58.0  # of what is cut short
TALLEST, WIDEST = 150.0, 46.0  # longest side of all matrices; the largest of their shorter sides


def transformer(series: dict[str, Any]) -> Flow:
    """Return the whole diagram but for its arrows and its stages."""
    boxes = list(enumerate(series["boxes"]))
    opened = [(i, box) for i, box in boxes if box["block"] in ("attention", "mlp", "experts") or _inner_norm(box)]
    drawn = Flow(scale=_scale(box for _, box in opened))
    _ends(drawn, [(i, box) for i, box in boxes if box["block"] == "embedding"], "embedding")
    gap(drawn, RESIDUAL, "embedding output")
    layer(drawn, opened, series)
    gap(drawn, RESIDUAL, "stage boundary")
    last = [(i, box) for i, box in boxes if box["block"] == "norms" and not _inner_norm(box)]
    for i, box in last:
        bar(drawn, i, box, RESIDUAL)
    gap(drawn, RESIDUAL, "head input")
    head = [(i, box) for i, box in boxes if box["block"] == "head"]
    if head:
        _ends(drawn, head, "head")
    else:
        _tied(drawn)
    gap(drawn, RESIDUAL, "loss")
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


def _ends(drawn: Flow, boxes: Sequence[tuple[int, Box]], name: str) -> None:
    """Place what stands before or behind the layers, on the residual stream, its names beside it."""
    for i, box in boxes:
        wide, high = size_of(drawn, box)
        torn, high = high > SHORT, min(high, SHORT)
        left = RESIDUAL + max(wide / 2, 20) + 8
        lines = lines_of(box, FRAME_RIGHT - left)
        row = max(high, 48.0 if i else SHORT, LEADING * len(lines) + 22)
        start = drawn.y - 6 if i else drawn.y + row / 2
        drawn.stream.append(f"M{RESIDUAL:g} {start:.1f}V{drawn.y + row:.1f}")
        put(drawn, i, box, Place(RESIDUAL - wide / 2, drawn.y + (row - high) / 2, wide, high), torn=torn)
        write(drawn, lines, left, drawn.y + 16, FRAME_RIGHT - left)
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


def _frame(top: float, bottom: float) -> str:
    """Return the frame of the opened layer."""
    return (
        f'<rect x="{FRAME_LEFT:g}" y="{top:.1f}" width="{FRAME_RIGHT - FRAME_LEFT:g}" height="{bottom - top:.1f}" '
        f'fill="{COLOURS["wash"]}" fill-opacity="0.5" stroke="{COLOURS["grid"]}"/>'
    )
