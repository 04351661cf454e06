"""Collectives on a torus: against the bytes that each link of a ring carries, and the scaling book's examples."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.torus import torus_collective_time
from labs.model.quantities.errors import ModelError


def time(operation, payload=1, chips=4, **more):
    return torus_collective_time(operation=operation, payload=payload, chips=chips, **{"bandwidth": 1} | more)


@given(half=st.integers(1, 200))
def test_an_all_to_all_is_what_its_parts_load_each_link_with(half):
    """On a ring of X chips a part V / X² goes the shorter way; half of those to the opposite chip go either way."""
    chips = 2 * half
    ways = sum(range(1, half)) + Fraction(half, 2)
    assert time("all-to-all", chips=chips) == pytest.approx(float(ways * chips / Fraction(chips) ** 2 / chips))


@given(chips=st.integers(2, 10**6))
def test_an_all_gather_tends_to_half_the_array_on_each_side(chips):
    exact = Fraction(chips - 1, 2 * chips)
    assert 0 <= time("all-gather", chips=chips) - float(exact) <= 1 / chips


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_all_axes_share_the_work(axes):
    assert time("all-gather", payload=60, axes=axes) == 30 / axes
    assert time("reduce-scatter", payload=60, axes=axes) == 30 / axes
    assert time("all-reduce", payload=60, axes=axes) == 60 / axes


def test_a_small_array_takes_the_hops_to_the_opposite_chip():
    """Four chips at 1 µs a hop: 2 µs, where bytes would take a tenth of one."""
    small = {"payload": 9e3, "latency": 1e-6, "bandwidth": 45e9}
    assert time("all-gather", chips=4, **small) == 2e-6
    assert time("all-reduce", chips=4, **small) == 4e-6
    assert time("all-gather", chips=4, **small | {"payload": 9e9}) == 0.1


def test_one_chip_sends_nothing():
    assert time("all-reduce", payload=1e9, chips=1, latency=1) == 0


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            {"operation": "broadcast"},
            "expected one of all-gather, reduce-scatter, all-reduce, all-to-all on a torus, found broadcast",
        ),
        ({"operation": "all-to-all", "axes": 2}, "expected an all-to-all along one axis, found 2 axes"),
        ({"operation": "all-gather", "chips": 0}, "expected chips >= 1, found 0"),
    ],
)
def test_refusals(inputs, message):
    with pytest.raises(ModelError) as refusal:
        time(**inputs)
    assert str(refusal.value) == message
