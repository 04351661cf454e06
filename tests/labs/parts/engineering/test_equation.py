"""Trees of equations: what they come to, which dimension they have, and what is no tree."""

import doctest
from math import e

import pytest

from labs.model.quantities.errors import ModelError
from labs.parts.engineering import definition, equation, infix
from labs.parts.engineering.equation import count, dimension, evaluate, from_json, of_unit, said, to_json, unit_of
from labs.parts.engineering.infix import functions_of, python, text

RING = ["*", 2, ["-", "p", 1], ["+", "α", ["/", "M", ["*", "p", "B"]]]]
VALUES = {"p": 32.0, "α": 5e-6, "M": 1e9, "B": 1e11, "x": 3.0, "zero": 0.0}
UNITS = {"p": "1", "α": "s", "T": "s", "M": "byte", "B": "byte/s", "F": "FLOP", "R": "FLOP/s"}


@pytest.mark.parametrize("module", [equation, infix, definition])
def test_examples_are_true(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (RING, 62 * 317.5e-6),  # 62 · (5 µs + 1 GB / (32 · 100 GB/s))
        (["-", "x"], -3), (["^", 2, "x"], 8), (["sqrt", 9], 3), (["log2", 8], 3), (["ln", e], 1), (["log10", 1000], 3),
        (["exp", 0], 1), (["min", 4, "x", 7], 3), (["max", 4, "x", 7], 7), (["ceil", 2.1], 3), (["floor", 2.9], 2),
        (["number", 34, "byte"], 34),
    ],
)  # fmt: skip
def test_a_tree_comes_to_what_it_says(tree, value):
    assert evaluate(from_json(tree), VALUES) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (["/", 1, "zero"], "divided by 0"),
        (["^", "zero", -1], "divided by 0"),
        (["^", -8, 0.5], "not defined"),
        (["sqrt", -1], "not defined"),
        (["max", 1, ["^", -8, 0.5]], "not defined"),
        (["ln", 0], "not defined"),
        (["exp", 1000], "larger than"),
        (["*", 1e200, 1e200], "larger than"),
        (["-", ["*", 1e200, 1e200], ["*", 1e200, 1e200]], "not defined"),
        (["ceil", ["*", 1e200, 1e200]], "larger than"),
    ],
)
def test_what_is_not_defined_is_said(tree, reason):
    with pytest.raises(ModelError, match=reason):
        evaluate(from_json(tree), VALUES)


@pytest.mark.parametrize("tree", [RING, "p", 2, 0.5, ["number", 34, "byte"], ["-", "p"], ["max", "p", 1, 2]])
def test_a_tree_is_written_as_it_was_read(tree):
    assert to_json(from_json(tree)) == tree


@pytest.mark.parametrize(
    "data",
    [
        None, True, {}, [], ["import", "os"], ["/", 1], ["/", 1, 2, 3], ["sqrt"], ["+", 1], float("nan"), float("inf"),
        1e301, 10**400, [["+"], 1, 2], ["number", "1", "byte"], ["number", 1, "parsec"], ["number", True, "byte"],
        ["+", *[1] * 201],
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused_in_words(data):
    with pytest.raises(ModelError, match=r"^expected"):
        from_json(data)


def test_depth_ends_before_the_stack_does():
    deep: object = 1
    for _ in range(24):
        deep = ["-", deep]
    assert evaluate(from_json(deep), {}) == 1
    for _ in range(100_000):
        deep = ["-", deep]
    with pytest.raises(ModelError, match="at most 24 operations inside each other"):
        from_json(deep)


@pytest.mark.parametrize(
    ("tree", "unit"),
    [
        (RING, "s"), (["/", "M", "T"], "byte/s"), (["/", "F", "M"], "FLOP/byte"),
        (["*", "R", "T"], "FLOP"), (["sqrt", ["*", "α", "T"]], "s"),
        (["^", ["*", "T", "T"], 0.5], "s"), (["max", "T", ["/", "M", "B"]], "s"), (["^", 2, "p"], "1"),
        (["log2", "p"], "1"), (["ceil", ["/", "T", "α"]], "1"), (["*", "p", ["number", 34, "byte"]], "byte"),
        (["max", 0, ["-", "T", "α"]], "s"), (["+", 0, "M"], "byte"), (["-", 0, "T"], "s"), (["min", 0, 0], "1"),
    ],
)  # fmt: skip
def test_a_tree_has_a_dimension(tree, unit):
    assert unit_of(dimension(from_json(tree), UNITS)) == unit


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (["+", "T", "M"], "expected quantities of one kind around +, found a time in s and a size in byte"),
        (["+", "T", 1], "expected quantities of one kind around +, found a time in s and a plain number"),
        (["max", 1, "T"], "expected quantities of one kind around max, found a plain number and a time in s"),
        (["max", 0, "T", "M"], "expected quantities of one kind around max, found a time in s and a size in byte"),
        (["max", "p", "T"], "expected quantities of one kind around max, found a plain number and a time in s"),
        (["ln", "T"], "expected a plain number under ln, found a time in s"),
        (["ceil", "T"], "expected a plain number under ceil, found a time in s"),
        (["^", "T", "p"], "expected an exponent without symbols above a quantity with a unit"),
        (["^", "p", "T"], "expected an exponent that is a plain number"),
    ],
)
def test_what_does_not_fit_is_said(tree, message):
    with pytest.raises(ModelError) as caught:
        dimension(from_json(tree), UNITS)
    assert str(caught.value) == message


def test_a_dimension_without_a_unit_has_words():
    odd = dimension(from_json(["/", ["*", "F", "F"], "M"]), UNITS)
    assert (unit_of(odd), said(odd)) == (None, "a quantity in FLOP^2 byte^-1")
    assert said(of_unit("s")) == "a time in s"


@pytest.mark.parametrize(
    ("tree", "written", "in_python"),
    [
        (RING, "2 · (p − 1) · (α + M / (p · B))", "2 * (p - 1) * (α + M / (p * B))"),
        (["-", 1, ["-", "p", "x"]], "1 − (p − x)", "1 - (p - x)"),
        (["-", ["-", 1, "p"], "x"], "1 − p − x", "1 - p - x"),
        (["+", 1, ["-", "p", "x"]], "1 + p − x", "1 + p - x"),
        (["*", ["/", "p", "x"], "M"], "(p / x) · M", "(p / x) * M"),
        (["/", ["/", "p", "x"], "M"], "(p / x) / M", "(p / x) / M"),
        (["^", ["^", "x", 2], 3], "(x^2)^3", "(x ** 2) ** 3"),
        (["^", "x", ["-", 1]], "x^(−1)", "x ** (-1)"),
        (["*", 2, ["-", "x"]], "2 · (−x)", "2 * (-x)"),
        (["^", -2, 2], "(−2)^2", "(-2) ** 2"),
        (["max", "p", ["log2", "x"]], "max(p, log₂(x))", "max(p, log2(x))"),
        (["*", ["number", 34, "byte"], "p"], "34 byte · p", "34 * p"),
        (["ln", "x"], "ln(x)", "log(x)"),
    ],
)
def test_a_tree_is_written_so_that_it_reads_one_way(tree, written, in_python):
    read = from_json(tree)
    assert text(read, {}) == written
    assert python(read) == in_python
    scope = {name: getattr(__import__("math"), name) for name in functions_of(read)}
    assert eval(in_python, scope | VALUES) == pytest.approx(evaluate(read, VALUES), rel=1e-15)


def test_symbols_are_counted():
    assert [count(from_json(RING), name) for name in ("p", "M", "T")] == [2, 1, 0]
