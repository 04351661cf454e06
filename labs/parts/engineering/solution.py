"""An equation solved for one of its symbols: turned round where the symbol stands once, and else searched for.

Whatever is found is put back into the equation: it holds, or there is no answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity
from labs.parts.engineering.equation import Number, Operation, Tree, count, evaluate

type Gap = Callable[[float], float | None]  # between two sides, or None where one is not defined

SAME = 1e-9  # relative: the sides of an equation that holds differ by no more
# Where a symbol that can't be isolated is searched for: from 1e-15 to 1e21, four steps a decade.
SEARCHED = tuple(float(f"{10 ** (quarter / 4):.15g}") for quarter in range(-60, 85))


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a symbol, and what it is in terms of the others, or None where it was searched for."""

    value: float
    formula: Tree | None


def formula_of(sides: Sequence[Tree], name: str) -> Tree | None:
    """Return what a symbol is in terms of the others, or None where no two sides hold it exactly once.

    Of an even power only the positive root is taken: what the symbols stand for is not negative.
    """
    for left, right in combinations(sides, 2):
        if count(left, name) + count(right, name) == 1:
            holding, other = (left, right) if count(left, name) else (right, left)
            if (found := _isolated(holding, other, name)) is not None:
                return found
    return None


def solve(sides: Sequence[Tree], name: str, values: Mapping[str, float], unit: str = "1") -> Solution:
    """Return the value of a symbol that makes the sides equal.

    Args:
        sides: the sides of the equation
        name: the symbol
        values: those of the other symbols
        unit: the symbol's base unit, for the words of a refusal

    Raises:
        ModelError: no value does, or several do
    """
    formula = formula_of(sides, name)
    value = _searched(sides, name, values, unit) if formula is None else evaluate(formula, values)
    if not holds(sides, {**values, name: value}):
        raise ModelError("put back into the equation, what comes out does not fit it")
    if value and holds(sides, {**values, name: 2 * value}):
        raise ModelError("beside the other terms it makes no difference, so that many values fit")
    return Solution(value, formula)


def holds(sides: Sequence[Tree], values: Mapping[str, float]) -> bool:
    """Return whether the sides are equal, to what floats lose on the way."""
    try:
        found = [evaluate(side, values) for side in sides]
    except ModelError:
        return False
    return max(found) - min(found) <= SAME * max(map(abs, found))


def _isolated(side: Tree, value: Tree, name: str) -> Tree | None:
    """Return the value that the symbol has where the side has this one: each step undoes the outermost operation."""
    while isinstance(side, Operation):
        at = next(i for i, part in enumerate(side.parts) if count(part, name))
        others = side.parts[:at] + side.parts[at + 1 :]
        undone = _undone(side.sign, at, others, value)
        if undone is None:
            return None
        side, value = side.parts[at], undone
    return value


def _undone(sign: str, at: int, others: tuple[Tree, ...], value: Tree) -> Tree | None:
    match sign, at:
        case "+", _:
            return Operation("-", (value, _joined("+", others)))
        case "-", 0:
            return _joined("+", (value, *others)) if others else Operation("-", (value,))
        case "-", _:
            return Operation("-", (others[0], value))
        case "*", _:
            return _quotient(value, _joined("*", others))
        case "/", 0:
            return _joined("*", (value, *others))
        case "/", _:
            return _quotient(others[0], value)
        case "^", 0:
            return Operation("^", (value, Operation("/", (Number(1), others[0]))))
        case "^", _:
            return Operation("/", (Operation("ln", (value,)), Operation("ln", others)))
        case "sqrt", _:
            return Operation("^", (value, Number(2)))
        case "ln", _:
            return Operation("exp", (value,))
        case "exp", _:
            return Operation("ln", (value,))
        case ("log2" | "log10"), _:
            return Operation("^", (Number(float(sign.removeprefix("log"))), value))
    return None  # many values have the same minimum, and the same whole part


def _quotient(above: Tree, below: Tree) -> Tree:
    """Return a quotient, as one where the upper part is one already."""
    if isinstance(above, Operation) and above.sign == "/":
        return Operation("/", (above.parts[0], _joined("*", (above.parts[1], below))))
    return Operation("/", (above, below))


def _joined(sign: str, parts: tuple[Tree, ...]) -> Tree:
    """Return a sum or a product, without brackets around one of its own kind."""
    flat = [
        inner
        for part in parts
        for inner in (part.parts if isinstance(part, Operation) and part.sign == sign else (part,))
    ]
    return flat[0] if len(flat) == 1 else Operation(sign, tuple(flat))


def _searched(sides: Sequence[Tree], name: str, values: Mapping[str, float], unit: str) -> float:
    left, right = next(pair for pair in combinations(sides, 2) if any(count(side, name) for side in pair))

    def gap(x: float) -> float | None:
        try:
            return evaluate(left, {**values, name: x}) - evaluate(right, {**values, name: x})
        except ModelError:
            return None

    found: list[float] = []
    steps = [(x, gap(x)) for x in SEARCHED]
    for (low, below), (high, above) in pairwise(steps):
        if below == 0:
            found.append(low)
        elif below is not None and above is not None and (below < 0 < above or above < 0 < below):
            found.append(_narrowed(gap, low, high, rising=below < 0))
    rounded = (_rounded(gap, x) for x in found)
    fitting = [x for x in rounded if holds(sides, {**values, name: x})]  # a pole changes sign as well
    if not fitting:
        least, most = (format_quantity(end, unit) for end in (SEARCHED[0], SEARCHED[-1]))
        raise ModelError(f"no value from {least} to {most} fits")
    level = any(gap(near) == 0 for x in fitting for near in (x * (1 - 1e-6), x * (1 + 1e-6)))
    if len(fitting) == 1 and level:
        raise ModelError(f"many values around {format_quantity(fitting[0], unit)} fit")
    if len(fitting) > 1:
        some = ", ".join(format_quantity(x, unit) for x in fitting[:3])
        raise ModelError(f"{'many' if len(fitting) > 3 else 'several'} values fit, among them {some}")
    return fitting[0]


def _narrowed(gap: Gap, low: float, high: float, *, rising: bool) -> float:
    for _ in range(100):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        here = gap(middle)
        if here is None:
            break
        if (here < 0) == rising and here != 0:
            low = middle
        else:
            high = middle
    return high


def _rounded(gap: Gap, x: float) -> float:
    """Return the number of 12 digits beside x where it fits as well: 32 and not 31.999999999999996."""
    short = float(f"{x:.12g}")
    here, there = gap(x), gap(short)
    return short if here is not None and there is not None and abs(there) <= 8 * abs(here) else x
