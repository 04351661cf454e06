"""What each input does to a calculator's result: halved, doubled, and as a curve."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite

from labs.model.quantities.units import format_quantity
from labs.parts.engineering.asked import Asked, lower
from labs.parts.engineering.definition import Symbol
from labs.parts.engineering.formula import formulas_of

BY_TEN = tuple(10 ** (step / 10) for step in range(-20, 21))
BY_TWO = tuple(2.0**step for step in range(-7, 8))


@dataclass(frozen=True)
class Change:
    """An input, and the result with half and twice of it, None where there is none."""

    symbol: Symbol
    half: float | None
    twice: float | None


def tried(asked: Asked) -> list[Change]:
    """Return what halving and doubling each input gives."""
    return [
        Change(one, *(asked.value({one.name: factor * asked.numbers[one.name]}) for factor in (0.5, 2)))
        for one in asked.inputs
    ]


def table(asked: Asked, value: float, changes: Sequence[Change]) -> dict[str, object]:
    """Return the changes as a table."""
    unit = asked.symbol.unit
    return {
        "id": "changes",
        "caption": f"{asked.symbol.symbol} with one input halved or doubled",
        "columns": [{"label": "Input"}, {"label": "As set"}, {"label": "Halved", "unit": unit},
                    {"label": "Doubled", "unit": unit}, {"label": "Doubled, over as set", "unit": "1"}],
        "rows": [
            [
                f"{change.symbol.symbol}, {lower(asked.label(change.symbol))}",
                format_quantity(asked.numbers[change.symbol.name], change.symbol.unit),
                change.half,
                change.twice,
                _finite_ratio(change.twice, value),
            ]
            for change in changes
        ],
    }


def _finite_ratio(above: float | None, below: float) -> float | None:
    ratio = above / below if below and above is not None else None
    return ratio if ratio is not None and isfinite(ratio) else None


def curve(asked: Asked, value: float, changes: Sequence[Change]) -> list[dict[str, object]]:
    """Return the result against the input that moves it most, from a hundredth of what is set to a hundred times."""
    told = _most_telling(asked, value, changes)
    if told is None:
        return []
    result, number = asked.symbol, asked.numbers[told.name]
    points = _points(asked, told, value)
    if value > 0 and not result.may_be_negative:
        points = [(x, y) for x, y in points if y > 0]
    if len(points) < 3:
        return []
    base = {"base": 2} if told.counts else {}
    scale = "log" if min(y for _, y in points) > 0 else "linear"
    return [{
        "kind": "lines",
        "id": "result",
        "title": f"{result.symbol} against {told.symbol}",
        "x": {"label": asked.label(told), "symbol": told.symbol, "unit": told.unit, "scale": "log", **base},
        "y": {"label": asked.label(result), "symbol": result.symbol, "unit": result.unit, "scale": scale},
        "lines": [{"name": result.name, "label": result.symbol, "points": points}],
        "point": {"x": number, "y": value},
    }]


def _points(asked: Asked, told: Symbol, value: float) -> list[tuple[float, float]]:
    """Return the curve; where results would have to be searched for, the inputs that give them are computed."""
    number = asked.numbers[told.name]
    if formulas_of(asked.definition.sides, asked.name):
        steps = [number * factor for factor in (BY_TWO if told.counts else BY_TEN)]
        found = [(x, asked.value({told.name: x})) for x in steps if x >= told.counts]
        return [(x, y) for x, y in found if y is not None]
    turned = replace(asked, name=told.name, numbers={**asked.numbers, asked.name: value})
    if value <= 0 or not formulas_of(asked.definition.sides, told.name):
        return []
    inputs = [(turned.value({asked.name: value * factor}), value * factor) for factor in BY_TEN]
    points = [(x, y) for x, y in inputs if x is not None and number / 100 <= x <= number * 100]
    points.sort()
    rises = [one[1] < other[1] for one, other in pairwise(points)]
    return points if len(set(rises)) == 1 else []  # else one input has several results


def _most_telling(asked: Asked, value: float, changes: Sequence[Change]) -> Symbol | None:
    """Return the input whose half or double moves the result most; of equals the first."""
    best: tuple[float, Symbol | None] = (0.0, None)
    for change in changes:
        moves = [abs(other - value) for other in (change.half, change.twice) if other is not None]
        if asked.numbers[change.symbol.name] > 0 and moves:
            moved = max(moves)
            if moved > best[0] * (1 + 1e-6):
                best = (moved, change.symbol)
    return best[1]
