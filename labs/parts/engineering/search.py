"""Where two sides of an equation meet as one symbol runs from 0 up: every place, or none was missed.

Ranges in which bounds keep the sides apart are dropped, those in which their difference only rises or only falls are
searched by halves, and the others are split, as far as neighbouring floats. Unlike a grid, this sees two values that
lie close, a value where the sides touch without crossing, and one beside a pole.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf, sqrt

from labs.model.quantities.errors import ModelError
from labs.parts.engineering.equation import Name, Number, Operation, Tree, count, evaluate
from labs.parts.engineering.fraction import cleared, size
from labs.parts.engineering.spans import Nowhere, Span, is_smooth, rounded, span

SMALLEST, LARGEST = 1e-15, 1e21  # 0 and what is between these is searched; below, ranges shrink fast
CLOSE = 1e-12  # relative: sides that differ by no more meet, as inputs are typed and printed with 15 digits at most
ROUNDING = 1e-15  # relative: what floats lose on the way
NARROW = 1e-6  # relative: values that lie closer are one
SURE = 1e-9  # relative: rounding that matters to no value
CLEAR = 1e-3  # relative: so far from a value that fits, the sides differ by more than what floats lose
WORK = 6_000  # operations on spans, some 25 ms
FEW, MANY = 8, 100  # ranges; of what has so many nobody asks for the others

type Range = tuple[float, float]


@dataclass
class Found:
    """Where the sides meet, from below, and whether every range was settled."""

    ranges: list[Range] = field(default_factory=list)
    settled: bool = True


@dataclass(frozen=True)
class Meeting:
    """Two sides, in which all but one symbol is put in, also without what they are divided by."""

    sides: tuple[Tree, Tree]
    cleared: tuple[Tree, Tree]
    name: str

    def gap(self, x: float) -> float | None:
        """Return the difference of the cleared sides, None where one is not defined."""
        return self._gap(self.cleared, x)

    def fits(self, x: float) -> bool:
        """Return whether the sides are equal, to what inputs and floats lose."""
        found = self._values(self.sides, x)
        if found is None:
            return False
        left, right = found
        if abs(left - right) <= CLOSE * max(abs(left), abs(right)):
            return True
        return agree(self.sides, {self.name: x})

    def is_clear(self, x: float) -> bool:
        """Return whether it is no chance of rounding that a value fits: beside it the sides differ, or fit as well."""
        found, differ = self._values(self.sides, x), difference(self.sides, {self.name: x})
        if found is None or differ.most == inf:
            return False
        if not differ.smooth or differ.most <= SURE * max(map(abs, found)):
            return True
        beside = [x * (1 - CLEAR), x * (1 + CLEAR)]
        gaps = [abs(gap) for one in beside if (gap := self._gap(self.sides, one)) is not None]
        return max(gaps, default=0.0) > 10 * differ.most or all(map(self.fits, beside))

    def is_far(self, x: float) -> bool:
        """Return whether beside a value the sides differ alike, and much more than they do from place to place."""
        one, other = (self._gap(self.sides, x * factor) for factor in (1 - CLEAR, 1 + CLEAR))
        return one is not None and other is not None and min(abs(one), abs(other)) > 10 * abs(one - other)

    def spans(self, sides: tuple[Tree, Tree], low: float, high: float) -> tuple[Span, Span]:
        """Return the spans of sides.

        Raises:
            Nowhere: one is not defined in the range
        """
        x = {self.name: (low, high, 1.0, 1.0)}
        return span(sides[0], x), span(sides[1], x)

    def _gap(self, sides: tuple[Tree, Tree], x: float) -> float | None:
        found = self._values(sides, x)
        return None if found is None else found[0] - found[1]

    def _values(self, sides: tuple[Tree, Tree], x: float) -> tuple[float, float] | None:
        try:
            return evaluate(sides[0], {self.name: x}), evaluate(sides[1], {self.name: x})
        except ModelError:
            return None


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much sides differ after rounding, and whether none has a pole or a jump there."""

    least: float
    most: float
    smooth: bool


def difference(sides: Sequence[Tree], values: Mapping[str, float]) -> Difference:
    """Return by how much sides can differ where every value and every operation is rounded."""
    given = {name: rounded((value, value, 0.0, 0.0), ROUNDING) for name, value in values.items()}
    try:
        found = [span(side, given, ROUNDING) for side in sides]
    except Nowhere:
        return Difference(0.0, inf, smooth=False)
    least, most = zip(*[one[:2] for one in found], strict=True)
    return Difference(max(least) - min(most), max(most) - min(least), smooth=all(map(is_smooth, found)))


def agree(sides: Sequence[Tree], values: Mapping[str, float]) -> bool:
    """Return whether sides can be equal but for rounding; beside a pole or a jump that would say nothing."""
    differ = difference(sides, values)
    return differ.smooth and differ.least <= 0


def meeting(left: Tree, right: Tree, name: str, values: Mapping[str, float]) -> Meeting:
    """Return two sides with all symbols put in but one.

    Raises:
        ModelError: a part without the symbol is not defined
    """
    sides = _put_in(left, name, values), _put_in(right, name, values)
    return Meeting(sides, cleared(*sides), name)


