"""The schedule, carried out on real vectors: every rank ends with the sum, for the steps and bytes of the formula."""

import random
from collections import Counter

import pytest

from labs.model.collectives.ring import ring_all_reduce_bytes_per_rank, ring_all_reduce_steps
from labs.model.collectives.ring_schedule import LARGEST_RING, ring_all_reduce_schedule

SIZES = [1, 2, 3, 4, 5, 7, 8, 16, 33]


@pytest.mark.parametrize("ranks", SIZES)
def test_every_rank_ends_with_the_sum(ranks):
    numbers = random.Random(ranks)
    buffers = [[[numbers.randrange(-999, 999) for _ in range(3)] for _ in range(ranks)] for _ in range(ranks)]
    by_chunk = zip(*buffers, strict=True)
    sums = [[sum(parts) for parts in zip(*chunks, strict=True)] for chunks in by_chunk]
    for step in ring_all_reduce_schedule(ranks=ranks):
        sent = [(transfer, list(buffers[transfer.source][transfer.chunk])) for transfer in step]
        for transfer, values in sent:
            held = buffers[transfer.destination][transfer.chunk]
            added = [a + b for a, b in zip(held, values, strict=True)]
            buffers[transfer.destination][transfer.chunk] = added if transfer.phase == "reduce-scatter" else values
    assert all(buffer == sums for buffer in buffers)


@pytest.mark.parametrize("ranks", SIZES)
def test_steps_and_bytes_are_those_of_the_formula(ranks):
    chunk_bytes = 12
    schedule = ring_all_reduce_schedule(ranks=ranks)
    assert len(schedule) == ring_all_reduce_steps(ranks=ranks)
    sent = Counter(transfer.source for step in schedule for transfer in step)
    received = Counter(transfer.destination for step in schedule for transfer in step)
    expected = ring_all_reduce_bytes_per_rank(payload=ranks * chunk_bytes, ranks=ranks)
    assert all(sent[rank] * chunk_bytes == received[rank] * chunk_bytes == expected for rank in range(ranks))


@pytest.mark.parametrize("ranks", SIZES)
def test_in_each_step_every_rank_sends_once_to_its_neighbour_and_no_chunk_twice(ranks):
    for number, step in enumerate(ring_all_reduce_schedule(ranks=ranks)):
        assert [transfer.source for transfer in step] == list(range(ranks))
        assert all(transfer.destination == (transfer.source + 1) % ranks for transfer in step)
        assert sorted(transfer.chunk for transfer in step) == list(range(ranks))
        assert {transfer.phase for transfer in step} == {"reduce-scatter" if number < ranks - 1 else "all-gather"}


def test_rank_r_starts_with_chunk_r_and_then_with_the_chunk_that_it_completed():
    schedule = ring_all_reduce_schedule(ranks=4)
    assert [transfer.chunk for transfer in schedule[0]] == [0, 1, 2, 3]
    assert [transfer.chunk for transfer in schedule[1]] == [3, 0, 1, 2]
    assert [transfer.chunk for transfer in schedule[3]] == [1, 2, 3, 0]


def test_the_largest_ring_still_comes_whole():
    schedule = ring_all_reduce_schedule(ranks=LARGEST_RING)
    assert (len(schedule), len(schedule[-1])) == (510, 256)
