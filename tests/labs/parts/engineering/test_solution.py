"""Equations solved for each of their symbols."""

import doctest

import pytest
from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.parts.engineering import solution
from labs.parts.engineering.equation import count, evaluate, from_json
from labs.parts.engineering.formula import formulas_of
from labs.parts.engineering.infix import text
from labs.parts.engineering.solution import apart, holds, solve

TIME = from_json("T")
RING = from_json(["*", 2, ["-", "p", 1], ["+", "α", ["/", "M", ["*", "p", "B"]]]])
# 62 · (5 µs + 1 GB / (32 · 100 GB/s)) = 62 · 317.5 µs
VALUES = {"T": 0.019685, "p": 32.0, "α": 5e-6, "M": 1e9, "B": 1e11}


def solved(left, right, name="x", **values):
    return solve((from_json(left), from_json(right)), name, values)


@pytest.mark.parametrize("name", VALUES)
def test_the_ring_is_solved_for_each_symbol(name):
    others = {other: value for other, value in VALUES.items() if other != name}
    assert solve((TIME, RING), name, others).value == pytest.approx(VALUES[name], rel=1e-12)


def test_what_stands_once_is_turned_round():
    assert [text(one, {}) for one in formulas_of((TIME, RING), "M")] == ["(T / (2 · (p − 1)) − α) · p · B"]
    assert [text(one, {}) for one in formulas_of((TIME, RING), "α")] == ["T / (2 · (p − 1)) − M / (p · B)"]
    assert [text(one, {}) for one in formulas_of((TIME, RING), "B")] == ["M / ((T / (2 · (p − 1)) − α) · p)"]
    assert formulas_of((TIME, RING), "p") == ()


@pytest.mark.parametrize(
    ("right", "left", "value"),
    [
        (["-", "x"], -3, 3), (["-", "x", 1], 2, 3), (["-", 5, "x"], 2, 3), (["+", 1, "x", 2], 6, 3),
        (["/", 6, "x"], 2, 3), (["/", "x", 6], 0.5, 3), (["^", "x", 2], 9, 3), (["^", 2, "x"], 8, 3),
        (["sqrt", ["+", "x", 1]], 2, 3), (["ln", "x"], 0, 1), (["exp", "x"], 1, 0), (["log2", "x"], 3, 8),
        (["log10", "x"], 3, 1000), (["*", 2, "x", 4], 24, 3), (["^", "x", -1], 0.25, 4),
    ],
)  # fmt: skip
def test_each_operation_is_undone(right, left, value):
    found = solved(left, right)
    assert found.formula is not None
    assert found.value == pytest.approx(value, rel=1e-12, abs=1e-15)


def test_what_stands_twice_is_searched_for():
    # D = 2 (n − 1)/n S: with D = 29.0625 GB and S = 15 GB, 1 − 1/n = 0.96875 and n = 32
    found = solved("D", ["*", ["/", ["*", 2, ["-", "x", 1]], "x"], "S"], D=29.0625e9, S=15e9)
    assert (found.value, found.formula) == (32, None)


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (3, ["*", "zero", "x"], "divided by 0"),
        (-1, ["sqrt", "x"], "does not fit"),
        (-4, ["^", "x", 2], "not defined"),
        (6, ["+", "x", ["/", 8, "x"]], "several values fit, among them 2, 4"),  # x² − 6x + 8
        (1, ["+", "x", ["/", 8, "x"]], "no value from 0 to 1e\\+21 fits"),
        (1, ["/", 1, ["*", ["-", "x", 1], ["-", "x", 1], ["-", "x", 1], "zero"]], "no value"),
        (0, ["/", 1, ["-", ["*", 3, "x"], ["+", "x", 2.2]]], "no value"),  # changes sign at its pole, 1.1
        (3, ["ceil", "x"], "many values fit, between 2 and 3"),
        (0, ["-", "x", "x"], "many values fit"),
        (["+", 1e12, 1e-3], ["+", 1e12, "x"], "it makes no difference, so that many values fit"),
        (0, ["max", 0, ["-", "x", "x"]], "many values fit"),
    ],
)
def test_what_has_no_single_answer_is_refused_in_words(left, right, reason):
    with pytest.raises(ModelError, match=reason):
        solved(left, right, zero=0.0)


