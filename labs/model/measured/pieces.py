"""Rows cut into pieces, each a straight line or a power of size: where the cuts are best for each number of pieces."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from labs.model.measured.line import Line, Power, Sums

LEAST_ROWS = 3  # of a piece: a line takes two
_MOST_PIECES = 6
# Scatter alone makes a power the better of the two now and then; a bend halves the squares of a straight line.
_BENT = 0.5
# Below this a straight line is met to more digits than are ever printed, and rounding would choose between the two.
_MET = 1e-10

Rows = Sequence[tuple[float, float]]  # size and time, sizes rising
Shape = Line | Power
Table = list[dict[int, Shape]]  # for each first row, the shape of a piece to each last row


class Piece(NamedTuple):
    """Rows from the first to the last, and what is laid through them."""

    first: int
    last: int
    shape: Shape


class Step(NamedTuple):
    """The best pieces up to and including each row: their squared errors, and where the last of them begins."""

    least: list[float]
    begins: list[int]


class Cuts(NamedTuple):
    """The best pieces of each number, with what it takes to find those without a row."""

    table: Table
    steps: list[Step]

    def pieces(self, number: int) -> list[Piece]:
        """Return so many pieces; there are as many steps as numbers that the rows can be cut into."""
        found: list[Piece] = []
        last = len(self.table) - 1
        for step in reversed(self.steps[:number]):
            first = step.begins[last]
            found.insert(0, Piece(first=first, last=last, shape=self.table[first][last]))
            last = first - 1
        return found


def cuts_of(rows: Rows) -> tuple[Cuts, Cuts]:
    """Return the cuts into straight lines, and those into whichever is better, a straight line or a power."""
    straight, bent = _tables(rows, -1, ([{} for _ in rows], [{} for _ in rows]))
    return Cuts(straight, _steps(straight, 0, [])), Cuts(bent, _steps(bent, 0, []))


def cuts_without(rows: Rows, place: int, whole: tuple[Cuts, Cuts]) -> tuple[Cuts, Cuts]:
    """Return the cuts where the time at one place is not known; its size still is, and still counts to a piece."""
    straight, bent = _tables(rows, place, (whole[0].table, whole[1].table))
    return (
        Cuts(straight, _steps(straight, place, whole[0].steps)),
        Cuts(bent, _steps(bent, place, whole[1].steps)),
    )


def shape_of(rows: Rows, *, power: bool) -> Shape:
    """Return the best line through all rows, or the best power."""
    sums = Sums()
    for size, time in rows:
        if power:
            sums.add_logarithms(size, time)
        else:
            sums.add(size, time)
    return sums.power() if power else sums.line()


def time_on(pieces: Sequence[Piece], rows: Rows, size: float) -> float:
    """Return the time of a size: on its piece, or straight from the last row of one piece to the first of the next."""
    before = pieces[0]
    for piece in pieces:
        if size < rows[piece.first][0] and piece is not pieces[0]:
            low, high = rows[before.last][0], rows[piece.first][0]
            share = (size - low) / (high - low)
            return (1 - share) * before.shape.at(low) + share * piece.shape.at(high)
        if size <= rows[piece.last][0]:
            return piece.shape.at(size)
        before = piece
    return before.shape.at(size)


def _tables(rows: Rows, without: int, known: tuple[Table, Table]) -> tuple[Table, Table]:
    """Return the tables of lines and of the better of line and power; pieces without the row left out are known."""
    short = min(LEAST_ROWS, len(rows)) - 1
    straight: Table = []
    best: Table = []
    for first in range(len(rows)):
        if first > without >= 0:
            straight.append(known[0][first])
            best.append(known[1][first])
            continue
        lines, either = {}, {}
        sums, logarithms = Sums(), Sums()
        for last, (size, time) in enumerate(rows[first:], start=first):
            if last != without:
                sums.add(size, time)
                logarithms.add_logarithms(size, time)
            if last - first < short:
                continue
            if last < without:
                lines[last], either[last] = known[0][first][last], known[1][first][last]
                continue
            line, power = sums.line(), logarithms.power()
            lines[last] = line
            bent = line.squares > _MET and power.squares < _BENT * line.squares
            either[last] = power if bent else line
        straight.append(lines)
        best.append(either)
    return straight, best


def _steps(table: Table, place: int, known: Sequence[Step]) -> list[Step]:
    """Return a step for each number of pieces; up to a place before which nothing changed they are known."""
    count = len(table)
    squares = [{last: shape.squares for last, shape in to.items() if last >= place} for to in table]
    steps: list[Step] = []
    for number in range(_MOST_PIECES):
        before = steps[-1].least if steps else []
        least, begins = [inf] * count, [0] * count
        if number < len(known):
            least[:place], begins[:place] = known[number].least[:place], known[number].begins[:place]
        for first in range(1 if steps else 0, count if steps else 1):
            so_far = before[first - 1] if steps else 0.0
            if so_far == inf:
                continue
            for last, more in squares[first].items():
                if so_far + more < least[last]:
                    least[last], begins[last] = so_far + more, first
        if least[-1] == inf:
            break
        steps.append(Step(least, begins))
    return steps
