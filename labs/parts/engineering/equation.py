"""A side of an equation as a tree of numbers, symbols and operations: read from JSON, evaluated, its dimension.

In JSON a number is itself, a symbol is its name, and an operation is a list with its sign first:

    ["*", 2, ["-", "p", 1], ["+", "alpha", ["/", "M", ["*", "p", "B"]]]]

A number that carries a unit is ["number", 34, "byte"]. Nothing here is ever run as code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, isfinite, log, log2, log10, prod, sqrt
from typing import Any

from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.units import KINDS

type Tree = Number | Name | Operation
type Dimension = tuple[tuple[str, float], ...]  # (("byte", 1), ("s", -1)), sorted; () for a plain number

DEEPEST, MOST = 24, 200  # operations inside each other, and parts of one side: no equation for people has more
PLAIN: Dimension = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number, in a base unit."""

    value: float
    unit: str = "1"


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on parts."""

    sign: str
    parts: tuple[Tree, ...]


def _difference(first: float, *rest: float) -> float:
    return first - rest[0] if rest else -first


# The sign of each operation: what it does, and how many parts it takes at least and at most.
OPERATIONS: Mapping[str, tuple[Callable[..., float], int, int]] = {
    "+": (lambda *terms: sum(terms), 2, MOST),
    "-": (_difference, 1, 2),
    "*": (lambda *factors: prod(factors), 2, MOST),
    "/": (lambda above, below: above / below, 2, 2),
    "^": (lambda base, exponent: base**exponent, 2, 2),
    "min": (min, 2, MOST),
    "max": (max, 2, MOST),
    "sqrt": (sqrt, 1, 1),
    "ln": (log, 1, 1),
    "log2": (log2, 1, 1),
    "log10": (log10, 1, 1),
    "exp": (exp, 1, 1),
    "ceil": (ceil, 1, 1),
    "floor": (floor, 1, 1),
}
ALIKE = frozenset({"+", "-", "min", "max"})  # their parts are of one kind
OF_NUMBERS = frozenset({"ln", "log2", "log10", "exp", "ceil", "floor"})


def from_json(data: object) -> Tree:
    """Return the tree that JSON data hold.

    Raises:
        ModelError: the data are no tree, or one too deep or too large
    """
    left = MOST

    def read(part: object, depth: int) -> Tree:
        nonlocal left
        left -= 1
        if depth > DEEPEST or left < 0:
            raise ModelError(f"expected at most {DEEPEST} operations inside each other and {MOST} parts, found more")
        if isinstance(part, str):
            return Name(part)
        if not isinstance(part, list):
            return Number(_number(part))
        sign, *parts = part or [None]
        if sign == "number" and len(parts) == 2 and parts[1] in KINDS:
            return Number(_number(parts[0]), parts[1])
        if not isinstance(sign, str) or sign not in OPERATIONS:
            raise ModelError(f"expected one of the operations {' '.join(OPERATIONS)}, found {shown(sign)}")
        _, least, most = OPERATIONS[sign]
        if not least <= len(parts) <= most:
            raise ModelError(f"expected {least} parts of {sign} or more, as it takes, found {len(parts)}")
        return Operation(sign, tuple(read(one, depth + 1) for one in parts))

    return read(data, 0)


def to_json(tree: Tree) -> Any:
    """Return the tree as JSON data."""
    match tree:
        case Number(value, unit):
            plain = int(value) if value.is_integer() and abs(value) < 1e15 else value
            return plain if unit == "1" else ["number", plain, unit]
        case Name(name):
            return name
        case Operation(sign, parts):
            return [sign, *map(to_json, parts)]


def count(tree: Tree, name: str) -> int:
    """Return how often a symbol occurs."""
    if isinstance(tree, Operation):
        return sum(count(part, name) for part in tree.parts)
    return int(isinstance(tree, Name) and tree.name == name)


def names_in(tree: Tree) -> frozenset[str]:
    """Return the symbols of a tree."""
    if isinstance(tree, Operation):
        return frozenset().union(*map(names_in, tree.parts))
    return frozenset({tree.name} if isinstance(tree, Name) else ())


def evaluate(tree: Tree, values: Mapping[str, float]) -> float:
    """Return what a tree comes to.

    Raises:
        ModelError: it is not defined for these values, or too large

    >>> evaluate(from_json(["/", "M", "B"]), {"M": 1e9, "B": 1e11})
    0.01
    """
    try:
        value = _value(tree, values)
    except ZeroDivisionError:
        raise ModelError("it would be divided by 0") from None
    except OverflowError:
        raise ModelError("it would be larger than 1.8e+308") from None
    except (ValueError, TypeError):  # TypeError: a power that is no real number, in a comparison
        raise ModelError("a root, a power or a logarithm in it is not defined") from None
    if isinstance(value, complex) or value != value:
        raise ModelError("a root, a power or a logarithm in it is not defined")
    if not isfinite(value):
        raise ModelError("it would be larger than 1.8e+308")
    return float(value)


def _value(tree: Tree, values: Mapping[str, float]) -> float:
    if isinstance(tree, Operation):
        return OPERATIONS[tree.sign][0](*[_value(part, values) for part in tree.parts])
    return values[tree.name] if isinstance(tree, Name) else tree.value


def dimension(tree: Tree, units: Mapping[str, str]) -> Dimension:
    """Return the dimension of a tree.

    Args:
        tree: one side of an equation
        units: the base unit of each symbol

    Raises:
        ModelError: quantities of two kinds are added or compared, or one that is no plain number stands where only a
            plain number can
    """
    match tree:
        case Number(unit=unit):
            return of_unit(unit)
        case Name(name):
            return of_unit(units[name])
        case Operation("^", (base, exponent)):
            return _power(dimension(base, units), exponent, units)
        case Operation(sign, parts):
            found = [dimension(part, units) for part in parts if sign not in ALIKE or not is_zero(part)]
            return _combined(sign, found) if found else PLAIN


def is_zero(tree: Tree) -> bool:
    """Return whether a tree is a bare 0, which is one of every kind: 0 s and 0 byte alike."""
    return tree == Number(0.0)


def of_unit(unit: str) -> Dimension:
    """Return the dimension of a base unit.

    >>> of_unit("byte/s"), of_unit("1")
    ((('byte', 1), ('s', -1)), ())
    """
    above, _, below = unit.partition("/")
    return _times(((above, 1),) if above != "1" else (), ((below, 1),) if below else (), -1)


def unit_of(found: Dimension) -> str | None:
    """Return the base unit of a dimension, or None where quantities of that kind have no unit here."""
    return next((unit for unit in KINDS if of_unit(unit) == found), None)


def said(found: Dimension) -> str:
    """Return a dimension in words.

    >>> said(of_unit("byte/s")), said((("byte", 2),))
    ('a bandwidth in byte/s', 'a quantity in byte^2')
    """
    unit = unit_of(found)
    if unit:
        return KINDS[unit].phrase if unit == "1" else f"{KINDS[unit].phrase} in {unit}"
    return "a quantity in " + " ".join(base if power == 1 else f"{base}^{power:g}" for base, power in found)


def _number(data: object) -> float:
    if isinstance(data, bool) or not isinstance(data, (int, float)) or not abs(data) < 1e300:
        raise ModelError(f"expected a number, a symbol or an operation, found {shown(data)}")
    return float(data)


def _times(one: Dimension, other: Dimension, power: float = 1) -> Dimension:
    sums = dict(one)
    for base, exponent in other:
        sums[base] = sums.get(base, 0) + power * exponent
    return tuple(sorted((base, exponent) for base, exponent in sums.items() if exponent))


def _power(base: Dimension, exponent: Tree, units: Mapping[str, str]) -> Dimension:
    if dimension(exponent, units) != PLAIN:
        raise ModelError("expected an exponent that is a plain number")
    if base == PLAIN:
        return PLAIN
    if names_in(exponent):
        raise ModelError("expected an exponent without symbols above a quantity with a unit")
    return _times(PLAIN, base, evaluate(exponent, {}))


def _combined(sign: str, parts: Sequence[Dimension]) -> Dimension:
    if sign == "*":
        result = PLAIN
        for part in parts:
            result = _times(result, part)
        return result
    if sign == "/":
        return _times(parts[0], parts[1], -1)
    if sign == "sqrt":
        return _times(PLAIN, parts[0], 0.5)
    if sign in OF_NUMBERS and parts[0] != PLAIN:
        raise ModelError(f"expected a plain number under {sign}, found {said(parts[0])}")
    for other in parts[1:]:
        if other != parts[0]:
            raise ModelError(f"expected quantities of one kind around {sign}, found {said(parts[0])} and {said(other)}")
    return parts[0]
