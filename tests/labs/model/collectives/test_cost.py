"""Collectives: each algorithm against its messages, counted and carried out; and the laws that any cost obeys."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.model.collectives.algorithm import algorithms
from labs.model.collectives.bandwidth import bus_bandwidth
from labs.model.collectives.cost import collective, fastest_first
from labs.model.collectives.operation import OPERATIONS
from labs.model.collectives.ring import ring_all_reduce
from labs.model.quantities.errors import ModelError
from tests.labs.model.collectives.message_schedules import SCHEDULES, after, before, carry_out, chunk_count, counted

PAIRS = [(operation, algorithm) for operation in OPERATIONS for algorithm in algorithms(operation=operation)]
POWERS_ONLY = [("reduce-scatter", "recursive halving"), ("all-gather", "recursive doubling")]
PIPELINED = [("all-reduce", "double binary tree"), ("broadcast", "ring"), ("reduce", "ring")]
SIZES = [2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 17, 31, 32, 33]

PAYLOADS = st.floats(1, 1e15)
RANKS = st.integers(1, 10**6)
POWERS = st.integers(1, 20).map(lambda exponent: 2**exponent)
LATENCIES = st.floats(1e-9, 1)
BANDWIDTHS = st.floats(1e3, 1e15)
FACTORS = st.floats(1, 1e6)

# For what is tried with every algorithm.
FEW = settings(max_examples=25)


def unit_cost(operation, algorithm, ranks):
    """Return the cost for a payload, a latency and a bandwidth of 1: steps and payloads sent, as they are."""
    return collective(operation=operation, algorithm=algorithm, payload=1, ranks=ranks, latency=1, bandwidth=1)


def close(value, expected, within=1e-14):
    return abs(Fraction(value) - Fraction(expected)) <= Fraction(within) * abs(Fraction(expected))


def scheduled():
    return [
        pytest.param(operation, algorithm, p, id=f"{operation}-{algorithm}-{p}")
        for operation, algorithm in SCHEDULES
        for p in SIZES
        if (operation, algorithm) not in POWERS_ONLY or p & (p - 1) == 0
    ]


def test_every_algorithm_has_its_messages_written_down_or_is_pipelined():
    assert set(PAIRS) == SCHEDULES.keys() | set(PIPELINED)


@pytest.mark.parametrize(("operation", "algorithm", "p"), scheduled())
def test_the_messages_do_what_the_operation_promises(operation, algorithm, p):
    chunks = chunk_count(algorithm, p)
    held = carry_out(SCHEDULES[operation, algorithm](p), before(operation, p, chunks))
    for rank, promised in enumerate(after(operation, p, chunks)):
        assert promised.items() <= held[rank].items()


@pytest.mark.parametrize(("operation", "algorithm", "p"), scheduled())
def test_steps_and_bytes_are_those_of_the_messages(operation, algorithm, p):
    steps, path, busiest = counted(SCHEDULES[operation, algorithm](p), chunk_count(algorithm, p))
    cost = unit_cost(operation, algorithm, p)
    assert cost.steps == cost.latency_term == steps
    assert close(cost.bandwidth_term, path)
    assert close(cost.bytes_per_rank, busiest)


def binary_tree(p):
    """Return the parent of each rank in NCCL's tree: its lowest bit cleared, the next set where that is a rank."""
    parents = {}
    for rank in range(1, p):
        bit = rank & -rank
        up = (rank ^ bit) | (bit << 1)
        parents[rank] = up if up < p else rank ^ bit
    return parents


def two_trees(p):
    """Return two trees over the same ranks: the second mirrored, or shifted by one where p is odd."""
    tree = binary_tree(p)
    second = (lambda rank: p - 1 - rank) if p % 2 == 0 else (lambda rank: (rank + 1) % p)
    return tree, {second(child): second(parent) for child, parent in tree.items()}


@pytest.mark.parametrize("p", SIZES)
def test_the_double_tree_sends_half_the_payload_on_each_edge_each_way(p):
    sent = [Fraction(0)] * p
    for tree in two_trees(p):
        assert len(tree) == p - 1
        for child, parent in tree.items():
            sent[child] += Fraction(1, 2)
            sent[parent] += Fraction(1, 2)
    cost = unit_cost("all-reduce", "double binary tree", p)
    assert cost.bytes_per_rank == cost.bandwidth_term == max(sent)
    assert sum(sent) == 2 * (p - 1)


