"""An equation solved for one of its symbols: turned round where the symbol stands once, and else searched for.

Whatever is found is put back into the equation: it holds, or there is no answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity
from labs.parts.engineering.equation import Tree, count, evaluate
from labs.parts.engineering.formula import formulas_of
from labs.parts.engineering.search import LARGEST, agree, meeting, search, value_in

SAME = 1e-9  # relative: the sides of an equation that holds differ by no more
WIDE = 1e-4  # relative: a range of values is no longer one value
BESIDE = (0.999, 1.001)  # where these can't be told from a value but for rounding, it is not known well enough
DIGITS = (5, 7, 9, 12, 15, 17)


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a symbol, and how sure it is.

    Attributes:
        value: the value
        formula: what the symbol is in terms of the others, or None where it was searched for
        alone: whether no other value fits, as far as symbols are not negative; else that is not known
        slack: where the value is 0, up to what another one makes no difference either
    """

    value: float
    formula: Tree | None
    alone: bool = True
    slack: float = 0.0


def solve(sides: Sequence[Tree], name: str, values: Mapping[str, float], unit: str = "1") -> Solution:
    """Return the value of a symbol that makes the sides equal.

    Args:
        sides: the sides of the equation
        name: the symbol
        values: those of the other symbols
        unit: the symbol's base unit, for the words of a refusal

    Raises:
        ModelError: no value was found, or several were
    """
    formulas = formulas_of(sides, name)
    found = _turned(formulas, sides, name, values, unit) if formulas else _searched(sides, name, values, unit)
    if found.value and (
        holds(sides, {**values, name: 2 * found.value})
        or any(agree(sides, {**values, name: factor * found.value}) for factor in BESIDE)
    ):
        raise ModelError("beside the other terms it makes no difference, so that many values fit")
    return found


def holds(sides: Sequence[Tree], values: Mapping[str, float]) -> bool:
    """Return whether the sides are equal, to what floats lose on the way."""
    try:
        found = [evaluate(side, values) for side in sides]
    except ModelError:
        return False
    if max(found) - min(found) <= SAME * max(map(abs, found)):
        return True
    return agree(sides, values)


def apart(values: Iterable[float], unit: str) -> list[str]:
    """Return values as texts, with the digits that tell them apart.

    >>> apart([9.99999, 10.00001], "s"), apart([2, 4], "s")
    (['9.99999 s', '10.00001 s'], ['2 s', '4 s'])
    """
    different = len({*values})
    texts = ([format_quantity(value, unit, digits) for value in values] for digits in DIGITS)
    return next(text for text in texts if len({*text}) == different)


def _turned(
    formulas: Sequence[Tree], sides: Sequence[Tree], name: str, values: Mapping[str, float], unit: str
) -> Solution:  # fmt: skip
    """Return the value of the one formula that fits; one below zero counts only where no other does."""
    fitting: dict[float, Tree] = {}
    for formula in formulas:
        try:
            value = evaluate(formula, values) + 0.0  # no -0
        except ModelError:
            continue
        if holds(sides, {**values, name: value}):
            fitting.setdefault(value, formula)
    if not fitting:
        evaluate(formulas[0], values)  # says what is not defined
        raise ModelError("put back into the equation, what comes out does not fit it")
    likely = [value for value in fitting if value >= 0] or list(fitting)
    if len(likely) > 1:
        raise _several(sorted(likely), unit)
    (value,) = likely
    slack = 0.0 if value else _slack(sides, name, values)
    if slack >= LARGEST:
        raise ModelError("beside the other terms it makes no difference, so that many values fit")
    return Solution(value, fitting[value], slack=slack)


def _slack(sides: Sequence[Tree], name: str, values: Mapping[str, float]) -> float:
    """Return the largest power of ten that fits where 0 does."""
    slack, power = 0.0, -30
    while slack < LARGEST and holds(sides, {**values, name: 10.0**power}):
        slack, power = 10.0**power, power + 1
    return slack


def _searched(sides: Sequence[Tree], name: str, values: Mapping[str, float], unit: str) -> Solution:
    left, right = next(pair for pair in combinations(sides, 2) if any(count(side, name) for side in pair))
    asked = meeting(left, right, name, values)
    found = search(asked)

    def all_hold(low: float, high: float) -> bool:
        inside = (low, high) if _is_wide(low, high) else (value_in(asked, low, high),)
        return all(holds(sides, {**values, name: x}) for x in inside)

    ranges = [one for one in found.ranges if len(sides) == 2 or all_hold(*one)]
    # A third side may hold somewhere inside a range whose ends it excludes.
    settled = found.settled and not any(_is_wide(*one) for one in found.ranges if one not in ranges)
    if not ranges and settled:
        raise ModelError(f"no value from 0 to {format_quantity(LARGEST, unit)} fits")
    if not ranges:
        raise ModelError(f"none was found from 0 to {format_quantity(LARGEST, unit)}, and one may still fit")
    for low, high in ranges:
        if _is_wide(low, high):
            raise ModelError(f"many values fit, between {' and '.join(apart((low, high), unit))}")
    fitting = [value_in(asked, *one) for one in ranges]
    if len(fitting) > 1:
        raise _several(fitting, unit)
    return Solution(fitting[0], None, alone=settled)


def _is_wide(low: float, high: float) -> bool:
    return high - low > WIDE * high


def _several(values: Sequence[float], unit: str) -> ModelError:
    some = ", ".join(apart(values[:3], unit))
    return ModelError(f"{'many' if len(values) > 3 else 'several'} values fit, among them {some}")
