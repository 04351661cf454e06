"""Rows cut into straight pieces: where the cuts are best, and how many of them the rows bear."""

from collections.abc import Sequence
from typing import NamedTuple

from labs.model.measured.averages import mean, standard_error
from labs.model.measured.line import Line, Sums

_LEAST_ROWS = 3  # of a regime: a line takes two
_MOST_REGIMES = 6
# An error counts as no larger when numbers of regimes are compared: beside a jump a row that is left out is lost to
# every model, and a few such rows would hide how well all others are met.
_LOST = 0.25

Rows = Sequence[tuple[float, float]]  # size and time, sizes rising


class Piece(NamedTuple):
    """Rows from the first to the last, and the line through them."""

    first: int
    last: int
    line: Line


def best_pieces(rows: Rows) -> tuple[list[Piece], list[float]]:
    """Return the pieces, and the error of each row when the rest predicts it."""
    whole = _best(rows)
    left_out: dict[int, list[float]] = {number: [] for number in whole}
    for place, (size, time) in enumerate(rows):
        rest = [*rows[:place], *rows[place + 1 :]]
        found = _best(rest) if len(rest) >= _LEAST_ROWS else {}
        for number in left_out:
            if number in found:
                left_out[number].append(time_on(found[number], rest, size) / time - 1)
    complete = {number: errors for number, errors in left_out.items() if len(errors) == len(rows)}
    if not complete:
        return whole[1], []
    best = min(complete, key=lambda number: mean([_counted(error) for error in complete[number]]))
    number = next(number for number in sorted(complete) if _as_good(complete[number], complete[best]))
    return whole[number], complete[number]


def _as_good(errors: Sequence[float], best: Sequence[float]) -> bool:
    """Whether the mean error is within one standard error of the best; row by row, as both have the same rows."""
    excess = [_counted(one) - _counted(other) for one, other in zip(errors, best, strict=True)]
    return mean(excess) <= standard_error(excess) + 1e-12


def _counted(error: float) -> float:
    return min(abs(error), _LOST)


def _best(rows: Rows) -> dict[int, list[Piece]]:
    """Return for each number of regimes the pieces of the least squared error."""
    lines = _lines(rows)
    count = len(rows)
    found: dict[int, list[Piece]] = {}
    # The least error up to and including each row, and where its last piece begins.
    least = {last: (lines[0][last].squares, 0) for last in lines[0]}
    steps = [least]
    for number in range(1, _MOST_REGIMES + 1):
        if number > 1:
            least = _extended(least, lines)
            steps.append(least)
        if count - 1 not in least:
            break
        found[number] = _traced(steps, lines, count - 1)
    return found


def _lines(rows: Rows) -> list[dict[int, Line]]:
    """Return for each first row the line to each last row that is far enough."""
    short = min(_LEAST_ROWS, len(rows)) - 1
    lines: list[dict[int, Line]] = []
    for first in range(len(rows)):
        sums, to = Sums(), {}
        for last in range(first, len(rows)):
            sums.add(*rows[last])
            if last - first >= short:
                to[last] = sums.line()
        lines.append(to)
    return lines


def _extended(least: dict[int, tuple[float, int]], lines: list[dict[int, Line]]) -> dict[int, tuple[float, int]]:
    longer: dict[int, tuple[float, int]] = {}
    for end, (squares, _) in least.items():
        if end + 1 == len(lines):
            continue
        for last, line in lines[end + 1].items():
            total = squares + line.squares
            if last not in longer or total < longer[last][0]:
                longer[last] = (total, end + 1)
    return longer


def _traced(steps: Sequence[dict[int, tuple[float, int]]], lines: list[dict[int, Line]], last: int) -> list[Piece]:
    pieces: list[Piece] = []
    for step in reversed(steps):
        first = step[last][1]
        pieces.insert(0, Piece(first=first, last=last, line=lines[first][last]))
        last = first - 1
    return pieces


def time_on(pieces: Sequence[Piece], rows: Rows, size: float) -> float:
    """Return the time of a size: on its piece, or straight from the last row of one piece to the first of the next."""
    before = pieces[0]
    for piece in pieces:
        if size < rows[piece.first][0] and piece is not pieces[0]:
            low, high = rows[before.last][0], rows[piece.first][0]
            share = (size - low) / (high - low)
            return (1 - share) * before.line.at(low) + share * piece.line.at(high)
        if size <= rows[piece.last][0]:
            return piece.line.at(size)
        before = piece
    return before.line.at(size)
