from decimal import Decimal

import pytest

from macros.cards.dimensions import Mismatch, check_equation
from macros.cards.equations import equation_findings
from macros.cards.tex import without_tex
from macros.cards.types import Card
from macros.cards.units import unit_dimension
from macros.equations.arithmetic import Unclear, plain_name

S, BYTE, FLOP, RATE = (("s", 1),), (("byte", 1),), (("FLOP", 1),), (("byte", 1), ("s", -1))
UNITS = {
    "T": "s", "Tcomm": "s", "n": "count", "α": "s/phase", "Q": "byte", "M": "byte", "B_eff": "GB/s", "B": "byte/s",
    "p": "1", "N": "parameters", "B_global": "examples/update", "B_micro": "examples/microbatch",
    "N_accumulation": "microbatches/update", "N_data parallel": "count", "F": "FLOP", "R": "TFLOP/s", "I": "FLOP/byte",
}  # fmt: skip
SYMBOLS = {plain_name(symbol): unit_dimension(unit) for symbol, unit in UNITS.items()}


@pytest.mark.parametrize(
    ("unit", "dimension"),
    [
        ("s", S), ("ms", S), ("seconds", S), ("byte", BYTE), ("GiB", BYTE), ("bytes/parameter", BYTE), ("byte/s", RATE),
        ("GB/s", RATE), ("Gbit/s/rank", RATE), ("bytes per s", RATE), ("byte·s⁻¹", RATE), ("byte s^-1", RATE),
        ("FLOP/byte", (("FLOP", 1), ("byte", -1))), ("s^2", (("s", 2),)), ("1", ()), ("count", ()), ("%", ()),
        ("examples/update", ()), ("microbatches/update", ()), ("s/phase", S), ("J", None), ("parsec", None),
        ("GB/parsec", None),        ("a long story", None), ("s^", None), ("", None), ("s^99999", None),
    ],
)  # fmt: skip
def test_a_unit_has_a_dimension_or_is_not_known(unit, dimension):
    assert unit_dimension(unit) == dimension


@pytest.mark.parametrize(
    "equation",
    [
        "Tcomm ≈ n α + Q / Beff",
        "T = 2 (p − 1) (α + M / (p B))",
        "T = 2 (p − 1) α + 2 (p − 1) / p · M / B",
        "M / T = B; T = M/B",
        "T = T² / α",
        "T = M^2 / (M · B)",
        "M = 16 N",  # the 16 is bytes for each parameter
        "T ≥ F / R",
        "I = F / M",
        "B_global = B_micro N_accumulation N_data_parallel",
        r"T_{\mathrm{comm}} \approx n\alpha + \frac{Q}{B_{\mathrm{eff}}}",
        r"B_{\mathrm{global}}=B_{\mathrm{micro}}N_{\mathrm{accumulation}}N_{\mathrm{data\ parallel}}",
        r"T = \frac{M}{B} + \frac{\frac{M}{p}}{B}",
        r"T = 2\left(p-1\right)\,\alpha",
    ],
)
def test_equations_that_fit_are_right(equation):
    check_equation(without_tex(equation), SYMBOLS)


@pytest.mark.parametrize(
    ("equation", "one", "other"),
    [
        ("T = n α + Q · Beff", S, (("byte", 2), ("s", -1))),
        ("T = B", S, RATE),
        ("T = M/B; T = M B", S, (("byte", 2), ("s", -1))),
        ("T = 2 (p − 1) (α + M B)", S, (("byte", 2), ("s", -1))),
        ("M = T + Q", S, BYTE),
        ("T = F", S, FLOP),
        (r"T = \frac{B}{M}", S, (("s", -1),)),
        (r"T_{comm} = n\alpha + Q B_{eff}", S, (("byte", 2), ("s", -1))),
        ("M = N", BYTE, ()),
    ],
)
def test_sides_and_sums_that_do_not_fit_are_found(equation, one, other):
    with pytest.raises(Mismatch) as caught:
        check_equation(without_tex(equation), SYMBOLS)
    assert (caught.value.one, caught.value.other) == (one, other)


@pytest.mark.parametrize(
    "equation",
    [
        "The time grows with the payload.",
        "T = M / p B",  # M / (p B) or (M / p) B?
        "T = max(α, M / B)",
        "T = unknown",
        "T = (M / B",
        "T = M^n / B",
        "T",
        "",
        "T = ",
        "T = M / B)",
        r"T = \sum_i M_i / B",
        "T = |M| / B",
    ],
)
def test_what_is_not_certain_is_left_alone(equation):
    with pytest.raises(Unclear):
        check_equation(without_tex(equation), SYMBOLS)


def declared(ferry, equation, *names, **more):
    symbols = [{"symbol": name, "meaning": "m", "unit": UNITS[name]} for name in names]
    ferry["science"][0] |= {"equation": equation, "symbols": symbols, **more}
    return [(finding.at, finding.message) for finding in equation_findings(Card.model_validate(ferry))]


