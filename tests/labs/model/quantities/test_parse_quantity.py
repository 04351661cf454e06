"""Quantities as people type them: what is clear is read, whatever is doubtful is refused in one form."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import KINDS, parse_quantity

BASES = st.sampled_from(sorted(KINDS))
NEARLY = "0123456789.,eE+-_ \u00a0\u2009\N{MINUS SIGN}\N{MICRO SIGN}\N{GREEK SMALL LETTER MU}unmskKGMTiBbtpFLOPS/hd"


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("1 GB", "byte", 1e9),
        ("100 MB", "byte", 1e8),
        ("64 MiB", "byte", 64 * 2**20),
        ("8 GiB", "byte", 8589934592),
        ("1 kB", "byte", 1000),
        ("1 KB", "byte", 1000),
        ("1 KiB", "byte", 1024),
        ("7 byte", "byte", 7),
        ("7 bytes", "byte", 7),
        ("7B", "byte", 7),
        ("1 Gbit", "byte", 125e6),
        ("8 bits", "byte", 1),
        ("1e9", "byte", 1e9),
        ("1E9", "byte", 1e9),
        ("1e9B", "byte", 1e9),
        ("1EB", "byte", 1e18),
        ("1_000_000", "byte", 1e6),
        ("1\u2009000\u2009000 byte", "byte", 1e6),
        ("1\u202f000", "byte", 1000),
        ("12\u00a0345 kB", "byte", 12345e3),
        ("5 µs", "s", 5e-6),
        ("5 \N{GREEK SMALL LETTER MU}s", "s", 5e-6),
        ("5us", "s", 5e-6),
        ("5\u00a0µs", "s", 5e-6),
        ("  5 µs\t\n", "s", 5e-6),
        ("\u00a05\u202fµs\u2009", "s", 5e-6),
        ("\ufeff5 µs\u200b", "s", 5e-6),
        ("1.5e-3 s", "s", 1.5e-3),
        ("1.5e-3", "s", 1.5e-3),
        (".5 ms", "s", 5e-4),
        ("5. ms", "s", 5e-3),
        ("+5 ns", "s", 5e-9),
        ("5 ps", "s", 5e-12),
        ("2 min", "s", 120),
        ("1.5 h", "s", 5400),
        ("2 days", "s", 172800),
        ("0", "s", 0),
        ("-5 µs", "s", -5e-6),
        ("\N{MINUS SIGN}5 µs", "s", -5e-6),
        ("5 msec", "s", 5e-3),
        ("5 Microseconds", "s", 5e-6),
        ("3 nanoseconds", "s", 3e-9),
        ("100 megabytes", "byte", 1e8),
        ("1 Megabyte", "byte", 1e6),
        ("2 gibibytes", "byte", 2 * 2**30),
        ("8 gigabits", "byte", 1e9),
        ("1 GByte", "byte", 1e9),
        ("1 MBytes", "byte", 1e6),
        ("1 KiByte", "byte", 1024),
        ("50 gigabytes per second", "byte/s", 50e9),
        ("400 Gigabits / sec", "byte/s", 50e9),
        ("400 Gbits/s", "byte/s", 50e9),
        ("312 teraflops", "FLOP/s", 312e12),
        ("1 petaflop", "FLOP", 1e15),
        ("50GB/s", "byte/s", 50e9),
        ("50 GB / s", "byte/s", 50e9),
        ("50 GBps", "byte/s", 50e9),
        ("50 GiB/s", "byte/s", 50 * 2**30),
        ("400 Gb/s", "byte/s", 50e9),
        ("400 Gbit/s", "byte/s", 50e9),
        ("400 Gbps", "byte/s", 50e9),
        ("800 kbps", "byte/s", 1e5),
        ("800 Kbps", "byte/s", 1e5),
        ("6 TFLOP", "FLOP", 6e12),
        ("6.3e24", "FLOP", 6.3e24),
        ("300 TFLOP/s", "FLOP/s", 3e14),
        ("300 TFLOPS", "FLOP/s", 3e14),
        ("32", "1", 32),
        ("32.0", "1", 32),
        ("1e-400", "s", 0),
        ("0e99999999999", "s", 0),
    ],
)
def test_what_people_type_is_read(text, unit, value):
    assert parse_quantity(text, unit) == value


EXPECTED = {
    "s": "a time such as 5 µs",
    "byte": "a size such as 64 MiB",
    "byte/s": "a bandwidth such as 50 GB/s",
    "1": "a plain number such as 32",
}


@pytest.mark.parametrize(
    ("text", "unit", "found"),
    [
        ("5 GB", "s", '"5 GB"'),
        ("5 µs", "byte", '"5 µs"'),
        ("50 GB", "byte/s", '"50 GB" (did you mean "GB/s"?)'),
        ("50 GB/s", "byte", '"50 GB/s" (did you mean "GB"?)'),
        ("5 gb", "byte", '"5 gb" (did you mean "GB" or "Gbit"?)'),
        ("64 kb", "byte", '"64 kb" (did you mean "kB" or "kbit"?)'),
        ("8 b", "byte", '"8 b" (did you mean "B" or "bit"?)'),
        ("400 gbps", "byte/s", '"400 gbps" (did you mean "GBps" or "Gbps"?)'),
        ("5 MS", "s", '"5 MS" (did you mean "ms"?)'),
        ("8G", "byte", '"8G" (write GB for a power of ten, GiB for a power of two)'),
        ("8 k", "byte", '"8 k" (write kB for a power of ten, KiB for a power of two)'),
        ("5 parsec", "s", '"5 parsec" (known units: ps, ns, µs, ms, s, min, h, d)'),
        ("32 ranks", "1", '"32 ranks" (write the number alone)'),
        ("32 1", "1", '"32 1" (write 1000 or 1_000)'),
        ("1,5 s", "s", '"1,5 s" (write 1.5 with a point, and 1000 without a comma)'),
        ("1,000", "1", '"1,000" (write 1.5 with a point, and 1000 without a comma)'),
        ("1 000", "1", '"1 000" (write 1000 or 1_000)'),
        ("1_00", "1", '"1_00" (write 1000 or 1_000)'),
        ("1_0001", "1", '"1_0001" (write 1000 or 1_000)'),
        ("1_000\u2009000", "1", '"1_000 000" (write 1000 or 1_000)'),
        ("", "s", "nothing"),
        (" \u00a0 ", "s", "nothing"),
        ("soon", "s", '"soon"'),
        ("1 gbyte", "byte", '"1 gbyte" (did you mean "GB" or "Gbit"?)'),
        ("1 megaparsec", "s", '"1 megaparsec" (known units: ps, ns, µs, ms, s, min, h, d)'),
        ("1 megabyte", "s", '"1 megabyte"'),
        ("µs", "s", '"µs"'),
        ("nan", "s", '"nan"'),
        ("inf", "s", '"inf"'),
        (".", "s", '"."'),
        ("- 5", "s", '"- 5"'),
        ("٥ s", "s", '"٥ s"'),
        ("1e400", "s", '"1e400" (too large)'),
        ("1e308 h", "s", '"1e308 h" (too large)'),
        ("1e99999999999", "s", '"1e99999999999" (too large)'),
        ("5\ns\x00", "s", '"5 s\N{REPLACEMENT CHARACTER}" (did you mean "s"?)'),
        ("x" * 40, "s", f'"{"x" * 40}"'),
        ("x" * 41, "s", f'"{"x" * 40}…"'),
        ("9" * 5000, "s", f'"{"9" * 40}…"'),
    ],
)
def test_what_is_no_such_quantity_is_refused(text, unit, found):
    with pytest.raises(ModelError) as refusal:
        parse_quantity(text, unit)
    assert str(refusal.value) == f"expected {EXPECTED[unit]}, found {found}"


def test_what_is_no_text_is_refused_too():
    with pytest.raises(ModelError, match=r"^expected a time such as 5 µs, found 5\.0$"):
        parse_quantity(5.0, "s")


def test_a_known_unit_of_another_kind_needs_no_list_of_units():
    with pytest.raises(ModelError) as refusal:
        parse_quantity("5 GB", "s")
    assert refusal.value.hint is None


@given(text=st.text(), unit=BASES)
def test_any_text_is_read_or_refused(text, unit):
    read_or_refused(text, unit)


@given(text=st.text(alphabet=NEARLY, max_size=12), unit=BASES)
@example(text="5/", unit="byte/s")
@example(text="5 /s", unit="byte/s")
@example(text="1e", unit="1")
@example(text="_", unit="1")
def test_any_text_that_is_nearly_a_quantity_is_read_or_refused(text, unit):
    read_or_refused(text, unit)


def read_or_refused(text, unit):
    try:
        value = parse_quantity(text, unit)
    except ModelError as refusal:
        str(refusal).encode()  # a lone surrogate from the text would fail here
        assert "\n" not in str(refusal)
    else:
        assert math.isfinite(value)


@given(digits=st.from_regex(r"[0-9]{1,17}(\.[0-9]{1,17})?", fullmatch=True), power=st.integers(-200, 200))
def test_decimal_prefixes_round_once_as_the_same_number_written_out_would(digits, power):
    for name, shift in (("s", 0), ("ms", -3), ("µs", -6), ("ns", -9)):
        assert parse_quantity(f"{digits}e{power} {name}", "s") == float(f"{digits}e{power + shift}")
