"""What is laid through measured times by least squares of relative errors: a straight line, or a power of size."""

from math import exp, inf, log, sqrt
from typing import NamedTuple

# Two-sided 95 % points of Student's t for 1 to 10 degrees of freedom; beyond them the series is within 0.1 %.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


class Line(NamedTuple):
    """Time = start + slope × size, with the sum of squared relative errors."""

    start: float
    slope: float
    squares: float

    def at(self, size: float) -> float:
        """Return the time of a size."""
        return self.start + self.slope * size


class Power(NamedTuple):
    """Time = factor × size ^ exponent: a straight line of logarithms, with the sum of its squared errors."""

    log_factor: float
    exponent: float
    squares: float

    def at(self, size: float) -> float:
        """Return the time of a size."""
        return exp(self.log_factor + self.exponent * log(size))


class Sums:
    """Weighted means and products of sizes and times, taken up row by row.

    Products are kept about the means: sums of raw squares would lose every digit where sizes run from 8 byte to 8 GB.
    """

    __slots__ = ("mean_size", "mean_time", "size_size", "size_time", "time_time", "weight")

    def __init__(self) -> None:
        self.weight = self.mean_size = self.mean_time = 0.0
        self.size_size = self.size_time = self.time_time = 0.0

    def add(self, size: float, time: float) -> None:
        """Take up one row; the weight makes errors relative."""
        self.add_weighted(size, time, 1.0 / (time * time))

    def add_logarithms(self, size: float, time: float) -> None:
        """Take up one row for a power; errors of logarithms are relative by themselves."""
        self.add_weighted(log(size), log(time), 1.0)

    def add_weighted(self, size: float, time: float, weight: float) -> None:
        """Take up one row, or what stands for it."""
        self.weight += weight
        share = weight / self.weight
        from_size, from_time = size - self.mean_size, time - self.mean_time
        self.mean_size += share * from_size
        self.mean_time += share * from_time
        self.size_size += weight * from_size * (size - self.mean_size)
        self.size_time += weight * from_size * (time - self.mean_time)
        self.time_time += weight * from_time * (time - self.mean_time)

    def line(self) -> Line:
        """Return the best line that does not fall."""
        slope = max(self.size_time / self.size_size, 0.0) if self.size_size > 0 else 0.0
        squares = self.time_time - slope * (2 * self.size_time - slope * self.size_size)
        return Line(start=self.mean_time - slope * self.mean_size, slope=slope, squares=max(squares, 0.0))

    def power(self) -> Power:
        """Return the best power that does not fall, where logarithms were taken up."""
        return Power(*self.line())

    def line_from_zero(self) -> Line:
        """Return the best line without a start."""
        size_size = self.size_size + self.weight * self.mean_size**2
        size_time = self.size_time + self.weight * self.mean_size * self.mean_time
        time_time = self.time_time + self.weight * self.mean_time**2
        slope = size_time / size_size
        return Line(start=0.0, slope=slope, squares=max(time_time - slope * size_time, 0.0))

    def deviations(self, variance: float) -> tuple[float, float]:
        """Return the standard errors of start and slope for a variance of the relative errors."""
        if self.size_size <= 0:
            return inf, inf
        of_slope = variance / self.size_size
        return sqrt(variance / self.weight + self.mean_size**2 * of_slope), sqrt(of_slope)


def student(freedom: int) -> float:
    """Return how many standard errors hold 95 %, on both sides, for so many degrees of freedom.

    >>> student(4), round(student(30), 3), round(student(10**6), 3)
    (2.776, 2.042, 1.96)
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
