"""The ring's α and B from times: what an ideal ring gives comes back, and what no row shows is not said."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.ring import ring_all_reduce_time
from labs.model.measured.line import Sums, student
from labs.model.measured.ring_fit import fit_ring
from labs.model.quantities.errors import ModelError

SIZES = tuple(8.0 * 2**k for k in range(31))


def ring_times(sizes, ranks, latency, bandwidth):
    return tuple(
        ring_all_reduce_time(payload=size, ranks=ranks, latency=latency, bandwidth=bandwidth) for size in sizes
    )


@given(st.integers(2, 4096), st.floats(1e-7, 1e-3), st.floats(1e8, 1e13))
def test_an_ideal_ring_comes_back(ranks, latency, bandwidth):
    crossover = ranks * latency * bandwidth
    sizes = tuple(crossover * 2.0**k for k in range(-8, 9))
    fit = fit_ring(sizes=sizes, times=ring_times(sizes, ranks, latency, bandwidth), ranks=ranks)
    assert fit.latency == pytest.approx(latency, rel=1e-9)
    assert fit.bandwidth == pytest.approx(bandwidth, rel=1e-9)
    assert fit.worst_error < 1e-9


def test_scatter_leaves_them_within_their_intervals():
    """Of 95 % intervals some miss; of 200 with a scatter of 3 %, by more than three standard errors from 10, none."""
    held = 0
    for seed in range(200):
        noise = random.Random(seed)
        times = [time * noise.gauss(1, 0.03) for time in ring_times(SIZES, 8, 5e-6, 100e9)]
        fit = fit_ring(sizes=SIZES, times=tuple(times), ranks=8)
        held += fit.latency_from <= 5e-6 <= fit.latency_to and fit.bandwidth_from <= 100e9 <= fit.bandwidth_to
        assert fit.latency == pytest.approx(5e-6, rel=0.06)
        assert fit.bandwidth == pytest.approx(100e9, rel=0.06)
    assert held >= 170


@given(st.floats(1e-3, 1e3))
def test_another_unit_of_time_scales_both(scale):
    times = ring_times(SIZES, 4, 1e-6, 1e11)
    one = fit_ring(sizes=SIZES, times=times, ranks=4)
    other = fit_ring(sizes=SIZES, times=tuple(scale * time for time in times), ranks=4)
    assert other.latency == pytest.approx(scale * one.latency)
    assert other.bandwidth == pytest.approx(one.bandwidth / scale)


def test_small_messages_alone_tell_no_bandwidth():
    sizes = SIZES[:12]
    noise = random.Random(1)
    times = tuple(time * noise.gauss(1, 0.02) for time in ring_times(sizes, 8, 5e-6, 100e9))
    fit = fit_ring(sizes=sizes, times=times, ranks=8)
    assert fit.bandwidth is None and fit.bandwidth_from is None and fit.bandwidth_to is None
    assert fit.latency == pytest.approx(5e-6, rel=0.05)
    assert fit.best_bus_bandwidth < 1e9


@pytest.mark.parametrize(("largest", "known"), [(0.5, False), (2, False), (4, True), (16, True)])
def test_b_is_known_from_three_times_the_crossover(largest, known):
    """At M = x p α B the ring reaches x/(1 + x) of B: three quarters at x = 3."""
    crossover = 8 * 5e-6 * 100e9
    sizes = tuple(crossover * largest / 2**k for k in range(12))
    fit = fit_ring(sizes=sizes, times=ring_times(sizes, 8, 5e-6, 100e9), ranks=8)
    assert (fit.bandwidth is not None) == known
    assert known or f"{100 * largest / (1 + largest):.0f} % of the B" in fit.bandwidth_why


@pytest.mark.parametrize(("smallest", "known"), [(2, False), (0.5, False), (0.25, True), (0.01, True)])
def test_alpha_is_known_below_a_third_of_the_crossover(smallest, known):
    crossover = 8 * 5e-6 * 100e9
    sizes = tuple(crossover * smallest * 2**k for k in range(12))
    fit = fit_ring(sizes=sizes, times=ring_times(sizes, 8, 5e-6, 100e9), ranks=8)
    assert (fit.latency is not None) == known
    assert fit.most_latency >= 5e-6
    assert known or "no message is small enough" in fit.latency_why


def test_neither_is_below_zero():
    falling = fit_ring(sizes=(1.0, 2.0, 4.0, 8.0), times=(4.0, 3.0, 2.0, 1.0), ranks=2)
    assert falling.bandwidth is None and "no part of the time grows" in falling.bandwidth_why
    bent = fit_ring(sizes=(1.0, 10.0, 100.0, 1000.0), times=(0.5, 9.0, 100.0, 1100.0), ranks=2)
    assert bent.latency is None and "no part of the time is independent of size" in bent.latency_why
    assert all(time > 0 for time in bent.times)


def test_two_sizes_are_nothing_to_judge_by():
    fit = fit_ring(sizes=(1.0, 1e9), times=(1.0, 100.0), ranks=2)
    assert fit.latency is None and fit.bandwidth is None
    assert "nothing to judge it by" in fit.bandwidth_why


def test_wide_scatter_is_said():
    """Twice each size, half as long and half as long again: ±50 % about 1 s and 1 byte/s."""
    sizes = (0.01, 0.01, 1.0, 1.0, 100.0, 100.0)
    fit = fit_ring(sizes=sizes, times=(0.7, 1.5, 1.3, 3.0, 70.0, 150.0), ranks=2)
    assert fit.bandwidth is None and "% only" in fit.bandwidth_why
    assert fit.latency is None and "% only" in fit.latency_why


@pytest.mark.parametrize(
    ("sizes", "times", "ranks", "message"),
    [
        ((1.0, 2.0), (1.0, 2.0), 1, "expected ranks >= 2, found 1"),
        ((1.0, 2.0), (1.0,), 2, "expected a time for each size, found 1 for 2"),
        ((1.0, 1.0), (1.0, 2.0), 2, "expected two sizes or more, found 1"),
        ((), (), 2, "expected two sizes or more, found 0"),
        ((0.0, 1.0), (1.0, 2.0), 2, "expected sizes > 0 byte, found 0 byte"),
        ((1.0, 2.0), (1.0, 0.0), 2, "expected times > 0 s, found 0 s"),
    ],
)
def test_what_cannot_be_fitted_is_refused(sizes, times, ranks, message):
    with pytest.raises(ModelError) as refused:
        fit_ring(sizes=sizes, times=times, ranks=ranks)
    assert refused.value.message == message


def test_students_t():
    """Published two-sided 95 % points: 2.201 for 11, 2.086 for 20, 2.000 for 60 degrees of freedom."""
    assert student(11) == pytest.approx(2.201, rel=1e-3)
    assert student(20) == pytest.approx(2.086, abs=1e-3)
    assert student(60) == pytest.approx(2.000, abs=1e-3)


def test_a_line_through_one_size_is_level():
    sums = Sums()
    sums.add(4.0, 2.0)
    sums.add(4.0, 2.0)
    assert (sums.line().start, sums.line().slope) == (2.0, 0.0)
    assert sums.deviations(1.0) == (float("inf"), float("inf"))
