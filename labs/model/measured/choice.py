"""How many pieces the rows bear, and whether a power is worth its place: what predicts rows that were left out."""

from collections.abc import Sequence
from typing import NamedTuple

from labs.model.measured.averages import mean, standard_error
from labs.model.measured.pieces import LEAST_ROWS, Piece, Rows, cuts_of, cuts_without, time_on

# An error counts as no larger when models are compared: beside a jump a row that is left out is lost to every model,
# and a few such rows would hide how well all others are met.
_LOST = 0.25
_MISSED = 0.15  # a row that is met no better than this is not described


class Candidate(NamedTuple):
    """Pieces through all rows, and the error of each row when the rest predicts it."""

    pieces: list[Piece]
    left_out: list[float]


def best_pieces(rows: Rows) -> Candidate:
    """Return the fewest pieces within one standard error of the best; of these, if there are, that miss no row."""
    candidates = _candidates(rows)
    if not candidates[0].left_out:
        return candidates[0]
    best = min(candidates, key=_mean_error)
    as_good = [one for one in candidates if _as_good(one.left_out, best.left_out)]
    return next((one for one in as_good if _worst(one.pieces, rows) <= _MISSED), as_good[0])


def _candidates(rows: Rows) -> list[Candidate]:
    """Return one of each number of pieces: with powers, which have as many parameters as lines, if that is better."""
    whole = cuts_of(rows)
    if len(rows) <= LEAST_ROWS:
        return [Candidate(whole[0].pieces(1), [])]
    left_out: dict[tuple[int, int], list[float]] = {
        (number, form): [] for form, cuts in enumerate(whole) for number in range(1, len(cuts.steps) + 1)
    }
    for place, (size, time) in enumerate(rows):
        rest = cuts_without(rows, place, whole)
        for number, form in left_out:
            pieces = _trimmed(rest[form].pieces(number), place)
            left_out[number, form].append(time_on(pieces, rows, size) / time - 1)
    return [
        min((Candidate(whole[form].pieces(number), left_out[number, form]) for form in (0, 1)), key=_mean_error)
        for number in range(1, len(whole[0].steps) + 1)
    ]


def _trimmed(pieces: Sequence[Piece], place: int) -> list[Piece]:
    """Return the pieces without a row that nothing is known of: at an edge it belongs to neither side."""
    return [
        piece._replace(first=piece.first + (piece.first == place), last=piece.last - (piece.last == place))
        for piece in pieces
    ]


def _as_good(errors: Sequence[float], best: Sequence[float]) -> bool:
    """Whether the mean error is within one standard error of the best; row by row, as both have the same rows.

    Where one row alone differs, its mean is its standard error: rounding is not what decides.
    """
    excess = [_counted(one) - _counted(other) for one, other in zip(errors, best, strict=True)]
    return mean(excess) <= (1 + 1e-9) * standard_error(excess) + 1e-12


def _mean_error(candidate: Candidate) -> float:
    return mean([_counted(error) for error in candidate.left_out])


def _counted(error: float) -> float:
    return min(abs(error), _LOST)


def _worst(pieces: Sequence[Piece], rows: Rows) -> float:
    return max(abs(time_on(pieces, rows, size) / time - 1) for size, time in rows)
