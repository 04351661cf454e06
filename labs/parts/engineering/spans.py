"""What an expression comes to while one symbol runs through a range: bounds that hold everywhere in it.

A span has the bounds of a value and those of its slope. Bounds may be too wide and never too narrow, so that what lies
outside of them is impossible. A slope without bounds marks a pole, a jump, or a place where something is not defined.

Moore, Kearfott and Cloud, Introduction to Interval Analysis (2009), chapters 5 and 6.
"""

from collections.abc import Callable, Mapping
from math import ceil, exp, floor, inf, isinf, isnan, log, log2, log10, sqrt

from labs.parts.engineering.equation import Name, Operation, Tree

type Span = tuple[float, float, float, float]  # the least and the most of the value, and of its slope
type Bounds = tuple[float, float]

ANY: Bounds = (-inf, inf)
UNKNOWN: Span = (*ANY, *ANY)


class Nowhere(Exception):
    """The expression is not defined anywhere in the range."""


def span(tree: Tree, spans: Mapping[str, Span], rounding: float = 0.0) -> Span:
    """Return the span of a tree, from those of its symbols.

    Args:
        tree: one side of an equation
        spans: those of its symbols
        rounding: how much of its value, at most, each operation loses

    Raises:
        Nowhere: it is not defined anywhere there

    >>> span(Operation("*", (Name("x"), Name("x"))), {"x": (2, 3, 1, 1)})
    (4, 9, 4, 6)
    """
    if isinstance(tree, Operation):
        found = SPANS[tree.sign](*[span(part, spans, rounding) for part in tree.parts])
        return rounded(found, rounding) if rounding else found
    return spans[tree.name] if isinstance(tree, Name) else (tree.value, tree.value, 0.0, 0.0)


def rounded(found: Span, rounding: float) -> Span:
    """Return a span whose value may be off by a part of itself."""
    least, most, falls, rises = found
    return least - abs(least) * rounding, most + abs(most) * rounding, falls, rises


def is_smooth(found: Span) -> bool:
    """Return whether the value is defined everywhere in the range, without a jump."""
    return found[2] > -inf and found[3] < inf


def _bounds(least: float, most: float) -> Bounds:
    """Return bounds; where infinities cancelled each other, nothing is known."""
    return -inf if least != least else least, inf if most != most else most


def _product(one: float, other: float) -> float:
    return one * other if one and other else 0.0  # an infinite bound is never reached


def _multiplied(a: float, b: float, c: float, d: float) -> Bounds:
    if a >= 0 and c >= 0:
        return _product(a, c), _product(b, d)
    corners = (_product(a, c), _product(a, d), _product(b, c), _product(b, d))
    return min(corners), max(corners)


def _scaled(least: float, most: float, falls: float, rises: float) -> Bounds:
    """Return the bounds of values times slopes; a slope without bounds stays so, also times 0."""
    return _multiplied(least, most, falls, rises) if falls > -inf and rises < inf else ANY


def _divided(a: float, b: float, c: float, d: float) -> Bounds:
    """Return the bounds of quotients; 0 is at most an end of what is below."""
    corners = [_quotient(above, below, towards=1 if c >= 0 else -1) for above in (a, b) for below in (c, d)]
    return min(corners), max(corners)


def _quotient(above: float, below: float, *, towards: int) -> float:
    if not above or isinf(below):
        return 0.0
    return above / below if below else towards * (inf if above > 0 else -inf)


def _sum(*terms: Span) -> Span:
    least, most, falls, rises = map(sum, zip(*terms, strict=True))
    return (*_bounds(least, most), *_bounds(falls, rises))


def _difference(first: Span, *rest: Span) -> Span:
    if not rest:
        a, b, falls, rises = first
        return -b, -a, -rises, -falls
    return _sum(first, _difference(rest[0]))


def _times(first: Span, *rest: Span) -> Span:
    for other in rest:
        a, b, falls, rises = first
        c, d, other_falls, other_rises = other
        one, two = _scaled(a, b, other_falls, other_rises), _scaled(c, d, falls, rises)
        first = (*_multiplied(a, b, c, d), *_bounds(one[0] + two[0], one[1] + two[1]))
    return first


def _over(above: Span, below: Span) -> Span:
    a, b, falls, rises = above
    c, d, below_falls, below_rises = below
    if c == d == 0:
        raise Nowhere
    if c < 0 < d:
        return UNKNOWN
    least, most = _divided(a, b, c, d)
    if not c or not d:
        return least, most, *ANY
    less, more = _scaled(least, most, below_falls, below_rises)
    return least, most, *_divided(*_bounds(falls - more, rises - less), c, d)


