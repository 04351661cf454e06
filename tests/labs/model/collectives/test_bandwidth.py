"""Algorithm and bus bandwidth, by their definitions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth, bus_bandwidth
from labs.model.quantities.errors import ModelError

PAYLOADS = st.floats(1, 1e15)
TIMES = st.floats(1e-9, 1e6)


@given(payload=PAYLOADS, time=TIMES)
def test_algorithm_bandwidth_times_time_is_the_payload(payload, time):
    moved = Fraction(algorithm_bandwidth(payload=payload, time=time)) * Fraction(time)
    assert abs(moved - Fraction(payload)) <= Fraction(1e-15) * Fraction(payload)


@given(payload=PAYLOADS, time=TIMES, ranks=st.integers(2, 10**6))
def test_bus_bandwidth_is_at_least_the_algorithm_bandwidth_and_less_than_twice(payload, time, ranks):
    algorithm = algorithm_bandwidth(payload=payload, time=time)
    assert algorithm <= all_reduce_bus_bandwidth(payload=payload, time=time, ranks=ranks) < 2 * algorithm


@given(payload=PAYLOADS, time=TIMES)
def test_one_rank_uses_no_link(payload, time):
    assert all_reduce_bus_bandwidth(payload=payload, time=time, ranks=1) == 0


def test_nothing_moved_is_no_bandwidth():
    assert algorithm_bandwidth(payload=0, time=1e-6) == 0


@pytest.mark.parametrize(
    ("operation", "factor"),
    [
        ("all-reduce", Fraction(14, 8)),
        ("reduce-scatter", Fraction(7, 8)),
        ("all-gather", Fraction(7, 8)),
        ("all-to-all", Fraction(7, 8)),
        ("broadcast", 1),
        ("reduce", 1),
        ("send-recv", 1),
    ],
)
def test_each_operation_has_its_factor(operation, factor):
    assert bus_bandwidth(operation=operation, payload=64, time=0.5, ranks=8) == 128 * factor


def test_an_operation_that_is_none_is_refused():
    with pytest.raises(ModelError, match=r'expected operation to be one of .*, found "all_reduce" \(did you mean'):
        bus_bandwidth(operation="all_reduce", payload=1, time=1, ranks=2)
