"""Rows of symbols: one for several, and those that only the explanation tells."""

import pytest

from macros.cards.equations import equation_findings
from macros.cards.symbols import spread
from macros.cards.told import told
from macros.cards.types import Card, ScienceEntry, Symbol


def row(symbol, unit="byte"):
    return Symbol.model_validate({"symbol": symbol, "meaning": "Meaning", "unit": unit})


@pytest.mark.parametrize(
    ("symbol", "rows"),
    [
        ("M₀ … M₃", ["M₀", "M₁", "M₂", "M₃"]),
        ("M_0 ... M_2", ["M₀", "M₁", "M₂"]),
        ("M₃ … M₀", ["M₃ … M₀"]),
        ("M₀ … N₃", ["M₀ … N₃"]),
        ("M₀ … M₉₉₉", ["M₀ … M₉₉₉"]),
        ("α", ["α"]),
    ],
)
def test_one_row_may_stand_for_several(symbol, rows):
    assert [one.symbol for one in spread([row(symbol)])] == rows


def entry(equation, explanation):
    return ScienceEntry.model_validate(
        {"title": "Title", "equation": equation, "explanation": explanation, "assumptions": "None."}
    )


@pytest.mark.parametrize(
    ("explanation", "units"),
    [
        (
            "n is latency-bearing phases, α seconds/phase, Q transferred bytes and Beff useful bytes/s for the chosen "
            "algorithm and topology.",
            {"n": "phases", "α": "seconds/phase", "Q": "bytes", "Beff": "bytes/s"},
        ),
        ("α is the startup in s; Q the payload (GB).", {"α": "s", "Q": "GB"}),
        ("n is the number of phases.", {"n": "number"}),
        ("α is the startup. Q is moved in parsec.", {}),
        ("The time grows with n.", {}),
        ("x is a time in s, nothing in bytes.", {}),
    ],
)
def test_an_explanation_may_tell_units(explanation, units):
    found = told(entry("Tcomm ≈ n α + Q / Beff", explanation))
    assert {one.symbol: one.unit for one in found} == units


def test_a_meaning_is_the_explanations_own_words():
    (found,) = told(entry("T = Q / B", "Q transferred bytes for each rank."))
    assert found.meaning == "Transferred bytes"


def test_a_value_that_is_no_quantity_of_its_unit_is_found(ferry):
    ferry["science"][0]["symbols"] = [
        {"symbol": "α", "meaning": "m", "unit": "s/phase", "value": "5 µs"},
        {"symbol": "n", "meaning": "m", "unit": "count", "value": 4},
        {"symbol": "Q", "meaning": "m", "unit": "byte", "value": "5 µs"},
    ]
    (finding,) = equation_findings(Card.model_validate(ferry))
    assert finding.at == ("science", 0, "symbols", 2, "value")
    assert finding.message == 'expected a size such as 64 MiB, found "5 µs"'
