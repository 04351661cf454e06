"""Averages. The standard library's statistics would do, but to import it takes as long as the whole model."""

from collections.abc import Iterable, Sequence
from math import fsum, sqrt


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean.

    >>> mean((1, 2, 6))
    3.0
    """
    return fsum(values) / len(values)


def median(values: Iterable[float]) -> float:
    """Return the middle value, or the mean of the two in the middle.

    >>> median((5, 1, 2)), median((4, 1, 2, 8))
    (2, 3.0)
    """
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean; two values or more.

    >>> standard_error((1, 3))
    1.0
    """
    centre = mean(values)
    return sqrt(fsum((value - centre) ** 2 for value in values) / (len(values) - 1) / len(values))
