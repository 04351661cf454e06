"""The ring carried out: its result is the sum, its steps and bytes are the formula's, nothing is lost on the way."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.ring import ring_all_reduce_bytes_per_rank, ring_all_reduce_steps
from labs.model.collectives.ring_execution import LONGEST_VECTOR, MOST_RANKS, execute_ring_all_reduce
from labs.model.collectives.ring_schedule import ring_all_reduce_schedule
from labs.model.quantities.errors import ModelError


@st.composite
def whole_vectors(draw):
    """Draw vectors of whole numbers, which floats add exactly."""
    p, length = draw(st.integers(1, MOST_RANKS)), draw(st.integers(1, 40))
    numbers = random.Random(draw(st.integers(0, 10**6)))
    return tuple(tuple(float(numbers.randrange(-999, 999)) for _ in range(length)) for _ in range(p))


@given(vectors=whole_vectors())
def test_every_rank_ends_with_the_sum(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    sums = tuple(map(sum, zip(*vectors, strict=True)))
    assert ring.result == sums
    assert ring.steps == () or ring.steps[-1].buffers == (sums,) * len(vectors)
    assert ring.start == vectors


@given(vectors=whole_vectors())
def test_steps_and_transfers_are_those_of_the_schedule(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    assert len(ring.steps) == ring_all_reduce_steps(ranks=len(vectors))
    assert tuple(step.transfers for step in ring.steps) == ring_all_reduce_schedule(ranks=len(vectors))
    assert [step.number for step in ring.steps] == list(range(1, len(ring.steps) + 1))
    halves = Counter(step.phase for step in ring.steps)
    assert halves["reduce-scatter"] == halves["all-gather"] == len(vectors) - 1


@given(vectors=whole_vectors())
def test_all_that_is_sent_is_received_and_is_what_the_formula_says(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    p, length = len(vectors), len(vectors[0])
    sent = ring_all_reduce_bytes_per_rank(payload=8 * length, ranks=p) / 8
    assert sum(ring.sent) == sum(ring.received) == 2 * (p - 1) * length
    assert Fraction(sum(ring.sent), p) == 2 * (p - 1) * Fraction(length, p)
    assert math.isclose(sum(ring.sent) / p, sent)
    if length % p == 0:
        assert set(ring.sent) == set(ring.received) == {round(sent)}
    assert max(ring.sent) <= 2 * (p - 1) * math.ceil(length / p)


@given(vectors=whole_vectors())
def test_chunks_tile_the_vector_and_differ_by_one_at_most(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    places = [place for begin, end in ring.chunks for place in range(begin, end)]
    assert places == list(range(len(vectors[0])))
    assert len(ring.chunks) == len(vectors)
    lengths = [end - begin for begin, end in ring.chunks]
    assert max(lengths) - min(lengths) <= 1
    assert lengths == sorted(lengths, reverse=True)


@given(vectors=whole_vectors())
def test_in_every_step_a_chunk_is_the_sum_of_the_ranks_that_it_names(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    for step in ring.steps:
        for held, summed in zip(step.buffers, step.summed, strict=True):
            for (begin, end), ranks in zip(ring.chunks, summed, strict=True):
                assert len(set(ranks)) == len(ranks)
                assert held[begin:end] == tuple(sum(vectors[r][place] for r in ranks) for place in range(begin, end))


@given(vectors=whole_vectors())
def test_after_half_of_the_steps_each_rank_has_one_whole_chunk(vectors):
    ring = execute_ring_all_reduce(vectors=vectors)
    p = len(vectors)
    if p > 1:
        summed = ring.steps[p - 2].summed
        whole = [[chunk for chunk in range(p) if len(summed[rank][chunk]) == p] for rank in range(p)]
        assert whole == [[(rank + 1) % p] for rank in range(p)]


@given(numbers=st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4))
def test_ranks_agree_to_the_last_bit_even_where_sums_are_rounded(numbers):
    vectors = tuple((number, number / 3, number / 7) for number in numbers)
    ring = execute_ring_all_reduce(vectors=vectors)
    assert len(set(ring.steps[-1].buffers)) == 1
    for total, parts in zip(ring.result, zip(*vectors, strict=True), strict=True):
        assert math.isclose(total, math.fsum(parts), rel_tol=1e-9, abs_tol=1e-6)


def test_three_ranks_by_hand():
    ring = execute_ring_all_reduce(vectors=((1.0, 2.0, 3.0), (10.0, 20.0, 30.0), (100.0, 200.0, 300.0)))
    assert [step.buffers for step in ring.steps] == [
        ((1.0, 2.0, 303.0), (11.0, 20.0, 30.0), (100.0, 220.0, 300.0)),
        ((1.0, 222.0, 303.0), (11.0, 20.0, 333.0), (111.0, 220.0, 300.0)),
        ((111.0, 222.0, 303.0), (11.0, 222.0, 333.0), (111.0, 220.0, 333.0)),
        ((111.0, 222.0, 333.0),) * 3,
    ]
    assert ring.steps[0].summed == (((0,), (0,), (0, 2)), ((0, 1), (1,), (1,)), ((2,), (1, 2), (2,)))


def test_a_vector_shorter_than_the_ring_leaves_chunks_empty():
    ring = execute_ring_all_reduce(vectors=((1.0,), (2.0,), (3.0,)))
    assert ring.chunks == ((0, 1), (1, 1), (1, 1))
    assert ring.result == (6.0,)
    assert sum(ring.sent) == 4


def test_one_rank_has_its_sum_already():
    ring = execute_ring_all_reduce(vectors=((1.0, 2.0),))
    assert (ring.steps, ring.result, ring.sent, ring.received) == ((), (1.0, 2.0), (0,), (0,))


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ((), "expected ranks >= 1, found 0"),
        (((1.0,),) * 17, "expected ranks <= 16, found 17"),
        (((),), "expected length of the vectors >= 1, found 0"),
        (((1.0,) * (LONGEST_VECTOR + 1),), "expected length of the vectors <= 1024, found 1025"),
        (
            ((1.0, 2.0), (1.0,)),
            "expected vectors of equal length, found 2 numbers on rank 0 and 1 on rank 1",
        ),
        (((1.0,), (math.inf,)), "expected every number of the vectors to be a finite number, found inf"),
    ],
)
def test_refusals(vectors, message):
    with pytest.raises(ModelError) as refusal:
        execute_ring_all_reduce(vectors=vectors)
    assert str(refusal.value) == message
