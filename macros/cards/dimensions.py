"""Dimensions of plain equations: whether their sides and sums fit each other, as far as that is certain.

A sign or a name that is not understood ends the reading without a word: a wrong alarm is worse than none.
"""

from collections.abc import Mapping

from macros.cards.units import NUMBER, Dimension, shown, times
from macros.equations.arithmetic import RELATIONS, Name, Node, Number, Power, Product, Sum, Unclear, parse


class Mismatch(Exception):
    """Two parts of an equation that should have one dimension have two."""

    def __init__(self, one: Dimension, other: Dimension) -> None:
        super().__init__(f"{shown(one)} and {shown(other)}")
        self.one, self.other = one, other


def check_equation(equation: str, symbols: Mapping[str, Dimension]) -> None:
    """Compare the dimensions of the sides and sums of an equation.

    Args:
        equation: Unicode mathematics; several are joined by "; "
        symbols: the dimension of each symbol, by its plain name; of a number that carries a unit, by its text

    Raises:
        Mismatch: two parts that should have one dimension have two
        Unclear: the text is not understood for certain
    """
    for one in equation.split("; "):
        sides = RELATIONS.split(one)
        if len(sides) < 2:
            raise Unclear
        known = [found for side in sides if (found := _dimension(parse(side, symbols), symbols)) is not None]
        for other in known[1:]:
            _expect_same(known[0], other)


def _expect_same(one: Dimension, other: Dimension) -> None:
    if one != other:
        raise Mismatch(one, other)


def _dimension(node: Node, symbols: Mapping[str, Dimension]) -> Dimension | None:
    """Return the dimension; None means that a bare number may hide a unit."""
    match node:
        case Name(name):
            return symbols[name]
        case Number(text):
            return symbols.get(text)
        case Power(base, exponent):
            return _power(base, exponent, symbols)
        case Product(factors):
            return _product(factors, symbols)
        case Sum(terms):
            return _sum(terms, symbols)
    raise Unclear  # functions are left alone


def _sum(terms: tuple[tuple[str, Node], ...], symbols: Mapping[str, Dimension]) -> Dimension | None:
    known = [found for _, term in terms if (found := _dimension(term, symbols)) is not None]
    for other in known[1:]:
        _expect_same(known[0], other)
    return known[0] if known else None


def _product(factors: tuple[tuple[str, Node], ...], symbols: Mapping[str, Dimension]) -> Dimension | None:
    result, has_number, unclear = NUMBER, False, False
    for sign, factor in factors:
        if _is_number(factor, symbols):
            has_number = True
            continue
        found = _dimension(factor, symbols)
        unclear |= found is None
        result = times(result, found or NUMBER, -1 if sign == "/" else 1)
    # 16 N bytes: the number hides bytes for each parameter. 2 (p - 1) α: it does not.
    return None if unclear or (has_number and result == NUMBER) else result


def _is_number(node: Node, symbols: Mapping[str, Dimension]) -> bool:
    base = node.base if isinstance(node, Power) else node
    return isinstance(base, Number) and base.text not in symbols


def _power(base: Node, exponent: Node, symbols: Mapping[str, Dimension]) -> Dimension | None:
    sign = 1
    if isinstance(exponent, Sum) and len(exponent.terms) == 1:
        sign, exponent = -1, exponent.terms[0][1]
    if not isinstance(exponent, Number) or not exponent.text.isdigit() or len(exponent.text) > 2:
        raise Unclear
    found = _dimension(base, symbols)
    return None if found is None else times(NUMBER, found, sign * int(exponent.text))
