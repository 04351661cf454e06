"""Quantities as pages show them: the prefix, the digits, and that they read back."""

import math
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import KINDS, convert, format_quantity, parse_quantity

BASES = st.sampled_from(sorted(KINDS))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.019685, "s", "19.685 ms"),
        (1e9, "byte", "1 GB"),
        (5e-6, "s", "5 µs"),
        (98.304e9, "byte/s", "98.304 GB/s"),
        (0, "s", "0 s"),
        (-0.0, "s", "0 s"),
        (0, "byte/s", "0 byte/s"),
        (0, "1", "0"),
        (32, "1", "32"),
        (1e6, "1", "1000000"),
        (1234567, "1", "1234567"),
        (1 / 3, "1", "0.33333"),
        (1234.56789, "1", "1234.6"),
        (1234.56789, "FLOP/byte", "1234.6 FLOP/byte"),
        (0, "FLOP/byte", "0 FLOP/byte"),
        (1e-7, "1", "1e-07"),
        (1e20, "1", "1e+20"),
        (999.9999e-6, "s", "1 ms"),
        (999.994e-6, "s", "999.99 µs"),
        (999.999e6, "byte", "1 GB"),
        (0.9999999e-6, "s", "1 µs"),
        (999.9999, "s", "16.667 min"),
        (90, "s", "90 s"),
        (86400 * 50, "s", "50 d"),
        (86400 * 1000, "s", "8.64e+07 s"),
        (9.999999e-13, "s", "1 ps"),
        (1e-13, "s", "1e-13 s"),
        (-5e-6, "s", "-5 µs"),
        (1, "byte", "1 byte"),
        (0.25, "byte", "0.25 byte"),
        (1e-9, "byte", "1e-09 byte"),
        (1500, "byte", "1.5 kB"),
        (2.0**30, "byte", "1.0737 GB"),
        (1e21, "byte", "1e+21 byte"),
        (1.7976931348623157e308, "byte", "1.7977e+308 byte"),
        (6.3e24, "FLOP", "6.3e+24 FLOP"),
        (312e12, "FLOP/s", "312 TFLOP/s"),
    ],
)
def test_a_quantity_is_shown_with_five_digits(value, unit, text):
    assert format_quantity(value, unit) == text


@pytest.mark.parametrize(
    ("digits", "text"), [(1, "1 ms"), (2, "1.2 ms"), (3, "1.23 ms"), (7, "1.234568 ms"), (15, "1.23456789 ms")]
)
def test_digits_can_be_chosen(digits, text):
    assert format_quantity(1.23456789e-3, "s", digits) == text


@given(value=st.floats(1e-12, 59), digits=st.integers(1, 17))
def test_the_digits_are_those_of_the_value_rounded_once(value, digits):
    text, name = format_quantity(value, "s", digits).split(" ")
    rounded = Decimal(convert(value, "s", name)).normalize(Context(prec=digits, rounding=ROUND_HALF_EVEN))
    assert float(text) == float(rounded)
    assert text == repr(float(rounded)).removesuffix(".0")


def test_few_digits_do_not_bring_an_exponent():
    assert format_quantity(640, "s", 1) == "600 s"
    assert format_quantity(123456, "1", 2) == "123456"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((math.nan, "s"), "expected value to be a finite number, found nan"),
        ((math.inf, "byte"), "expected value to be a finite number, found inf"),
        ((True, "1"), "expected value to be a number, found True"),
        ((1, "ms"), 'expected a base unit: s, byte, byte/s, FLOP, FLOP/s, FLOP/byte, 1, found "ms"'),
        ((1, "s", 0), "expected digits from 1 to 17, found 0"),
        ((1, "s", 18), "expected digits from 1 to 17, found 18"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        format_quantity(*arguments)


@given(value=NUMBERS, unit=BASES)
@example(value=5e-324, unit="s")
@example(value=999.99999999999999, unit="s")
@example(value=1.7976931348623157e308, unit="byte/s")
def test_what_is_shown_with_all_digits_reads_back_the_same(value, unit):
    back = parse_quantity(format_quantity(value, unit, 17), unit)
    assert abs(Fraction(back) - Fraction(value)) <= Fraction(1e-15) * abs(Fraction(value))


@given(value=st.floats(1e-12, 8e7), digits=st.integers(1, 17))
def test_a_time_has_a_number_from_1_to_1000_or_an_exponent(value, digits):
    number, name = format_quantity(value, "s", digits).split(" ")
    assert name in KINDS["s"].ladder
    assert 1 <= float(number) < 1000 or "e" in number
    assert not re.search(r"\.\d*0$|\.$", number), "trailing zeros"
    assert len(number.replace(".", "").strip("0")) <= digits or "e" in number


@given(value=NUMBERS.filter(bool), unit=BASES, digits=st.integers(1, 17))
def test_rounding_is_to_the_digits_asked_for(value, unit, digits):
    try:
        back = parse_quantity(format_quantity(value, unit, digits), unit)
    except ModelError:
        assert abs(value) > 9e307, "only the largest floats may round to a number that no float holds"
    else:
        # Half a unit of the last digit, what the two conversions round, and what a subnormal number cannot hold.
        allowed = abs(Fraction(value)) * (Fraction(1, 2) / 10 ** (digits - 1) + Fraction(4e-16)) + Fraction(5e-324)
        assert abs(Fraction(back) - Fraction(value)) <= allowed