def _raised(base: float, exponent: float) -> float:
    try:
        return float(base**exponent)
    except OverflowError:
        return -inf if base < 0 and exponent % 2 else inf
    except ZeroDivisionError:
        return inf


def _whole_power(a: float, b: float, exponent: float) -> Bounds:
    ends = _raised(a, exponent), _raised(b, exponent)
    if exponent % 2 or not exponent:
        return ends
    return (0.0 if a < 0 < b else min(ends)), max(ends)


def _power(base: Span, exponent: Span) -> Span:
    a, b, falls, rises = base
    power, most_power = exponent[:2]
    if power != most_power:
        return _varying_power(base, exponent)
    if power == 0:
        return 1.0, 1.0, 0.0, 0.0
    if power.is_integer():
        if power < 0:
            return _over((1.0, 1.0, 0.0, 0.0), _power(base, (-power, -power, 0.0, 0.0)))
        slope = _scaled(*_multiplied(power, power, *_whole_power(a, b, power - 1)), falls, rises)
        return *_whole_power(a, b, power), *slope
    if b < 0 or (b == 0 and power < 0):
        raise Nowhere
    least, most = sorted((_raised(max(a, 0.0), power), _raised(b, power)))
    if a <= 0:
        return least, most, *ANY
    steep = sorted((_raised(a, power - 1), _raised(b, power - 1)))
    return least, most, *_scaled(*_multiplied(power, power, *steep), falls, rises)


def _varying_power(base: Span, exponent: Span) -> Span:
    a, b, falls, rises = base
    c, d, exponent_falls, exponent_rises = exponent
    if a < 0:
        return UNKNOWN  # it has values at whole exponents
    corners = [_raised(one, other) for one in (a, b) for other in (c, d)]
    least, most = min(corners), max(corners)
    if a == 0:
        return least, most, *ANY
    # f^g changes by f^g (g' ln f + g f' / f).
    one = _multiplied(exponent_falls, exponent_rises, log(a), log(b) if b < inf else inf)
    other = _multiplied(c, d, *_divided(falls, rises, a, b))
    return least, most, *_scaled(least, most, *_bounds(one[0] + other[0], one[1] + other[1]))


def _root(inner: Span) -> Span:
    a, b, falls, rises = inner
    if b < 0:
        raise Nowhere
    least, most = sqrt(max(a, 0.0)), sqrt(b)
    return least, most, *(_divided(falls, rises, 2 * least, 2 * most) if a > 0 else ANY)


def _logarithm(function: Callable[[float], float], base: float) -> Callable[[Span], Span]:
    def found(inner: Span) -> Span:
        a, b, falls, rises = inner
        if b <= 0:
            raise Nowhere
        most = function(b) if b < inf else inf
        if a <= 0:
            return -inf, most, *ANY
        return (function(a) if a < inf else inf), most, *_divided(falls, rises, a * log(base), b * log(base))

    return found


def _exponential(inner: Span) -> Span:
    a, b, falls, rises = inner
    least, most = (exp(end) if end < 709.7 else inf for end in (a, b))
    return least, most, *_scaled(least, most, falls, rises)


def _steps(function: Callable[[float], int]) -> Callable[[Span], Span]:
    def found(inner: Span) -> Span:
        least, most = (float(function(end)) if abs(end) < inf else end for end in inner[:2])
        return (least, most, 0.0, 0.0) if least == most and is_smooth(inner) else (least, most, *ANY)

    return found


def _least(*parts: Span) -> Span:
    if any(isnan(bound) for part in parts for bound in part[:2]):  # a power beyond all numbers
        return -inf, inf, *ANY
    least, most = min(part[0] for part in parts), min(part[1] for part in parts)
    if not all(map(is_smooth, parts)):
        return least, most, *ANY  # also where another part is the least: this one may be undefined
    falls, rises = zip(*[part[2:] for part in parts if part[0] <= most], strict=True)
    return least, most, min(falls), max(rises)


def _most(*parts: Span) -> Span:
    return _difference(_least(*map(_difference, parts)))


SPANS: Mapping[str, Callable[..., Span]] = {
    "+": _sum,
    "-": _difference,
    "*": _times,
    "/": _over,
    "^": _power,
    "min": _least,
    "max": _most,
    "sqrt": _root,
    "ln": _logarithm(log, exp(1)),
    "log2": _logarithm(log2, 2),
    "log10": _logarithm(log10, 10),
    "exp": _exponential,
    "ceil": _steps(ceil),
    "floor": _steps(floor),
}
