"""From values to places on a chart, and the ticks that name them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any

from labs.model.quantities.units import convert
from labs.views.drawing import LINE, width_of
from labs.views.text import quantity

Tick = tuple[float, str]  # value, label

MOST = 9  # labels on one axis; more is a ruler
MARK = 2.2  # between two marks without a name
LEAST, MOST_OF_ALL = 1e-300, 1e308  # what lies beyond, arithmetic can no longer divide into ticks
MANY = 1e6  # plain numbers from here on are named by their power of ten
SLACK = 1e-9  # a power of ten that arithmetic missed by a hair is still one


@dataclass(frozen=True)
class Axis:
    """One axis: where a value stands, in the drawing's units, and the ticks with their labels.

    `base` is that of a log axis: counts that double read best in powers of two. `margin` is how far a label
    of a lying axis may reach beyond its ends.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool
    unit: str
    base: int = 10
    upright: bool = False
    margin: float = 14.0

    @cached_property
    def place(self) -> Callable[[float], float]:
        """A function that gives the place of a value; values outside the axis stand at its ends."""
        low, high, start, log = self.low, self.high, self.start, self.log
        (first, length), reach = self._span, self.end - self.start

        def place(value: float) -> float:
            value = low if value < low else high if value > high else value
            return start + ((log10(value) if log else value / 2) - first) / length * reach

        return place

    @cached_property
    def _span(self) -> tuple[float, float]:
        """Where the axis begins and how long it is: in decades, or in halves, since a float may not hold the whole."""
        low, high = (log10(self.low), log10(self.high)) if self.log else (self.low / 2, self.high / 2)
        return low, high - low

    def middle(self, value: float, label: str) -> float:
        """Return where the middle of a tick's label stands; it does not leave the picture with its value."""
        at = self.place(value)
        if self.upright:
            return at
        half = width_of(label) / 2
        return max(self.start - self.margin + half, min(at, self.end + self.margin - half))

    @cached_property
    def ticks(self) -> list[Tick]:
        """The values that are named: the finest round ones whose names do not touch."""
        for values in self._candidates():
            if len(values) <= MOST:
                named = self._named(values)
                if self._apart(named):
                    return named
        return []

    def minor(self) -> list[float]:
        """Return the round values between the ticks that have room for a mark of their own."""
        if not self.log:
            return []
        named = {value for value, _ in self.ticks}
        room = abs(self.end - self.start) / self._span[1] * log10(self.base)  # of a power
        if room * log10(10 / 9) >= MARK and self.base == 10:
            values = self._powers(1, range(1, 10))
        else:
            values = self._powers(1) if room >= MARK else []
        return [value for value in values if value not in named]

    @property
    def named_unit(self) -> str:
        """Return the unit that a linear axis has beside its name, since it is the same for all ticks."""
        return "" if self.log or self.unit == "1" else _unit_of(self._top, self.unit)

    @property
    def _top(self) -> float:
        return max(abs(self.low), abs(self.high))

    def _candidates(self) -> Iterator[list[float]]:
        """Yield sets of round values, finest first."""
        if self.log:
            if self.base == 10:
                yield from (values for values in [self._powers(1, (1, 2, 5))] if len(values) > 1)
            # Of decimal powers those whose units differ; where there is one alone, each other decade.
            for every in (1, 2, 3, 6, 9, 12, 24, 48, 96) if self.base != 10 else (1, 3, 2, 6, 9, 12, 24, 48, 96):
                firsts = (0, 1) if every == 2 and self.base == 10 else (0,)
                values = max((self._powers(every, first=first) for first in firsts), key=len)
                if len(values) > 1:
                    yield values
        for about in (8, 5, 4, 3, 2, 1):
            yield [value for value in _steps(self.low, self.high, about) if value > 0 or not self.log]

    def _powers(self, every: int, within: Iterable[int] = (1,), *, first: int = 0) -> list[float]:
        root = log10(self.base)
        least, most = floor(log10(self.low) / root - SLACK), ceil(log10(self.high) / root + SLACK)
        values = [
            _power(self.base, exponent, step)
            for exponent in range(least, most + 1)
            if exponent % every == first
            for step in within
        ]
        return [value for value in values if self.low * (1 - SLACK) <= value <= self.high * (1 + SLACK)]

    def _named(self, values: list[float]) -> list[Tick]:
        if self.unit == "1":
            return [(value, _count(value, 3 if self.log else 6)) for value in values]
        if self.log:
            return [(value, quantity(value, self.unit, 3)) for value in values]
        name = _unit_of(self._top, self.unit)
        return [(value, f"{convert(value, self.unit, name) + 0.0:.6g}") for value in values]

    def _apart(self, ticks: list[Tick]) -> bool:
        """Return whether each label fits, and keeps clear of the next."""
        room = abs(self.end - self.start) + 2 * self.margin
        if not self.upright and any(width_of(label) > room for _, label in ticks):
            return False
        for (a, one), (b, other) in pairwise(ticks):
            needed = LINE if self.upright else (width_of(one) + width_of(other)) / 2 + 10
            if abs(self.middle(b, other) - self.middle(a, one)) < needed:
                return False
        return True


