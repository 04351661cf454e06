"""Bounds of expressions: they hold for every number inside."""

import doctest
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.parts.engineering import spans
from labs.parts.engineering.equation import evaluate, from_json
from labs.parts.engineering.spans import Nowhere, is_smooth, span
from tests.labs.parts.engineering.test_solution import trees


def bounds(tree, low, high):
    return span(from_json(tree), {"x": (low, high, 1.0, 1.0)})


def test_examples_are_true():
    assert doctest.testmod(spans).failed == 0


@pytest.mark.parametrize(
    ("tree", "low", "high", "value", "slope"),
    [
        (["-", 1, "x"], 2, 3, (-2, -1), (-1, -1)),
        (["/", 6, "x"], 2, 3, (2, 3), (-1.5, -6 / 9)),  # −6 / x²
        (["/", 1, "x"], 0, 4, (0.25, inf), (-inf, inf)),
        (["/", 1, "x"], -1, 1, (-inf, inf), (-inf, inf)),
        (["^", "x", 2], -1, 3, (0, 9), (-2, 6)),
        (["^", "x", 3], -1, 2, (-1, 8), (0, 12)),
        (["^", "x", 0.5], 4, 9, (2, 3), (1 / 6, 1 / 4)),
        (["sqrt", "x"], 4, 9, (2, 3), (1 / 6, 1 / 4)),
        (["sqrt", "x"], -4, 9, (0, 3), (-inf, inf)),
        (["^", 2, "x"], 1, 3, (2, 8), (2 * 0.6931471805599453, 8 * 0.6931471805599453)),
        (["log2", "x"], 2, 8, (1, 3), (1 / (8 * 0.6931471805599453), 1 / (2 * 0.6931471805599453))),
        (["exp", "x"], 0, 1000, (1, inf), (1, inf)),
        (["ceil", "x"], 2.5, 3, (3, 3), (0, 0)),
        (["floor", "x"], 2.5, 3, (2, 3), (-inf, inf)),
        (["max", 3, ["*", 2, "x"]], 1, 2, (3, 4), (0, 2)),
        (["min", 3, ["*", 2, "x"]], 2, 5, (3, 3), (0, 0)),
        (["max", 3, ["ln", "x"]], 0, 1, (3, 3), (-inf, inf)),  # not defined at 0
    ],
)
def test_bounds_of_each_operation(tree, low, high, value, slope):
    least, most, falls, rises = bounds(tree, low, high)
    assert (least, most) == pytest.approx(value)
    assert (falls, rises) == pytest.approx(slope)


@pytest.mark.parametrize("tree", [["sqrt", ["-", "x", 5]], ["ln", ["-", "x"]], ["/", 1, ["-", "x", "x"]]])
def test_what_is_nowhere_defined_is_said(tree):
    with pytest.raises(Nowhere):
        bounds(tree, 1, 4) if tree[0] != "/" else bounds(tree, 1, 1)


amounts = st.floats(1e-6, 1e6)


@given(trees, amounts, amounts, st.tuples(amounts, amounts).map(sorted), st.floats(0, 1))
def test_no_value_lies_outside(tree, a, b, ends, share):
    side, (low, high) = from_json(tree), ends
    x = low + share * (high - low)
    assume(low <= x <= high)
    given_spans = {"x": (low, high, 1.0, 1.0), "a": (a, a, 0.0, 0.0), "b": (b, b, 0.0, 0.0)}
    try:
        value = evaluate(side, {"a": a, "b": b, "x": x})
    except ModelError:
        return
    found = span(side, given_spans)
    assert value >= found[0] - abs(found[0]) * 1e-12
    assert value <= found[1] + abs(found[1]) * 1e-12
    if is_smooth(found):  # and none is steeper
        start = evaluate(side, {"a": a, "b": b, "x": low})
        reach = max(abs(found[2]), abs(found[3])) * (x - low)
        size = max(map(abs, span(side, given_spans, 1e-15)[:2]))
        assert abs(value - start) <= reach * (1 + 1e-9) + 1e-9 * size
