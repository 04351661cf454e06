"""Factors: what the grammar of equations multiplies, divides and adds, and how factors stand side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from macros.equations import mathml

type Kind = Literal["number", "quantity", "name", "upright", "group", "call", "function", "big", "root", "dots"]


@dataclass(frozen=True)
class Factor:
    """One factor: its MathML, and what decides whether it may stand beside another."""

    html: str
    kind: Kind
    spaced: bool = False  # space before it
    bare: str | None = None  # the inside of its parentheses, where a fraction or a root may drop them
    argument: bool = False  # a parenthesis that holds names alone, as those of functions do
    letter: str = ""  # a variable without scripts


class Refusal(Exception):
    """The text is no equation that can be read in one way only."""


def side_by_side(factors: Sequence[Factor]) -> str:
    """Return the product of factors that stand beside each other, or refuse where that is no product.

    Space between factors becomes a thin space. Between letters that touch nothing is added, so nothing is claimed.
    """
    parts = [factors[0].html]
    for left, right in pairwise(factors):
        _may_touch(left, right)
        parts += [_between(left, right), right.html]
    return "".join(parts)


def _may_touch(left: Factor, right: Factor) -> None:
    if right.kind in ("number", "quantity") and left.kind != "big":
        raise Refusal  # x 2, and 10 000
    if left.kind == "quantity" or (left.kind == "root" and left.bare is None):
        raise Refusal  # 5 ms n, and √2π
    if "upright" in (left.kind, right.kind) and {left.kind, right.kind} - {"upright", "number", "group"}:
        raise Refusal  # GPU n may be a sentence
    if left.kind == right.kind == "upright":
        raise Refusal


def _between(left: Factor, right: Factor) -> str:
    if "dots" in (left.kind, right.kind) or left.kind == "big":
        return mathml.space() if "dots" in (left.kind, right.kind) else ""
    if left.kind == "name" and right.kind == "group" and not right.spaced:
        return ""  # f(x) or n(n − 1): both are written so
    if left.kind == "name" and right.kind == "name" and not right.spaced:
        return ""
    times = mathml.operator(mathml.TIMES)
    return times + mathml.space() if right.spaced or right.kind == "function" else times


def quotient(factors: Sequence[Factor], below: Factor, *, tight: bool, flat: bool) -> str:
    """Return factors over a factor.

    A slash without space reaches back only as far as factors touch: n M/B is n (M/B). One with space takes all, which
    has the same value. A sum stays outside: ∑ x/n. In scripts the slash stays a slash.

    Args:
        factors: what stands before the slash
        below: what stands behind it
        tight: no space around the slash
        flat: keep the slash
    """
    first = max((at + 1 for at, factor in enumerate(factors) if factor.kind == "big"), default=0)
    if any(factor.kind == "function" for factor in factors) or first == len(factors):
        raise Refusal  # log x / y
    if tight:
        first = max([first, *(at for at, factor in enumerate(factors) if factor.spaced and at > 0)])
    beside = side_by_side(factors)  # refuses for all of them, also where the fraction takes only some
    above = factors[first:]
    inner = above[0].bare if len(above) == 1 else None
    if flat:
        return beside + mathml.operator("/", lspace="0", rspace="0") + below.html
    over = mathml.fraction(mathml.row(inner or side_by_side(above)), mathml.row(below.bare or below.html))
    last = Factor(over, "group", spaced=first > 0 and above[0].spaced)
    return side_by_side([*factors[:first], last])
