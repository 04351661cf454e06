"""Time over size in a few regimes: how libraries that change protocol with size behave.

In each, time is a straight line of size or, where it bends, a power of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt

from labs.model.measured.averages import mean, median
from labs.model.measured.choice import best_pieces
from labs.model.measured.line import Power
from labs.model.measured.pieces import Piece, Rows, Shape, shape_of, time_on
from labs.model.measured.ring_fit import checked
from labs.model.measured.scatter import between_neighbours
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import positive
from labs.model.quantities.units import format_quantity

_MOST_SIZES = 64  # among which edges are sought; a leave-one-out search over n sizes takes n³ steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """Sizes within which time is one straight line, or one power of size.

    Attributes:
        from_size: the smallest measured in it [byte]
        to_size: the largest measured in it [byte]
        rows: sizes measured in it [1]
        startup: time of the line at size zero; below zero where time grows faster than size; None for a power [s]
        end: time of the line, or the power, at its largest size [s]
        rate: size over the time that it adds; None for a power, and where no row shows three quarters of it [byte/s]
        exponent: of the power; None for a line [1]
        jump: least gap to the regime before, between the rows beside the edge, over its time; None for the first [1]
    """

    from_size: float
    to_size: float
    rows: int
    startup: float | None
    end: float
    rate: float | None
    exponent: float | None
    jump: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegimeFit:
    """Regimes fitted to measured times.

    Attributes:
        regimes: by size; between two of them time goes straight from the one's last row to the other's first
        continuous: whether no regime begins with a jump beyond the scatter of the rows
        times: that the regimes give, in the order of the rows
        errors: of these, relative to the measured times
        median_error: of their magnitudes [1]
        worst_error: of their magnitudes [1]
        left_out_errors: of each row, by size, predicted from the others alone; empty where there are too few
        left_out_median: of their magnitudes; None where there are too few [1]
        between_median: median miss of a row by the line between its neighbours; None where there are too few [1]
    """

    regimes: tuple[Regime, ...]
    continuous: bool
    times: tuple[float, ...]
    errors: tuple[float, ...]
    median_error: float
    worst_error: float
    left_out_errors: tuple[float, ...]
    left_out_median: float | None
    between_median: float | None


def fit_regimes(*, sizes: tuple[float, ...], times: tuple[float, ...]) -> RegimeFit:
    """Return as few regimes as predict rows that were left out as well as more would.

        T(M) = a + M / r   within each regime, or, where that halves the squared errors,
        T(M) = c · M^e

    Edges lie between rows, where the squared relative errors are least. Powers are among them if the leave-one-out
    error is less with them. The number of regimes is the smallest whose leave-one-out error is within one standard
    error of the best; of these, one that misses no row by more than 15 %, if there is one. Time does not fall within a
    regime; it may fall from one to the next, where the rows do. Rows of one size count as one, at their mean time.

    Args:
        sizes: of each measurement, in byte
        times: of these, in s

    Returns:
        the regimes, and the error of each row

    Raises:
        ModelError: fewer than two sizes, or an input out of range

    Source:
        Bellman and Roth, Curve Fitting by Segmented Straight Lines, 1969; the one-standard-error rule: Breiman et al.,
        Classification and Regression Trees, section 3.4.3

    >>> small = [(n, 8.0) for n in (1, 2, 4, 8)]
    >>> large = [(n, 10 + n / 2) for n in (16, 32, 64, 128)]
    >>> sizes, times = zip(*small, *large)
    >>> [(regime.from_size, round(regime.startup, 9)) for regime in fit_regimes(sizes=sizes, times=times).regimes]
    [(1.0, 8.0), (16.0, 10.0)]
    """
    checked(sizes, times)
    rows = _means(sizes, times)
    chosen = _thinned(rows)
    pieces, left_out = best_pieces(chosen)
    if len(chosen) < len(rows):
        pieces = _widened(pieces, chosen, rows)
    fitted = tuple(time_on(pieces, rows, size) for size in sizes)
    errors = tuple(one / measured - 1 for one, measured in zip(fitted, times, strict=True))
    magnitudes = [abs(error) for error in errors]
    scatter = sqrt(mean([error**2 for error in errors]))
    regimes = tuple(_regime(pieces, rows, number) for number in range(len(pieces)))
    return RegimeFit(
        regimes=regimes,
        continuous=all(abs(regime.jump or 0.0) <= 2 * scatter for regime in regimes),
        times=fitted,
        errors=errors,
        median_error=median(magnitudes),
        worst_error=max(magnitudes),
        left_out_errors=tuple(left_out),
        left_out_median=median(map(abs, left_out)) if left_out else None,
        between_median=median(map(abs, between_neighbours(rows))) if left_out else None,
    )


def time_in_regimes(*, fit: RegimeFit, size: float) -> float:
    """Return the time of a size between the smallest and the largest that were measured.

        T(M) = a + M / r  or  c · M^e   within a regime, straight from one regime's last row to the next one's first

    Args:
        fit: the regimes
        size: of the operation [byte]

    Returns:
        time [s]

    Raises:
        ModelError: a size outside of what was measured

    Source:
        linear interpolation

    >>> fit = fit_regimes(sizes=(1, 2, 4, 8, 16, 32, 64, 128), times=(8, 8, 8, 8, 18, 26, 42, 74))
    >>> [round(time_in_regimes(fit=fit, size=size), 9) for size in (3, 12, 100)]
    [8.0, 13.0, 60.0]
    """
    positive("size", size, "byte")
    first, last = fit.regimes[0].from_size, fit.regimes[-1].to_size
    if not first <= size <= last:
        raise ModelError(
            f"expected size from {format_quantity(first, 'byte')} to {format_quantity(last, 'byte')}, the sizes that "
            f"were measured, found {format_quantity(size, 'byte')}",
            argument="size",
        )
    before = fit.regimes[0]
    for regime in fit.regimes:
        if size < regime.from_size:
            share = (size - before.to_size) / (regime.from_size - before.to_size)
            return (1 - share) * _on(before, before.to_size) + share * _on(regime, regime.from_size)
        if size <= regime.to_size:
            break
        before = regime
    return _on(regime, size)


def _on(regime: Regime, size: float) -> float:
    if regime.startup is None or regime.exponent is not None:
        return regime.end * exp((regime.exponent or 0.0) * log(size / regime.to_size))
    return regime.startup + (regime.end - regime.startup) * size / regime.to_size


def _means(sizes: Sequence[float], times: Sequence[float]) -> Rows:
    by_size: dict[float, list[float]] = {}
    for size, time in zip(sizes, times, strict=True):
        by_size.setdefault(float(size), []).append(float(time))
    return [(size, mean(by_size[size])) for size in sorted(by_size)]


def _thinned(rows: Rows) -> Rows:
    """Return the rows, or so many of them that a search takes no longer than for a usual log, evenly spread."""
    if len(rows) <= _MOST_SIZES:
        return rows
    step = (len(rows) - 1) / (_MOST_SIZES - 1)
    return [rows[round(number * step)] for number in range(_MOST_SIZES)]


def _widened(pieces: Sequence[Piece], chosen: Rows, rows: Rows) -> list[Piece]:
    """Return the pieces with their edges kept, laid through all rows."""
    ends = [chosen[piece.last][0] for piece in pieces[:-1]] + [inf]
    first, widened = 0, []
    for piece, end in zip(pieces, ends, strict=True):
        last = max(number for number, (size, _) in enumerate(rows) if size <= end)
        shape = shape_of(rows[first : last + 1], power=isinstance(piece.shape, Power))
        widened.append(Piece(first=first, last=last, shape=shape))
        first = last + 1
    return widened


def _regime(pieces: Sequence[Piece], rows: Rows, number: int) -> Regime:
    piece = pieces[number]
    jump = None
    if number:
        before = pieces[number - 1]
        jump = _gap(before.shape, piece.shape, rows[before.last][0], rows[piece.first][0])
    end = piece.shape.at(rows[piece.last][0])
    line = None if isinstance(piece.shape, Power) else piece.shape
    return Regime(
        from_size=rows[piece.first][0],
        to_size=rows[piece.last][0],
        rows=piece.last - piece.first + 1,
        startup=line and line.start,
        end=end,
        rate=1 / line.slope if line and line.slope > 0 and end - line.start >= 0.75 * end else None,
        exponent=piece.shape.exponent if isinstance(piece.shape, Power) else None,
        jump=jump,
    )


def _gap(before: Shape, after: Shape, low: float, high: float) -> float:
    """Return by how much two regimes miss each other between two sizes; 0 where they cross there."""
    gaps = [after.at(size) / before.at(size) - 1 for size in (low, high)]
    return 0.0 if gaps[0] * gaps[1] <= 0 else min(gaps, key=abs)