def value_in(asked: Meeting, low: float, high: float) -> float:
    """Return the value in a narrow range at which the sides differ least, of equals a short one."""
    middle = low + (high - low) / 2
    tried = [*(float(f"{middle:.{digits}g}") for digits in (6, 9, 12)), low, high]
    gaps = [(abs(gap), at) for at, x in enumerate(tried) if low <= x <= high and (gap := asked.gap(x)) is not None]
    crossed = _crossing(asked, low, high)
    if crossed:
        return crossed[0][0]
    return tried[min(gaps)[1]] if gaps else middle  # beyond floats the sides tell nothing


def search(asked: Meeting) -> Found:
    """Return the ranges of the symbol in which the sides meet."""
    found, ranges = Found(), deque([(0.0, SMALLEST), (SMALLEST, LARGEST)])
    looks = WORK // sum(map(size, (*asked.sides, *asked.cleared)))
    while ranges and looks > 0 and len(found.ranges) < MANY:
        looks -= 1
        ranges.extend(_looked(asked, *ranges.popleft(), found.ranges))
    found.settled = not ranges
    for low, high in islice(ranges, MANY):  # bounds do not tell, a change of sign does
        if len(found.ranges) < FEW:
            found.ranges += _crossing(asked, low, high) or [(x, x) for x in (low, high) if asked.fits(x)]
    clear = []
    for low, high in _merged(asked, sorted(found.ranges)):
        middle = low + (high - low) / 2
        if any(map(asked.is_clear, (low, middle, high))):
            clear.append((low, high))
        elif high - low > CLEAR * high or not asked.is_far(middle):
            found.settled = False
    return Found(clear, found.settled)


def _looked(asked: Meeting, low: float, high: float, found: list[Range]) -> list[Range]:
    """Return what is left to look at of a range, and add to what is found in it."""
    try:
        left, right = asked.spans(asked.sides, low, high)
        if any(side[0] == inf or side[1] == -inf for side in (left, right)) or _apart(left, right):
            return []  # beyond floats, or apart
        if asked.cleared != asked.sides:
            left, right = asked.spans(asked.cleared, low, high)
    except Nowhere:
        return []
    if _apart(left, right):
        return []
    least, most = left[2] - right[3], left[3] - right[2]
    middle = _middle(low, high)
    if is_smooth(left) and is_smooth(right):
        if (least > 0 or most < 0) and None not in (asked.gap(low), asked.gap(high)):
            found += _crossing(asked, low, high) or [(x, x) for x in (low, high) if asked.fits(x)]
            return []
        here = asked.gap(middle)
        if here is not None:
            reach = max(abs(least), abs(most)) * max(middle - low, high - middle)
            if abs(here) - reach > CLOSE * max(map(abs, (*left[:2], *right[:2]))):
                return []
            if abs(here) + reach <= CLOSE * _nearest(left) and all(map(asked.fits, (low, middle, high))):
                found.append((low, high))
                return []
    if not low < middle < high:
        found += [(x, x) for x in (low, high) if asked.fits(x)]
        return []
    if high - low <= NARROW * high and all(map(asked.fits, (low, middle, high))):
        found.append((low, high))
        return []
    return [(low, middle), (middle, high)]


def _apart(left: Span, right: Span) -> bool:
    """Return whether no value of one side fits one of the other."""
    below, above = (left[1], right[0]) if left[1] < right[0] else (right[1], left[0])
    return above - below > CLOSE * max(abs(above), abs(below))


def _nearest(side: Span) -> float:
    """Return the least size of a side's values."""
    return 0.0 if side[0] <= 0 <= side[1] else min(abs(side[0]), abs(side[1]))


def _middle(low: float, high: float) -> float:
    if low == 0:
        return high * 1e-5 if high > 1e-300 else 0.0
    return sqrt(low) * sqrt(high) if high > 1.5 * low else low + (high - low) / 2


def _crossing(asked: Meeting, low: float, high: float) -> list[Range]:
    """Return the value at which the difference of the sides changes its sign, if it does."""
    before, after = asked.gap(low), asked.gap(high)
    if before is None or after is None or not (before < 0 < after or after < 0 < before):
        return []
    while low < (middle := _middle(low, high)) < high:
        here = asked.gap(middle)
        if here is None:
            return []
        low, high = (middle, high) if here and (here < 0) == (before < 0) else (low, middle)
    short = float(f"{high:.12g}")  # 32 and not 31.999999999999996
    here, there = asked.gap(high), asked.gap(short)
    best = short if here is not None and there is not None and abs(there) <= 8 * abs(here) else high
    return [(best, best)] if asked.fits(best) else []


def _merged(asked: Meeting, ranges: list[Range]) -> Iterator[Range]:
    """Yield ranges, as one where they touch, or lie close, or what is between them fits too."""
    for at, (low, high) in enumerate(ranges):
        if at == 0:
            start, end = low, high
        elif low - end <= NARROW * low or asked.fits(_middle(end, low) or low / 2):
            end = max(end, high)
        else:
            yield start, end
            start, end = low, high
    if ranges:
        yield start, end


def _put_in(tree: Tree, name: str, values: Mapping[str, float]) -> Tree:
    if count(tree, name) == 0:
        return Number(evaluate(tree, values))
    if isinstance(tree, Operation):
        return Operation(tree.sign, tuple(_put_in(part, name, values) for part in tree.parts))
    return Name(name)