POLE = ["/", "x", ["-", 1, "x"]]
SUM_OF_POWERS = ["/", ["-", 1, ["^", "x", ["+", "k", 1]]], ["-", 1, "x"]]
PIPELINE = ["*", ["-", ["+", "x", "p"], 1], ["+", "α", ["/", "S", ["*", "x", "B"]]]]
STAGES = {"p": 8.0, "α": 5e-6, "S": 1e9, "B": 1e11}
BELL = ["*", "x", ["exp", ["-", "x"]]]


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        (4, POLE, 0.8),  # 0.8 / 0.2
        (1e6, POLE, 1e6 / (1e6 + 1)),
        (3.3616, SUM_OF_POWERS, 0.8),  # 1 + 0.8 + 0.64 + 0.512 + 0.4096
        (0, ["*", ["-", "x", 3], ["-", "x", 3]], 3),  # touches, and does not cross
        (0, ["+", ["-", ["*", "x", "x"], ["*", 6, "x"]], 9], 3),
        (0, ["+", ["*", "x", "x"], ["*", 3, "x"]], 0),
        (1 / 2.718281828459045, BELL, 1),  # the top of x exp(−x)
        (6, ["+", ["ceil", "x"], ["floor", "x"]], 3),  # on both sides of 3 it is 5 and 7
        (-8, ["^", "x", 3], -2),
        (-8, ["^", "x", ["-", "k", 1]], -2),
        (16, ["^", ["-", "x", 3], 2], 7),  # −1 fits as well, and what symbols stand for is not negative
        (4, ["^", ["+", "x", 3], 4], None),  # −3 − √2 and −3 + √2
        (["-", ["*", 49, 0.1], 1], ["-", ["*", 49, "x"], 1], 0.1),
        (["-", ["*", 49, ["/", 1, 49]], 1], ["-", ["*", 49, "x"], 1], 1 / 49),  # rounding alone is left of it
        (0, ["*", ["-", ["*", 49, "x"], 1], ["-", ["*", 49, "x"], 1]], 1 / 49),
        (27, ["^", "x", "x"], 3),
        (24, ["*", "x", ["log2", "x"]], 8),
        (7, ["min", ["*", 2, "x"], ["+", "x", 3]], 4),
    ],
)  # fmt: skip
def test_a_value_is_found_wherever_it_lies(left, right, value):
    if value is None:
        with pytest.raises(ModelError, match="several values fit"):
            solved(left, right, k=4.0)
        return
    found = solved(left, right, k=4.0)
    assert (found.value, found.alone) == (pytest.approx(value, rel=1e-6, abs=1e-15), True)


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        (5, ["/", 1, ["-", "x", ["^", "x", 2]]], "several values fit, among them 0.27639, 0.72361"),  # (1 ± √0.2) / 2
        (4, ["^", ["-", "x", 3], 2], "several values fit, among them 1, 5"),
        (0, ["*", ["-", "x", 1], ["-", "x", 2], "x"], "several values fit, among them 0, 1, 2"),
        (["*", 0.9999, ["exp", -0.9999]], BELL, "several values fit, among them 0.9999, 1.0001"),
        (1, ["max", 1, "x"], "many values fit, between 0 and 1"),
        (1, ["max", 1, ["ln", "x"]], "many values fit, between "),
        (2, ["-", 3, ["/", "x", "x"]], "many values fit, between "),
    ],
)
def test_all_values_that_fit_are_told(left, right, values):
    with pytest.raises(ModelError) as refused:
        solved(left, right)
    assert str(refused.value).startswith(values)


@pytest.mark.parametrize("m", [1.0, 100.0, 117.0, 118.0, 119.0, 140.0, 14_000.0])
def test_both_numbers_of_microbatches_that_take_as_long_are_told(m):
    # (m + 7) (α + S / (m B)) is least at √(7 S / (α B)) = 118.3, and m and 14,000 / m take as long
    sides = (TIME, from_json(PIPELINE))
    time = evaluate(sides[1], {**STAGES, "x": m})
    both = ", ".join(f"{one:.5g}" for one in sorted((m, 14_000 / m)))
    with pytest.raises(ModelError, match=f"several values fit, among them {both}$"):
        solve(sides, "x", {**STAGES, "T": time})


def test_where_rounding_hides_a_value_nothing_certain_is_said():
    # x / (exp(x) − 1) = 1/2 at 1.2564; near 0 it is 1, which floats can't tell, as exp(x) − 1 is lost. Without what it
    # is divided by it is clear, and not under a root.
    assert solved(0.5, ["/", "x", ["-", ["exp", "x"], 1]]).alone
    found = solved(["sqrt", 0.5], ["sqrt", ["/", "x", ["-", ["exp", "x"], 1]]])
    assert (found.value, found.alone) == (pytest.approx(1.25643, rel=1e-5), False)


