"""The table of units, and conversions by it."""

import itertools
import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import KINDS, UNITS, convert, parse_quantity

PAIRS = [pair for pair in itertools.product(UNITS, repeat=2) if UNITS[pair[0]].base == UNITS[pair[1]].base]


@pytest.mark.parametrize(
    ("value", "unit", "to", "result"),
    [
        (1, "GiB", "byte", 2**30),
        (8, "Gbit", "GB", 1),
        (400, "Gb/s", "GB/s", 50),
        (63896, "us", "s", 0.063896),
        (0.00202, "s", "ms", 2.02),
        (2, "h", "min", 120),
        (1, "PFLOP/s", "TFLOPS", 1000),
        (-3, "1", "1", -3),
    ],
)
def test_units_are_converted(value, unit, to, result):
    assert convert(value, unit, to) == result


@given(value=st.floats(1e-200, 1e200), names=st.sampled_from(PAIRS))
def test_there_and_back_again(value, names):
    one, other = names
    assert math.isclose(convert(convert(value, one, other), other, one), value, rel_tol=3e-16)


@given(value=st.floats(allow_nan=False, allow_infinity=False), names=st.sampled_from(PAIRS))
def test_a_conversion_is_rounded_once(value, names):
    one, other = (UNITS[name] for name in names)
    exact = Fraction(value) * Fraction(one.numerator, one.denominator) / Fraction(other.numerator, other.denominator)
    if abs(exact) <= sys.float_info.max:
        assert convert(value, *names) == float(exact)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, "GB", "s"), 'expected a unit of the same kind as GB, found "s"'),
        ((1, "msec", "s"), 'expected a known unit, found "msec" (did you mean "ms"?)'),
        ((1, "s", "qqqqqq"), 'expected a known unit, found "qqqqqq"'),
        ((1e308, "YB", "byte"), "expected fewer than 1.8e+308 byte, found 1e+308 YB"),
        ((math.nan, "s", "ms"), "expected value to be a finite number, found nan"),
    ],
)
def test_what_cannot_be_converted_is_refused(arguments, message):
    with pytest.raises(ModelError) as refusal:
        convert(*arguments)
    assert str(refusal.value) == message


def test_the_table_holds_every_base_unit_as_one_of_itself():
    assert all(UNITS[base] == (base, 1, 1) for base in KINDS)
    assert {unit.base for unit in UNITS.values()} == set(KINDS)


def test_every_unit_that_a_quantity_is_shown_in_or_a_hint_names_is_known():
    assert all(UNITS[name].base == base for base, kind in KINDS.items() for name in kind.ladder + kind.more)


@pytest.mark.parametrize("base", KINDS)
def test_the_example_in_a_refusal_is_itself_accepted(base):
    assert parse_quantity(KINDS[base].example, base) > 0


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        UNITS["GB"] = UNITS["GiB"]
