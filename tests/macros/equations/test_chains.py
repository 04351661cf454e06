"""Chains get the brackets of their one reading, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.equations.chains import bracketed


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("y = a/b/c/d", "y = ((a/b)/c)/d"),
        ("a · b / c / d", "a · (b / c) / d"),
        ("a/b · c/d/e", "a/b · (c/d)/e"),
        ("2(p − 1)/p/m", "(2(p − 1)/p)/m"),
        ("12/b/c", "(12/b)/c"),
        ("a^b^c", "a^(b^c)"),
        ("a^b^c + 1", "a^(b^c) + 1"),
    ],
)
def test_what_a_chain_computes_first_is_in_brackets(source, found):
    assert bracketed(source) == found


@pytest.mark.parametrize(
    "source",
    ["a/b", "a/b c", "f(x)/b/c", "f(x)/b/c/d", "√x/b/c", "log x/b/c", "n a/b/c", "a^2/b/c", "a²b", "a^b", "a^b^-c", ""],
)
def test_other_texts_stay(source):
    assert bracketed(source) == source


@given(st.lists(st.integers(2, 9), min_size=2, max_size=5))
def test_a_chain_of_quotients_keeps_its_value(numbers):
    chain = "/".join(map(str, numbers))
    assert eval(bracketed(chain)) == eval(chain)


@pytest.mark.parametrize("source", ["a/" * 499 + "a", "a^" * 499 + "a", "(" * 1000, "(a)/" * 250])
def test_long_texts_end(source):
    assert bracketed(source)
