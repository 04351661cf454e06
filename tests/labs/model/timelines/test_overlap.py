"""Closed forms of overlap: limits, the seed's case, and buckets against a run of PyTorch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.coarse import coarse_communication_time
from labs.model.quantities.errors import ModelError
from labs.model.timelines.buckets import DDP_BUCKET, DDP_FIRST_BUCKET, bucket_count, gradient_buckets
from labs.model.timelines.overlap import (
    exposed_communication,
    exposed_gradient_reduction,
    exposed_prefetch,
    overlap_bounds,
)

TIMES = st.floats(0, 1e3)


def test_a_millisecond_of_compute_leaves_the_rest_of_the_collective_exposed():
    """Four phases of 5 µs and 100 MB at 50 GB/s take 2.02 ms."""
    collective = coarse_communication_time(phases=4, latency=5e-6, payload=100e6, bandwidth=50e9)
    assert exposed_communication(communication=collective, hiding=1e-3) == pytest.approx(1.02e-3)
    assert exposed_communication(communication=collective, hiding=0) == collective
    assert exposed_communication(communication=collective, hiding=1) == 0


@given(compute=TIMES, communication=TIMES)
def test_the_step_with_what_stays_exposed_is_the_shortest_there_is(compute, communication):
    bounds = overlap_bounds(compute=compute, communication=communication)
    exposed = exposed_communication(communication=communication, hiding=compute)
    assert compute + exposed == pytest.approx(bounds.shortest)
    assert 1 <= bounds.ratio <= 2


def test_nothing_to_do_has_no_range():
    assert overlap_bounds(compute=0, communication=0).ratio == 1


@given(c=TIMES, b=TIMES, n=st.integers(1, 100))
def test_more_buckets_hide_more_and_never_all(c, b, n):
    one, more = (exposed_gradient_reduction(communication=c, backward=b, buckets=k) for k in (n, n + 1))
    ideal = exposed_communication(communication=c, hiding=b)
    assert one >= more - 1e-9
    assert more >= ideal - 1e-9
    assert exposed_gradient_reduction(communication=c, backward=b, buckets=1) == c
    assert exposed_gradient_reduction(communication=c, backward=b, buckets=10**9) == pytest.approx(ideal, abs=1e-5)


def test_prefetch_hides_all_gathers_but_the_first_where_layers_compute_longer():
    assert exposed_prefetch(gather=1, compute=2, layers=80) == 1
    assert exposed_prefetch(gather=1, compute=2, layers=80, buffers=1) == 80
    assert exposed_prefetch(gather=1, compute=0, layers=80) == 80


def test_buckets_as_pytorch_assigns_them():
    """Six tensors under PyTorch 2.2 with both limits 1 MiB gave the buckets below; DDP passes them reversed."""
    sizes = (1048576, 2048, 1048576, 2048, 1048576, 2048)
    buckets = gradient_buckets(gradients=sizes[::-1], bucket=2**20, first_bucket=2**20)
    assert [[5 - place for place in bucket] for bucket in buckets] == [[0], [1, 2], [3, 4], [5]]


@given(sizes=st.lists(st.integers(0, 40 * 2**20), min_size=1, max_size=40))
def test_every_gradient_is_in_one_bucket_and_a_bucket_is_closed_as_it_fills(sizes):
    buckets = gradient_buckets(gradients=tuple(sizes))
    assert [place for bucket in buckets for place in bucket] == list(reversed(range(len(sizes))))
    for number, bucket in enumerate(buckets):
        limit = DDP_BUCKET if number else DDP_FIRST_BUCKET
        assert sum(sizes[place] for place in bucket[:-1]) < limit
        assert number == len(buckets) - 1 or sum(sizes[place] for place in bucket) >= limit


@pytest.mark.parametrize(("payload", "buckets"), [(0, 0), (1, 1), (100, 1), (101, 2)])
def test_a_started_bucket_counts(payload, buckets):
    assert bucket_count(payload=payload, bucket=100) == buckets


def test_no_gradients_are_refused():
    with pytest.raises(ModelError, match="expected one gradient or more, found none"):
        gradient_buckets(gradients=())
