"""How far rows lie from a straight line between their neighbours: what scatter alone costs any model."""

from labs.model.measured.pieces import Rows


def between_neighbours(rows: Rows) -> list[float]:
    """Return the error of each row but the outermost, straight from the row before it to the row after it.

    >>> between_neighbours([(1, 1.0), (2, 2.0), (3, 1.0)])
    [-0.5]
    """
    errors = []
    for (low, before), (size, time), (high, after) in zip(rows, rows[1:], rows[2:], strict=False):
        share = (size - low) / (high - low)
        errors.append(((1 - share) * before + share * after) / time - 1)
    return errors