@pytest.mark.parametrize("p", SIZES)
def test_the_double_tree_is_as_deep_as_the_logarithm(p):
    def depth(rank, tree):
        return 1 + depth(tree[rank], tree) if rank in tree else 0

    deepest = max(depth(rank, tree) for tree in two_trees(p) for rank in range(p))
    assert unit_cost("all-reduce", "double binary tree", p).steps == 2 * deepest


@pytest.mark.parametrize("operation", ["broadcast", "reduce"])
@given(p=st.integers(2, 1000), chunks=st.integers(10**6, 10**9))
def test_a_pipelined_chain_tends_to_its_ideal_with_many_chunks(operation, p, chunks):
    """The last rank has the last of k chunks after p − 2 + k steps, each of M / k."""
    ideal = unit_cost(operation, "ring", p)
    moving = Fraction(p - 2 + chunks, chunks)
    assert ideal.bandwidth_term <= moving <= Fraction(ideal.bandwidth_term) + Fraction(p, chunks)
    assert ideal.steps == p - 1


@given(payload=PAYLOADS, ranks=st.integers(2, 10**6), latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_the_ring_is_that_of_the_ring_functions(payload, ranks, latency, bandwidth):
    inputs = {"payload": payload, "ranks": ranks, "latency": latency, "bandwidth": bandwidth}
    one, other = collective(operation="all-reduce", algorithm="ring", **inputs), ring_all_reduce(**inputs)
    assert all(close(getattr(one, name), getattr(other, name)) for name in other.__slots__)


@given(payload=PAYLOADS, ranks=st.integers(2, 10**6), latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_an_all_reduce_is_a_reduce_scatter_and_an_all_gather(payload, ranks, latency, bandwidth):
    inputs = {"algorithm": "ring", "payload": payload, "ranks": ranks, "latency": latency, "bandwidth": bandwidth}
    halves = [collective(operation=half, **inputs).time for half in ("reduce-scatter", "all-gather")]
    assert halves[0] == halves[1]
    assert close(collective(operation="all-reduce", **inputs).time, sum(map(Fraction, halves)))


@pytest.mark.parametrize(("operation", "algorithm"), PAIRS)
@FEW
@given(payload=st.floats(0, 1e15), latency=st.floats(0, 1), bandwidth=BANDWIDTHS)
def test_one_rank_sends_nothing_and_takes_no_time(operation, algorithm, payload, latency, bandwidth):
    cost = collective(
        operation=operation, algorithm=algorithm, payload=payload, ranks=1, latency=latency, bandwidth=bandwidth
    )
    assert (cost.steps, cost.bytes_per_rank, cost.latency_term, cost.bandwidth_term, cost.time) == (0, 0, 0, 0, 0)
    assert cost.algorithm_bandwidth is cost.bus_bandwidth is cost.crossover is None


@pytest.mark.parametrize(("operation", "algorithm"), PAIRS)
@FEW
@given(payload=PAYLOADS, ranks=POWERS, latency=LATENCIES, bandwidth=BANDWIDTHS, factor=FACTORS)
def test_time_never_falls_with_more_bytes_or_latency_nor_with_less_bandwidth(
    operation, algorithm, payload, ranks, latency, bandwidth, factor
):
    def time(payload=payload, latency=latency, bandwidth=bandwidth):
        return collective(
            operation=operation,
            algorithm=algorithm,
            payload=payload,
            ranks=ranks,
            latency=latency,
            bandwidth=bandwidth,
        ).time

    assert time(payload=payload * factor) >= time()
    assert time(latency=latency * factor) >= time()
    assert time(bandwidth=bandwidth * factor) <= time()


@pytest.mark.parametrize(("operation", "algorithm"), [pair for pair in PAIRS if pair not in POWERS_ONLY])
@FEW
@given(ranks=st.integers(2, 10**6))
def test_no_algorithm_sends_less_than_the_bus_factor_says(operation, algorithm, ranks):
    least = bus_bandwidth(operation=operation, payload=1, time=1, ranks=ranks)
    cost = unit_cost(operation, algorithm, ranks)
    assert cost.bandwidth_term >= least * (1 - 1e-15)
    assert cost.bandwidth_term >= cost.bytes_per_rank * (1 - 1e-15)


@pytest.mark.parametrize(("operation", "algorithm"), PAIRS)
@FEW
@given(payload=PAYLOADS, ranks=POWERS, latency=st.floats(0, 1), bandwidth=BANDWIDTHS)
def test_the_bus_bandwidth_is_never_above_the_link(operation, algorithm, payload, ranks, latency, bandwidth):
    cost = collective(
        operation=operation, algorithm=algorithm, payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth
    )
    assert cost.bus_bandwidth <= bandwidth
    assert cost.latency_term + cost.bandwidth_term == cost.time


@pytest.mark.parametrize(("operation", "algorithm"), PAIRS)
@FEW
@given(ranks=POWERS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_both_terms_are_equal_at_the_crossover(operation, algorithm, ranks, latency, bandwidth):
    inputs = {
        "operation": operation,
        "algorithm": algorithm,
        "ranks": ranks,
        "latency": latency,
        "bandwidth": bandwidth,
    }
    there = collective(payload=collective(payload=1, **inputs).crossover, **inputs)
    assert close(there.latency_term, there.bandwidth_term)


@given(operation=st.sampled_from(OPERATIONS), payload=PAYLOADS, ranks=RANKS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_the_fastest_comes_first_and_none_is_missing_that_can_do_it(operation, payload, ranks, latency, bandwidth):
    costs = fastest_first(operation=operation, payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    times = [cost.time for cost in costs]
    assert times == sorted(times)
    expected = {
        algorithm
        for algorithm in algorithms(operation=operation)
        if (operation, algorithm) not in POWERS_ONLY or ranks & (ranks - 1) == 0
    }
    assert {cost.algorithm for cost in costs} == expected


def test_without_a_switch_small_payloads_take_few_steps_and_large_ones_few_bytes():
    def best(payload):
        costs = fastest_first(operation="all-reduce", payload=payload, ranks=96, latency=5e-6, bandwidth=10e9)
        return next(cost.algorithm for cost in costs if cost.algorithm not in ("one-shot", "two-shot"))

    assert best(1e3) == "recursive doubling"
    assert best(1e5) == "double binary tree"
    assert best(1e12) == "ring"


@pytest.mark.parametrize(
    ("inputs", "message", "argument"),
    [
        (
            {"operation": "allreduce"},
            'expected operation to be one of all-reduce, .* (did you mean "all-reduce"?)',
            "operation",
        ),
        ({"operation": 3}, "expected operation to be one of .*, found a value of type int", "operation"),
        (
            {"operation": "send-recv"},
            'expected algorithm of send-recv to be one of direct, found "ring"',
            "algorithm",
        ),
        ({"algorithm": None}, "expected algorithm of all-reduce to be one of .*, found None", "algorithm"),
        (
            {"operation": "all-gather", "algorithm": "recursive doubling", "ranks": 6},
            "expected ranks to be a power of two for recursive doubling of all-gather, found 6 "
            "(ring and direct take any number)",
            "ranks",
        ),
        ({"ranks": 0}, "expected ranks >= 1, found 0", "ranks"),
        ({"payload": -1}, "expected payload >= 0 byte, found -1 byte", "payload"),
        ({"latency": -1}, "expected latency >= 0 s, found -1 s", "latency"),
        ({"bandwidth": 0}, "expected bandwidth > 0 byte/s, found 0 byte/s", "bandwidth"),
        ({"payload": 1e308, "algorithm": "one-shot", "ranks": 1000}, "found a larger one", None),
    ],
)
def test_refusals(inputs, message, argument):
    usual = {"operation": "all-reduce", "algorithm": "ring", "payload": 1, "ranks": 4, "latency": 0, "bandwidth": 1}
    with pytest.raises(ModelError) as refusal:
        collective(**usual | inputs)
    beginning, _, end = message.partition(".*")
    assert beginning in str(refusal.value)
    assert end in str(refusal.value)
    assert refusal.value.argument == argument
