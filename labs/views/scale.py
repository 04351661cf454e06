"""From values to places on a chart, and the ticks that name them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log10

from labs.model.units import format_quantity

Place = Callable[[float], float]


@dataclass(frozen=True)
class Axis:
    """One axis: where a value stands, in the drawing's units, and the ticks with their labels."""

    low: float
    high: float
    start: float
    end: float
    log: bool
    unit: str

    def place(self, value: float) -> float:
        """Return where the value stands; values outside the axis stand at its ends."""
        value = min(max(value, self.low), self.high)
        if self.log:
            share = log10(value / self.low) / log10(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Return (value, label): powers of ten that are not crowded, or round steps."""
        values = _decades(self.low, self.high) if self.log else _steps(self.low, self.high)
        return [(value, format_quantity(value, self.unit, digits=3)) for value in values]


def _decades(low: float, high: float) -> list[float]:
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    every = 1 if last - first <= 5 else 3 if last - first <= 15 else 6
    return [float(f"1e{exponent}") for exponent in range(first, last + 1) if exponent % every == 0]


def _steps(low: float, high: float, about: int = 5) -> list[float]:
    rough = (high - low) / about
    magnitude = 10.0 ** floor(log10(rough))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= rough * 0.999)
    return [i * step for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def whole_decades(low: float, high: float) -> tuple[float, float]:
    """Return the powers of ten around a positive range."""
    return float(f"1e{floor(log10(low))}"), float(f"1e{ceil(log10(high))}")
