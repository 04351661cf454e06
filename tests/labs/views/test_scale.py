"""Axes: where values stand, which values are named, and that names do not touch."""

from itertools import pairwise
from math import isclose, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.quantities.units import parse_quantity
from labs.views.scale import MOST, Axis, from_zero, whole_decades, with_room
from tests.labs.views.drawn import real_width

UNITS = st.sampled_from(["s", "byte", "byte/s", "FLOP", "1"])


def axis(low: float, high: float, *, log: bool, unit: str = "1", length: float = 280, **more: object) -> Axis:
    return Axis(low, high, 0, length, log, unit, **more)  # type: ignore[arg-type]


def test_a_log_axis_gives_each_decade_the_same_room() -> None:
    one = axis(1, 1000, log=True, unit="byte", length=300)
    assert [one.place(v) for v in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])
    assert one.place(0.1) == 0  # outside stands at the end
    assert one.place(1e9) == 300


def test_a_linear_axis_places_by_share() -> None:
    assert axis(10, 20, log=False, length=100).place(12.5) == 25


def test_an_upright_axis_runs_up() -> None:
    one = Axis(0, 10, 262, 34, False, "1", upright=True)
    assert (one.place(0), one.place(5), one.place(10)) == (262, 148, 34)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (1, 100, ["1", "2", "5", "10", "20", "50", "100"]),  # two decades have room for 1, 2, 5
        (1, 1e5, ["1", "10", "100", "1000", "10000", "100000"]),
        (1e3, 1e11, ["1000", "1e6", "1e9"]),  # too many for each decade: every third
    ],
)
def test_ticks_of_a_log_axis_are_as_fine_as_their_names_allow(low: float, high: float, labels: list[str]) -> None:
    assert [label for _, label in axis(low, high, log=True, length=400).ticks] == labels


def test_counts_of_many_digits_are_named_by_their_power_of_ten() -> None:
    labels = [label for _, label in axis(0, 5e11, log=False, length=276).ticks]
    assert labels == ["0", "1e11", "2e11", "3e11", "4e11", "5e11"]
    assert [label for _, label in axis(0, 5e5, log=False, length=276).ticks] == ["0", "200000", "400000"]


def test_every_third_decade_is_a_prefix() -> None:
    assert [label for _, label in axis(1e3, 1e11, log=True, unit="byte").ticks] == ["1 kB", "1 MB", "1 GB"]


@pytest.mark.parametrize(
    ("low", "high", "unit"), [(1e7, 1e11, "byte"), (1e8, 1e12, "byte"), (5e9, 5e13, "byte/s"), (1e-6, 1e-2, "s")]
)
def test_an_axis_of_a_few_decades_has_more_than_one_name(low: float, high: float, unit: str) -> None:
    assert len(axis(low, high, log=True, unit=unit, length=200).ticks) > 1


def test_counts_that_double_are_named_by_powers_of_two() -> None:
    one = axis(2, 65536, log=True, base=2)
    assert [value for value, _ in one.ticks] == [8, 64, 512, 4096, 32768]
    assert one.minor() == [2, 4, 16, 32, 128, 256, 1024, 2048, 8192, 16384, 65536]


def test_a_short_log_axis_has_marks_between_its_names() -> None:
    one = axis(1, 1000, log=True, length=300)
    marks = sorted([value for value, _ in one.ticks] + one.minor())
    assert marks == [*range(1, 10), *range(10, 100, 10), *range(100, 1001, 100)]
    assert axis(1, 1e9, log=True, length=300).minor() == [
        10**power
        for power in range(10)
        if power not in [round(log10(v)) for v, _ in axis(1, 1e9, log=True, length=300).ticks]
    ]


def test_a_linear_axis_has_round_steps_in_one_unit_that_stands_beside_its_name() -> None:
    one = axis(0, 4e-3, log=False, unit="s")
    assert [label for _, label in one.ticks] == ["0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"]
    assert one.named_unit == "ms"
    assert axis(0, 10, log=False).named_unit == ""


@pytest.mark.parametrize(
    ("values", "ends"),
    [([], (0, 1)), ([0], (0, 1)), ([3], (0, 3)), ([0.2, 3.7], (0, 4)), ([-3, 7], (-4, 8)), ([57], (0, 60))],
)
def test_a_linear_axis_of_lengths_begins_at_zero_and_ends_round(values: list[float], ends: tuple[float, float]) -> None:
    assert from_zero(values) == pytest.approx(ends)


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(2, 3, (2, 3)), (4, 4, (2, 6)), (0, 0, (-0.5, 0.5)), (-4, -4, (-6, -2)), (5e-324, 5e-324, (-0.5, 0.5))],
)
def test_a_single_value_has_room_on_both_sides(low: float, high: float, ends: tuple[float, float]) -> None:
    assert with_room(low, high) == ends


@pytest.mark.parametrize(("low", "high", "ends"), [(2, 30, (1, 100)), (1, 1, (1, 10)), (1, 1000, (1, 1000))])
def test_whole_decades_hold_the_values(low: float, high: float, ends: tuple[float, float]) -> None:
    assert whole_decades(low, high) == ends


@given(st.floats(-30, 29), st.floats(0.01, 40), UNITS, st.booleans(), st.floats(60, 500))
def test_names_on_a_log_axis_never_touch_and_are_true(
    low: float, decades: float, unit: str, two: bool, length: float
) -> None:
    one = axis(10**low, 10 ** min(low + decades, 40), log=True, unit=unit, length=length, base=2 if two else 10)
    check(one)
    for value, label in one.ticks:
        assert one.low * (1 - 1e-6) <= value <= one.high * (1 + 1e-6)
        assert isclose(parse_quantity(label.replace("e+", "e"), unit), value, rel_tol=6e-3)


@given(st.floats(-1e30, 1e30), st.floats(1e-30, 1e30), UNITS, st.floats(60, 500))
def test_names_on_a_linear_axis_never_touch(low: float, size: float, unit: str, length: float) -> None:
    if low + size > low:
        check(axis(low, low + size, log=False, unit=unit, length=length))


@given(st.floats(1e-30, 1e30), st.booleans(), st.floats(60, 500))
def test_names_on_an_upright_axis_keep_a_line_apart(size: float, log: bool, length: float) -> None:
    one = Axis(size / 1e4 if log else 0, size, length, 0, log, "s", upright=True)
    places = [one.place(value) for value, _ in one.ticks]
    assert all(a - b >= 19.9 for a, b in pairwise(places))


def check(one: Axis) -> None:
    assert len(one.ticks) <= MOST
    boxes = [(one.middle(value, label), real_width(label) / 2) for value, label in one.ticks]
    for (a, half), (b, other) in pairwise(boxes):
        assert b - other - (a + half) >= 4, one.ticks
    for at, half in boxes:
        assert at - half >= -one.margin - 1
        assert at + half <= one.end + one.margin + 1
