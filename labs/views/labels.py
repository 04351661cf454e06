"""Where names of lines and regions stand, so that they touch neither each other nor a line."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle of the drawing: its sides."""

    left: float
    top: float
    right: float
    bottom: float


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places in the order of `wanted`, at least `gap` apart and within low and high, as near to it as possible.

    Least squares under an order: what would come too near is pooled, and the pool moves as one. Where all do not fit,
    they share the room.

    >>> spread([10, 10, 90], 20, 0, 100)
    [0.0, 20.0, 90]
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    pools: list[list[float]] = []  # each [sum, count] of places with the gaps taken out
    for rank, i in enumerate(order):
        pools.append([wanted[i] - rank * gap, 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] >= pools[-1][0] / pools[-1][1]:
            total, count = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += count
    flat = [total / count for total, count in pools for _ in range(int(count))]
    places = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        places[i] = min(max(flat[rank], low), high - (len(wanted) - 1) * gap) + rank * gap
    return places


def free_place(boxes: Iterable[Box], lines: Sequence[Sequence[Point]]) -> Box | None:
    """Return the first box that no line passes, or None."""
    return next((box for box in boxes if not any(crosses(line, box) for line in lines)), None)


def crosses(line: Sequence[Point], box: Box) -> bool:
    """Return whether a line has a part within the box."""
    left, top, right, bottom = box
    for (x, y), (to_x, to_y) in pairwise(line):
        # Most segments lie on one side of the box.
        beside = (x < left and to_x < left) or (x > right and to_x > right)
        if beside or (y < top and to_y < top) or (y > bottom and to_y > bottom):
            continue
        if _segment_crosses(x, y, to_x - x, to_y - y, box):
            return True
    return False


def _segment_crosses(x: float, y: float, dx: float, dy: float, box: Box) -> bool:
    """Cut the segment by the box's sides, one after another; what remains lies within (Liang and Barsky)."""
    first, last = 0.0, 1.0
    for step, room in ((-dx, x - box.left), (dx, box.right - x), (-dy, y - box.top), (dy, box.bottom - y)):
        if step == 0:
            if room < 0:
                return False
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    return first <= last