def _power(base: int, exponent: int, step: int) -> float:
    return float(f"{step}e{exponent}") if base == 10 else step * float(base) ** exponent


def _count(value: float, digits: int) -> str:
    """Return a plain number; a round one of many digits by its power of ten.

    >>> _count(500_000_000_000, 3), _count(1_048_576, 3), _count(65_536, 3)
    ('5e11', '1048576', '65536')
    """
    factor, _, power = f"{value:e}".partition("e")
    short = f"{float(factor):g}e{int(power)}"
    return short if abs(value) >= MANY and float(short) == value and len(short) <= 5 else quantity(value, "1", digits)


def _unit_of(value: float, unit: str) -> str:
    """Return the unit that a value is best written in; the base unit where none fits."""
    number, name = quantity(value, unit, 3).split(" ")
    return unit if "e" in number else name


def _steps(low: float, high: float, about: int) -> list[float]:
    """Return round values from low to high, about so many."""
    rough = (high / 2 - low / 2) / about * 2
    magnitude = 10.0 ** floor(log10(rough))
    step = next(m * magnitude for m in (1, 2, 5, 10, 20) if m * magnitude >= rough * 0.999)
    return [i * step for i in range(ceil(low / step - SLACK), floor(high / step + SLACK) + 1)]


def whole_decades(low: float, high: float) -> tuple[float, float]:
    """Return the powers of ten around a positive range, one decade at least."""
    first, last = floor(log10(low) + SLACK), ceil(log10(high) - SLACK)
    return float(f"1e{min(first, 307)}"), float(f"1e{min(max(last, first + 1), 308)}")


def with_room(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a linear axis from low to high; around a single value there is room on both sides."""
    if high / 2 - low / 2 >= max(LEAST, SLACK * abs(low)):
        return low, high
    room = abs(low) / 2 if abs(low) >= LEAST else 0.5
    return low - room, high + room


def from_zero(values: Iterable[float]) -> tuple[float, float]:
    """Return the ends of a linear axis that holds the values and zero, the far end a round one."""
    values = list(values)
    low, high = (end if abs(end) >= LEAST else 0.0 for end in (min(0.0, 0.0, *values), max(0.0, 0.0, *values)))
    if low == high:
        return 0.0, 1.0
    first, second, *_ = _steps(low, high, 5)
    step = second - first
    return floor(low / step + SLACK) * step, min(ceil(high / step - SLACK) * step, MOST_OF_ALL)


def title_of(spec: Mapping[str, Any], axis: Axis) -> str:
    """Return an axis's name with its symbol, and its unit where that is not with each tick."""
    unit = f"({axis.named_unit})" if axis.named_unit else ""
    return " ".join(filter(None, (spec["label"], spec.get("symbol", ""), unit)))
