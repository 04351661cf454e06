"""Plain equations as trees, and what is no plain equation."""

import pytest

from labs.parts.engineering.equation import evaluate, from_json, to_json
from macros.equations.arithmetic import Unclear, parse, plain_name
from macros.equations.tree import tree

NAMES = {name: name for name in ("T", "p", "α", "M", "B", "Beff", "n", "f")}
VALUES = {"T": 2.0, "p": 4.0, "α": 3.0, "M": 12.0, "B": 2.0, "Beff": 5.0, "n": 7.0, "f": 0.5}


def read(text, **how):
    return tree(parse(text, NAMES, **how), NAMES, {})


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("2 (p − 1) (α + M / (p B))", ["*", 2, ["-", "p", 1], ["+", "α", ["/", "M", ["*", "p", "B"]]]]),
        ("M / B − α − 1", ["-", ["-", ["/", "M", "B"], "α"], 1]),
        ("−p + 1", ["+", ["-", "p"], 1]),
        ("2 · p / n × M", ["*", ["/", ["*", 2, "p"], "n"], "M"]),
        ("p² + n^3", ["+", ["^", "p", 2], ["^", "n", 3]]),
        ("p⁻¹", ["^", "p", ["-", 1]]),
        ("2^(p − 1)", ["^", 2, ["-", "p", 1]]),
        ("1 / ((1 − f) + f / p)", ["/", 1, ["+", ["-", 1, "f"], ["/", "f", "p"]]]),
        ("max(α, M / B, 1,000)", ["max", "α", ["/", "M", "B"], 1000]),
        ("⌈log₂ p⌉ α", ["*", ["ceil", ["log2", "p"]], "α"]),
        ("⌊M / B⌋", ["floor", ["/", "M", "B"]]),
        ("√(M B) + √p", ["+", ["sqrt", ["*", "M", "B"]], ["sqrt", "p"]]),
        ("B_eff Beff", ["*", "Beff", "Beff"]),
        ("1.5e3 α", ["*", 1500, "α"]),
    ],
)  # fmt: skip
def test_what_is_written_is_what_is_computed(text, data):
    assert to_json(read(text)) == data


@pytest.mark.parametrize(
    ("text", "value"),
    [("M − p − 1", 7), ("M / p / B", 1.5), ("M / p · B", 6), ("2 p^2", 32), ("−p²", -16), ("M − (p − 1)", 9)],
)
def test_operations_hold_together_as_everywhere(text, value):
    assert evaluate(read(text), VALUES) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("M / p B", "what stands behind a division can be read in two ways"),
        ("M / B (1 + p)", "what stands behind a division can be read in two ways"),
        ("f(p)", "f(p) may be a function or a product"),
        ("log₂ p n", "where a function's argument ends can be read in two ways"),
        ("log₂ p / n", "where a function's argument ends can be read in two ways"),
        ("log(p)", "log has no row with its unit"),
        ("p + x", "x has no row with its unit"),
        ("pB", "pB has no row with its unit"),
        (r"\sum p", r"\sum is not computed"),
        ("|p|", "| is not computed"),
        ("(p", "it ends too early"),
        ("⌈p⌋", '"⌉" is missing'),
        ("p)", '")" stands where nothing can'),
        ("p +", "it ends too early"),
        ("", "it ends too early"),
        ("p ± 1", "± has two values"),
        ("p^−n", "an exponent is no number"),
        ("p⁻", "an exponent is no number"),
        ("max(p)", "max of 1 is not computed"),
        ("ln(p, n)", "ln of 2 is not computed"),
        ("(" * 10_000, "brackets are nested too deep"),
        ("√" * 10_000 + "p", "where a function's argument ends can be read in two ways"),
        ("ln " * 10_000 + "p", "where a function's argument ends can be read in two ways"),
        ("p^" * 10_000 + "p", '"^" stands where nothing can'),
    ],
)
def test_what_is_not_certain_is_said(text, reason):
    with pytest.raises(Unclear) as caught:
        read(text)
    assert str(caught.value) == reason


def test_letters_that_touch_are_factors_in_tex_only():
    assert to_json(read("pB", glued=True)) == ["*", "p", "B"]
    with pytest.raises(Unclear, match="px has no row"):
        read("px", glued=True)
    assert to_json(read("max(p, n)", glued=True)) == ["max", "p", "n"]


def test_numbers_may_carry_a_unit():
    assert to_json(tree(parse("34 p", {"p"}), {"p": "p"}, {"34": "byte"})) == ["*", ["number", 34, "byte"], "p"]
    assert evaluate(from_json(["number", 34, "byte"]), {}) == 34


@pytest.mark.parametrize("symbol", ["B_eff", "B_{eff}", "Beff", "B_ₑff"])
def test_different_hands_write_one_name(symbol):
    assert plain_name(symbol) == "Beff"
