"""The ideal ring against its closed form in exact arithmetic, its limits, and the laws that any cost obeys."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.model.collectives.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.collectives.ring import (
    ring_all_reduce,
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_bytes_per_rank,
    ring_all_reduce_crossover,
    ring_all_reduce_latency_term,
    ring_all_reduce_steps,
    ring_all_reduce_time,
)
from labs.model.quantities.errors import ModelError

RANKS = st.integers(1, 10**6)
RINGS = st.integers(2, 10**6)
PAYLOADS = st.floats(1, 1e15)
LATENCIES = st.floats(1e-9, 1)
BANDWIDTHS = st.floats(1e3, 1e15)


def close(value: float, expected: float | Fraction, within: float = 1e-14) -> bool:
    return abs(Fraction(value) - Fraction(expected)) <= Fraction(within) * abs(Fraction(expected))


def test_the_issue_s_example_to_the_last_digit():
    assert ring_all_reduce_time(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9) == 0.019685


@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_time_is_the_closed_form(payload, ranks, latency, bandwidth):
    time = ring_all_reduce_time(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    exact = 2 * (ranks - 1) * (Fraction(latency) + Fraction(payload) / (ranks * Fraction(bandwidth)))
    assert close(time, exact)


@given(payload=PAYLOADS, ranks=RANKS)
def test_each_rank_sends_everything_but_its_own_chunk_twice(payload, ranks):
    sent = ring_all_reduce_bytes_per_rank(payload=payload, ranks=ranks)
    assert close(sent, 2 * (Fraction(payload) - Fraction(payload) / ranks))


@given(payload=PAYLOADS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_one_rank_sends_nothing_and_takes_no_time(payload, latency, bandwidth):
    ring = ring_all_reduce(payload=payload, ranks=1, latency=latency, bandwidth=bandwidth)
    assert (ring.steps, ring.bytes_per_rank, ring.latency_term, ring.bandwidth_term, ring.time) == (0, 0, 0, 0, 0)
    assert ring.algorithm_bandwidth is None
    assert ring.bus_bandwidth is None


def test_two_ranks_exchange_halves_twice():
    ring = ring_all_reduce(payload=8.0, ranks=2, latency=1.0, bandwidth=4.0)
    assert (ring.steps, ring.bytes_per_rank, ring.latency_term, ring.bandwidth_term) == (2, 8.0, 2.0, 2.0)


def test_nothing_to_send_still_costs_the_latency():
    ring = ring_all_reduce(payload=0, ranks=8, latency=5e-6, bandwidth=50e9)
    assert ring.time == ring.latency_term == 14 * 5e-6
    assert (ring.bytes_per_rank, ring.algorithm_bandwidth, ring.bus_bandwidth) == (0, 0, 0)


def test_nothing_to_send_without_latency_has_no_bandwidth():
    ring = ring_all_reduce(payload=0, ranks=8, latency=0, bandwidth=50e9)
    assert (ring.time, ring.algorithm_bandwidth, ring.bus_bandwidth, ring.crossover) == (0, None, None, 0)


@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_the_terms_add_up(payload, ranks, latency, bandwidth):
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert ring.latency_term + ring.bandwidth_term == ring.time
    assert ring.bytes_per_rank / bandwidth == ring.bandwidth_term


@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_the_record_holds_what_the_functions_give(payload, ranks, latency, bandwidth):
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert ring.steps == ring_all_reduce_steps(ranks=ranks)
    assert ring.bytes_per_rank == ring_all_reduce_bytes_per_rank(payload=payload, ranks=ranks)
    assert ring.latency_term == ring_all_reduce_latency_term(ranks=ranks, latency=latency)
    assert ring.bandwidth_term == ring_all_reduce_bandwidth_term(payload=payload, ranks=ranks, bandwidth=bandwidth)
    assert ring.time == ring_all_reduce_time(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert ring.crossover == ring_all_reduce_crossover(ranks=ranks, latency=latency, bandwidth=bandwidth)
    if ranks > 1:
        assert ring.algorithm_bandwidth == algorithm_bandwidth(payload=payload, time=ring.time)
        bus = all_reduce_bus_bandwidth(payload=payload, time=ring.time, ranks=ranks)
        assert close(ring.bus_bandwidth, bus)


@pytest.mark.parametrize("grows", ["payload", "latency"])
@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS, factor=st.floats(1, 1e6))
def test_time_never_falls_with_more_bytes_or_latency(grows, payload, ranks, latency, bandwidth, factor):
    inputs = {"payload": payload, "ranks": ranks, "latency": latency, "bandwidth": bandwidth}
    more = inputs | {grows: inputs[grows] * factor}
    assert ring_all_reduce_time(**more) >= ring_all_reduce_time(**inputs)


@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS, factor=st.floats(1, 1e6))
def test_time_never_rises_with_bandwidth(payload, ranks, latency, bandwidth, factor):
    inputs = {"payload": payload, "ranks": ranks, "latency": latency}
    slow, fast = (ring_all_reduce_time(**inputs, bandwidth=rate) for rate in (bandwidth, bandwidth * factor))
    assert fast <= slow


@given(payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_another_rank_costs_two_latencies_and_some_time(payload, ranks, latency, bandwidth):
    inputs = {"payload": payload, "latency": latency, "bandwidth": bandwidth}
    less, more = (ring_all_reduce_time(**inputs, ranks=p) for p in (ranks, ranks + 1))
    assert more >= less + 2 * latency - 1e-12 * more


@given(ranks=RINGS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_both_terms_are_equal_at_the_crossover(ranks, latency, bandwidth):
    crossover = ring_all_reduce_crossover(ranks=ranks, latency=latency, bandwidth=bandwidth)
    ring = ring_all_reduce(payload=crossover, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert close(ring.bandwidth_term, ring.latency_term)
    assert close(ring.bus_bandwidth, Fraction(bandwidth) / 2)


@given(payload=PAYLOADS, bandwidth=BANDWIDTHS, ranks=RINGS)
def test_the_bandwidth_term_lies_between_one_and_two_transfers_of_the_payload(payload, bandwidth, ranks):
    term = ring_all_reduce_bandwidth_term(payload=payload, ranks=ranks, bandwidth=bandwidth)
    transfer = payload / bandwidth
    assert transfer * (1 - 1e-15) <= term <= 2 * transfer * (1 + 1e-15)
    assert close(term, Fraction(2 * transfer), within=1.01 / ranks)


@given(payload=st.floats(0, 1e15), ranks=RINGS, latency=st.floats(0, 1), bandwidth=BANDWIDTHS)
def test_the_bus_bandwidth_is_never_above_the_link(payload, ranks, latency, bandwidth):
    assume(latency > 1e-300 or payload > 1e-200)
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert ring.bus_bandwidth <= bandwidth
    assert ring.algorithm_bandwidth <= ring.bus_bandwidth * (1 + 1e-15)


@given(ranks=RINGS, latency=LATENCIES, bandwidth=BANDWIDTHS, factor=st.floats(1e-3, 1e9))
def test_the_bus_bandwidth_tends_to_the_link_as_the_payload_grows(ranks, latency, bandwidth, factor):
    payload = factor * ring_all_reduce_crossover(ranks=ranks, latency=latency, bandwidth=bandwidth)
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    assert close(ring.bus_bandwidth, Fraction(bandwidth) * Fraction(factor) / (1 + Fraction(factor)), within=1e-13)


@given(payload=PAYLOADS, ranks=RINGS, bandwidth=BANDWIDTHS)
def test_without_latency_the_bus_bandwidth_is_the_link(payload, ranks, bandwidth):
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=0, bandwidth=bandwidth)
    assert close(ring.bus_bandwidth, bandwidth)


EXTREMES = {
    "payload": [0, 5e-324, 1e-300, 1, 1e9, 1e300, 1.7976931348623157e308, 10**300],
    "ranks": [1, 2, 3, 10**6, 2**53],
    "latency": [0, 5e-324, 5e-6, 1e300, 1.7976931348623157e308],
    "bandwidth": [5e-324, 1e-310, 1, 50e9, 1e300, 1.7976931348623157e308],
}


def test_extreme_inputs_give_finite_numbers_or_a_refusal():
    for values in itertools.product(*EXTREMES.values()):
        inputs = dict(zip(EXTREMES, values, strict=True))
        try:
            ring = ring_all_reduce(**inputs)
        except ModelError as refusal:
            assert "found a larger one" in str(refusal), inputs
            assert refusal.argument is None
        else:
            numbers = [getattr(ring, name) for name in ring.__slots__]
            assert all(number is None or (math.isfinite(number) and number >= 0) for number in numbers), inputs


@pytest.mark.parametrize(
    "inputs",
    [
        {"payload": 0, "ranks": 10**6, "latency": 0, "bandwidth": 1.7976931348623157e308},
        {"payload": 1e308, "ranks": 1, "latency": 0, "bandwidth": 1e300},
        {"payload": 1e15, "ranks": 10**6, "latency": 10.0, "bandwidth": 1e-3},
    ],
)
def test_what_has_an_answer_gets_one(inputs):
    assert math.isfinite(ring_all_reduce(**inputs).time)