def test_a_symbol_lost_beside_another_term_is_0_up_to_some_number():
    found = solved(1e16, ["+", 1e16, "x"])
    assert (found.value, found.slack) == (0, 1e7)
    assert solved(0, ["*", 3, "x"]).slack == 0
    with pytest.raises(ModelError, match="no difference, so that many values fit"):
        solved(1e40, ["+", 1e40, "x"])


def test_values_are_told_apart():
    assert doctest.testmod(solution).failed == 0
    assert apart([1.0, 1 + 2**-52], "1") == ["1", "1.0000000000000002"]
    assert apart([10.0, 10.0], "s") == ["10 s", "10 s"]


def test_a_refusal_speaks_in_the_symbols_unit():
    sides = (from_json(["*", 6, "t"]), from_json(["+", "x", ["/", ["*", 8, "t", "t"], "x"]]))
    with pytest.raises(ModelError, match="among them 2 ms, 4 ms"):
        solve(sides, "x", {"t": 1e-3}, "s")


def test_every_side_counts():
    sides = tuple(map(from_json, ("D", ["*", "x", 2], ["*", "x", 3])))
    with pytest.raises(ModelError, match="does not fit"):
        solve(sides, "x", {"D": 6.0})
    assert holds(tuple(map(from_json, (6, ["*", 2, 3], ["+", 3, 3]))), {})
    assert not holds((from_json(1), from_json(["/", 1, 0])), {})


amounts = st.floats(min_value=1e-9, max_value=1e15)


@given(st.fixed_dictionaries({"p": st.integers(2, 10**6), "α": amounts, "M": amounts, "B": amounts}), st.data())
def test_what_is_solved_for_comes_back(values, data):
    values = {name: float(value) for name, value in values.items()}
    values["T"] = evaluate(RING, values)
    name = data.draw(st.sampled_from(sorted(values)))
    others = {other: value for other, value in values.items() if other != name}
    try:
        found = solve((TIME, RING), name, others).value
    except ModelError:
        # Where one term is far below the other, its symbol is lost in rounding; the others never are.
        startup, moving = values["p"] * values["α"], values["M"] / values["B"]
        assume(1e-7 < startup / moving < 1e7)
        raise
    assert holds((TIME, RING), {**others, name: found})


leaves = st.sampled_from(["x", "x", "a", "b", 1, 2, 3, 0.5])
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "*", "min", "max"]), inner, inner).map(list),
        st.tuples(st.sampled_from("-/"), inner, inner).map(list),
        st.tuples(st.just("^"), inner, st.sampled_from([2, 3, -1, 0.5, "a"])).map(list),
        st.tuples(st.sampled_from(["sqrt", "ln", "exp", "log2", "ceil", "floor"]), inner).map(list),
    ),
    max_leaves=8,
)
known = st.one_of(st.floats(0.1, 10), st.integers(1, 9).map(float), st.floats(1e-9, 1e12))


@given(trees, known, known, known)
@example(BELL, 1.0, 1.0, 1.00001)
@example(["*", ["^", ["-", "x", "a"], 0.5], ["^", ["-", "x", "a"], 0.5]], 1.0, 1.0, 1.0)
@example(["^", ["-", "x", ["+", "x", "a"]], "a"], 50.0, 1.0, 1.0)
@example(["^", ["-", "x", "b"], "a"], 1075.0, 1.0, 1.5)  # too small for floats
@example(["+", "b", ["+", "x", ["-", "x", "b"]]], 1.0, 518798828126.0, 0.5)
@example(["^", ["+", ["-", "x", "x"], ["-", "x", "a"]], "a"], 1.0, 1.0, 1.0)
@example(["max", "a", ["ln", "x"]], 1.0, 1.0, 1.0)
@example(["max", ["^", "x", "a"], "x"], 710138.0, 1.0, 1.0)  # too large for floats
@example(["*", ["-", "x", "a"], ["-", "x", "a"]], 3.0, 1.0, 3.0)
@settings(max_examples=300, deadline=None)
def test_the_value_that_made_the_inputs_is_found_or_nothing_certain_is_said(tree, a, b, x):
    side = from_json(tree)
    assume(count(side, "x"))
    try:
        left = evaluate(side, {"a": a, "b": b, "x": x})
    except ModelError:
        assume(False)
    try:
        found = solve((from_json("y"), side), "x", {"a": a, "b": b, "y": left})
    except ModelError as refusal:
        event(str(refusal).split(",")[0][:20])
        assert "no value" not in str(refusal)
        return
    event("found")
    assert holds((from_json("y"), side), {"a": a, "b": b, "y": left, "x": found.value})
    # As closely as rounding lets it: what is known to less than a thousandth is refused.
    assert found.value == pytest.approx(x, rel=1e-3) or not found.alone or x <= 10 * found.slack