def test_latex_is_what_is_read_where_there_is_some(ferry):
    message = "expected one unit on both sides and in each sum, found s and byte^2/s"
    wrong = declared(ferry, "T = M / B", "T", "M", "B", latex="T = M B")
    assert wrong == [(("science", 0, "latex"), message)]
    assert declared(ferry, "T = M B", "T", "M", "B", latex=r"T = \frac{M}{B}") == []
    assert declared(ferry, "T = M B", "T", "M", "B", latex=r"\sum") == [(("science", 0, "equation"), message)]


def test_an_unknown_unit_ends_the_check(ferry):
    UNITS["E"] = "J"
    assert declared(ferry, "T = E", "T", "E") == []


def test_symbols_are_held_against_the_arguments_of_the_model(ferry):
    right = declared(ferry, "In words.", "n", "α", "Q", "B_eff", model="coarse_communication_time")
    assert right == []
    ferry["science"][0]["symbols"] = [{"symbol": "B_eff", "meaning": "m", "unit": "byte"}]
    (finding,) = equation_findings(Card.model_validate(ferry))
    assert finding.at == ("science", 0, "symbols", 0, "unit")
    assert finding.message == 'expected a unit of byte/s for B_eff, found "byte"'


def row_findings(ferry, **row):
    ferry["science"][0] |= {"equation": "In words.", "symbols": [{"symbol": "M", "meaning": "m", **row}]}
    return [
        (finding.at[4:], finding.message, finding.hint, finding.severity)
        for finding in equation_findings(Card.model_validate(ferry))
    ]


@pytest.mark.parametrize(
    ("unit", "meant"),
    [
        ("byt", "byte"),
        ("sec", "s"),
        ("s/requets", "s/requests"),
        ("B/sec", "B/s"),
        ("FLOPs/token", "FLOP/token"),
        ("GFLOPs", "GFLOP"),
        ("megabytes", "MB"),
    ],
)
def test_a_unit_that_is_a_slip_is_told_for_it_would_end_the_check(unit, meant, ferry):
    (found,) = row_findings(ferry, unit=unit, value="5 whatever")
    assert found[0] == ("unit",)
    assert found[1].startswith(f'expected a unit that is known, found "{unit}"')
    assert found[2:] == (f'did you mean "{meant}"?', "warning")


@pytest.mark.parametrize("unit", ["J", "W", "USD", "kWh/step", "nats", "bins", "hits", "pages", "users", "GHz"])
def test_a_unit_that_nobody_knows_is_no_slip(unit, ferry):
    assert row_findings(ferry, unit=unit, value=5) == []


@pytest.mark.parametrize(
    ("unit", "value", "message"),
    [
        ("MB", 700, "expected a quantity with its unit, as the symbol's own is MB, found 700"),
        ("GB/step", 2, "expected a quantity with its unit, as the symbol's own is GB/step, found 2"),
        ("µs", Decimal("1.5"), "expected a quantity with its unit, as the symbol's own is µs, found 1.5"),
        ("GB/s", "3", "expected a quantity with its unit, as the symbol's own is GB/s, found 3"),
        ("count", Decimal("-2.5"), "expected another value of M, found -2.5: it is a count, so a whole number from 1"),
        ("count", 0, "expected another value of M, found 0: it is a count, so a whole number from 1"),
        ("layers", -1, "expected another value of M, found -1: a number of layers is not negative"),
        ("s", -1, "expected another value of M, found -1: a time is not negative"),
        ("MB", "-700 MB", "expected another value of M, found -700 MB: a size is not negative"),
        ("MB", "700 s", 'expected a size such as 64 MiB, found "700 s"'),
    ],
)
def test_a_value_that_its_symbol_cannot_have_is_refused(unit, value, message, ferry):
    (found,) = row_findings(ferry, unit=unit, value=value)
    assert (found[0], found[1].removesuffix(" on"), found[3]) == (("value",), message, "error")


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        ("KiB/token", "320 KiB/token"),
        ("bytes/value", "2 bytes/value"),
        ("MB", "700 MB"),
        ("byte", 7),
        ("s/phase", 5),
        ("count", 8),
        ("1", Decimal(-2)),
        ("ratio", -1),
        ("GB/s", "3 B/s"),
    ],
)
def test_a_value_of_its_symbol_is_right(unit, value, ferry):
    assert row_findings(ferry, unit=unit, value=value) == []


def test_the_letter_that_tells_bytes_from_bits_is_asked_for(ferry):
    ((_, _, hint, _),) = row_findings(ferry, unit="gb")
    assert hint == 'bytes are "GB", bits "Gbit"'


@pytest.mark.parametrize(
    ("unit", "value", "hint"),
    [
        ("GB/s", 450, 'write "450 GB/s", or "450 byte/s"'),
        ("GB", 5e9, 'write "5000000000.0 GB", or "5000000000.0 byte"'),
        ("KiB/token", 320, 'write "320 KiB", or "320 byte"'),
    ],
)
def test_a_bare_number_beside_a_prefix_is_asked_for_its_unit(unit, value, hint, ferry):
    ((_, _, found, _),) = row_findings(ferry, unit=unit, value=Decimal(str(value)))
    assert found == hint
