"""The coarse form T = n α + Q / B_eff: the card's example, both limits, and the ring as one of its cases."""

from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.coarse import coarse_communication_time
from labs.model.collectives.ring import ring_all_reduce

PHASES = st.integers(0, 10**6)
LATENCIES = st.floats(0, 1)
PAYLOADS = st.floats(0, 1e15)
BANDWIDTHS = st.floats(1e3, 1e15)


def test_four_phases_and_100_mb_take_2_02_ms():
    # four phases at 5 µs are 20 µs, and 100 MB at 50 GB/s are 2 ms
    assert coarse_communication_time(phases=4, latency=5e-6, payload=100e6, bandwidth=50e9) == 0.00202


@given(phases=PHASES, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_no_bytes_leave_the_latencies(phases, latency, bandwidth):
    assert coarse_communication_time(phases=phases, latency=latency, payload=0, bandwidth=bandwidth) == phases * latency


@given(latency=LATENCIES, payload=PAYLOADS, bandwidth=BANDWIDTHS)
def test_no_phases_leave_the_transfer(latency, payload, bandwidth):
    time = coarse_communication_time(phases=0, latency=latency, payload=payload, bandwidth=bandwidth)
    assert time == payload / bandwidth


@given(phases=PHASES, latency=LATENCIES, payload=PAYLOADS, bandwidth=BANDWIDTHS, factor=st.floats(1, 1e6))
def test_more_of_anything_but_bandwidth_never_takes_less(phases, latency, payload, bandwidth, factor):
    inputs = {"phases": phases, "latency": latency, "payload": payload, "bandwidth": bandwidth}
    time = coarse_communication_time(**inputs)
    assert coarse_communication_time(**inputs | {"phases": phases + 1}) >= time
    assert coarse_communication_time(**inputs | {"latency": latency * factor}) >= time
    assert coarse_communication_time(**inputs | {"payload": payload * factor}) >= time
    assert coarse_communication_time(**inputs | {"bandwidth": bandwidth * factor}) <= time


@given(latency=LATENCIES, payload=PAYLOADS, bandwidth=BANDWIDTHS, ranks=st.integers(1, 10**6))
def test_a_ring_is_the_case_of_its_steps_and_the_bytes_that_each_rank_sends(latency, payload, bandwidth, ranks):
    ring = ring_all_reduce(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    coarse = coarse_communication_time(
        phases=ring.steps, latency=latency, payload=ring.bytes_per_rank, bandwidth=bandwidth
    )
    assert coarse == ring.time
