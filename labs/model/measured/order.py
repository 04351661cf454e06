"""Rows in the order of a log: one sweep over sizes, several one after the other, or several jobs at once."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from labs.model.measured.cells import Cells


def sweeps(rows: Sequence[Cells]) -> tuple[tuple[Cells, ...], ...]:
    """Return the pieces within which sizes go one way: up, as the tests go, or down where a log was turned over."""
    way = _way(rows)
    pieces: list[list[Cells]] = []
    for row in rows:
        if not pieces or way * row.size < way * pieces[-1][-1].size:
            pieces.append([])
        pieces[-1].append(row)
    return tuple(tuple(piece) for piece in pieces)


def parted(rows: Sequence[Cells], text: Sequence[int]) -> list[list[Cells]]:
    """Return the rows in parts, cut where other text stands on a line between two and sizes do not go on behind it.

    Not where this parts what several jobs wrote at once: a part with a size twice on end is no run.
    """
    way = _way(rows)
    parts = [[row] for row in rows[:1]]
    for before, row in pairwise(rows):
        if way * row.size <= way * before.size and any(before.line < line < row.line for line in text):
            parts.append([])
        parts[-1].append(row)
    runs = all(
        not mixed(sweeps(part)) and all(row.size != before.size for before, row in pairwise(part)) for part in parts
    )
    return parts if runs else [list(rows)]


def mixed(pieces: Sequence[Sequence[Cells]]) -> bool:
    """Whether several jobs wrote at once.

    A sweep that begins anew begins at its first size; a piece that begins higher goes on with what another job left.
    Two jobs in step give no fall at all, but most sizes twice.
    """
    way = _way([row for piece in pieces for row in piece])
    first = way * pieces[0][0].size
    if any(way * piece[0].size > first for piece in pieces[1:]):
        return True
    for piece in pieces:
        times = Counter(row.size for row in piece)
        repeated = sum(number > 1 for number in times.values())
        if repeated >= 3 and repeated >= 0.6 * len(times):
            return True
    return False


def _way(rows: Sequence[Cells]) -> int:
    """Return 1 where sizes rise, -1 where they mostly fall; one fall alone begins another sweep."""
    steps = [row.size - before.size for before, row in pairwise(rows)]
    rises, falls = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    return -1 if falls > max(rises, 1) else 1


def without_copies(rows: Sequence[Cells]) -> tuple[list[Cells], list[Cells]]:
    """Return the rows, and those that repeat an earlier one of the same size number for number."""
    seen: dict[tuple[object, ...], int] = {}
    kept: list[Cells] = []
    copies: list[Cells] = []
    for place, row in enumerate(rows):
        key = (row.size, row.datatype, row.operation, row.numbers)
        # Times repeat by chance among a few digits: only a line that follows soon is a copy.
        if row.size and len(row.numbers) >= 8 and place - seen.get(key, -9) <= 2:
            copies.append(row)
        else:
            kept.append(row)
        seen[key] = place
    return kept, copies
