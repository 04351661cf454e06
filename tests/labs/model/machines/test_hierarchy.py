"""Collectives over several levels: worked by hand, against the flat one, and what may never be charged."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.cost import collective
from labs.model.collectives.operation import OPERATIONS
from labs.model.machines.hierarchy import hierarchical_collective
from labs.model.machines.machine import Level
from labs.model.quantities.errors import ModelError

USUAL = {"all-to-all": "direct", "send-recv": "direct"}
SCATTERED = ["all-reduce", "reduce-scatter", "all-gather"]

PAYLOADS = st.floats(1, 1e15)
LATENCIES = st.floats(1e-9, 1e-3)
BANDWIDTHS = st.floats(1e6, 1e13)
MEMBERS = st.integers(1, 64)


def level(name, devices, bandwidth, latency=0.0):
    return Level(name=name, devices=devices, bandwidth=bandwidth, latency=latency)


def two_levels(within, nodes, inner=(400e9, 0.0), outer=(50e9, 0.0)):
    return (level("node", within, *inner), level("cluster", within * nodes, *outer))


def flat_time(operation, payload, ranks, latency, bandwidth):
    choices = ["ring", "double binary tree"] if operation == "all-reduce" else [USUAL.get(operation, "ring")]
    return min(
        collective(
            operation=operation,
            algorithm=algorithm,
            payload=payload,
            ranks=ranks,
            latency=latency,
            bandwidth=bandwidth,
        ).time
        for algorithm in choices
    )


def test_an_all_reduce_over_four_nodes_of_eight_by_hand():
    """8 GB: 7 GB at 400 GB/s, then 1 GB around four nodes, 1.5 GB at 50 GB/s, and 7 GB at 400 GB/s again."""
    found = hierarchical_collective(operation="all-reduce", payload=8e9, levels=two_levels(8, 4))
    assert [(phase.level, phase.cost.operation, phase.cost.payload) for phase in found.phases] == [
        ("node", "reduce-scatter", 8e9),
        ("cluster", "all-reduce", 1e9),
        ("node", "all-gather", 8e9),
    ]
    assert [phase.cost.bytes_per_rank for phase in found.phases] == [7e9, 1.5e9, 7e9]
    assert [phase.cost.time for phase in found.phases] == [0.0175, 0.03, 0.0175]
    assert (found.time, found.slowest_level, found.ranks) == (0.065, 0.035, 32)
    assert found.algorithm_bandwidth == 8e9 / 0.065
    assert math.isclose(found.bus_bandwidth, 2 * 31 / 32 * 8e9 / 0.065)


def test_latencies_are_those_of_each_level():
    levels = two_levels(8, 4, inner=(1e30, 1e-6), outer=(1e30, 1e-3))
    found = hierarchical_collective(operation="all-reduce", payload=8e9, levels=levels)
    assert math.isclose(found.latency_term, 14 * 1e-6 + 4 * 1e-3)  # between nodes a tree: two levels up, two down


@given(payload=PAYLOADS, within=MEMBERS, nodes=st.integers(2, 64))
def test_between_nodes_goes_only_the_part_of_one_rank(payload, within, nodes):
    for operation in SCATTERED:
        found = hierarchical_collective(operation=operation, payload=payload, levels=two_levels(within, nodes))
        between = [phase.cost.payload for phase in found.phases if phase.level == "cluster"]
        assert between == [payload / within]


@pytest.mark.parametrize("operation", OPERATIONS)
@given(payload=PAYLOADS, ranks=MEMBERS, latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_one_node_equals_flat(operation, payload, ranks, latency, bandwidth):
    flat = flat_time(operation, payload, ranks, latency, bandwidth)
    node = level("node", ranks, bandwidth, latency)
    nothing_around = level("cluster", ranks, bandwidth / 10, latency * 10)
    of_one = tuple(level(f"device {number}", 1, bandwidth, latency) for number in range(2))
    for levels in [(node,), (node, nothing_around), (*of_one, node)]:
        assert hierarchical_collective(operation=operation, payload=payload, levels=levels).time == flat


@pytest.mark.parametrize("operation", OPERATIONS)
@given(payload=st.floats(0, 1e15), latency=LATENCIES, bandwidth=BANDWIDTHS)
def test_one_rank_sends_nothing(operation, payload, latency, bandwidth):
    levels = (level("node", 1, bandwidth, latency), level("cluster", 1, bandwidth, latency))
    found = hierarchical_collective(operation=operation, payload=payload, levels=levels)
    assert (found.phases, found.time, found.slowest_level) == ((), 0, 0)
    assert found.algorithm_bandwidth is found.bus_bandwidth is None


@pytest.mark.parametrize("operation", SCATTERED)
@given(payload=PAYLOADS, sizes=st.lists(MEMBERS, min_size=1, max_size=4), bandwidth=BANDWIDTHS)
def test_on_equal_links_without_latency_levels_cost_nothing_more(operation, payload, sizes, bandwidth):
    """Every rank still sends all but its own part: (G − 1) / G + (N − 1) / (G N) is (G N − 1) / (G N)."""
    levels = tuple(level(str(i), math.prod(sizes[: i + 1]), bandwidth) for i in range(len(sizes)))
    found = hierarchical_collective(operation=operation, payload=payload, levels=levels)
    flat = collective(
        operation=operation,
        algorithm="ring",
        payload=payload,
        ranks=math.prod(sizes),
        latency=0,
        bandwidth=bandwidth,
    )
    assert math.isclose(found.time, flat.time, rel_tol=1e-12)


@pytest.mark.parametrize("operation", OPERATIONS)
@given(
    payload=PAYLOADS,
    within=MEMBERS,
    nodes=MEMBERS,
    latencies=st.tuples(LATENCIES, LATENCIES),
    bandwidths=st.tuples(BANDWIDTHS, BANDWIDTHS),
    factor=st.floats(1, 1e6),
)
def test_time_never_falls_with_more_bytes_or_latency_nor_with_less_bandwidth(
    operation, payload, within, nodes, latencies, bandwidths, factor
):
    def time(payload, latencies, bandwidths):
        levels = two_levels(within, nodes, *zip(bandwidths, latencies, strict=True))
        found = hierarchical_collective(operation=operation, payload=payload, levels=levels)
        assert found.slowest_level <= found.time
        assert math.isclose(found.latency_term + found.bandwidth_term, found.time)
        return found.time

    usual = time(payload, latencies, bandwidths)
    assert time(payload * factor, latencies, bandwidths) >= usual
    for inner, outer in [(factor, 1), (1, factor)]:
        assert time(payload, (latencies[0] * inner, latencies[1] * outer), bandwidths) >= usual
        assert time(payload, latencies, (bandwidths[0] * inner, bandwidths[1] * outer)) <= usual


def test_the_phases_of_the_other_operations():
    def phases(operation):
        found = hierarchical_collective(operation=operation, payload=8e9, levels=two_levels(8, 4))
        assert all(phase.cost.operation == operation for phase in found.phases)
        return [(phase.level, phase.cost.payload) for phase in found.phases]

    assert phases("reduce-scatter") == [("node", 8e9), ("cluster", 1e9)]
    assert phases("all-gather") == [("cluster", 1e9), ("node", 8e9)]
    assert phases("broadcast") == phases("all-to-all") == [("cluster", 8e9), ("node", 8e9)]
    assert phases("reduce") == [("node", 8e9), ("cluster", 8e9)]
    assert phases("send-recv") == [("cluster", 8e9)]


def test_an_all_to_all_sends_between_nodes_what_is_for_other_nodes():
    """Of 32 parts of a rank's 8 GB, 8 stay in its node of 8."""
    found = hierarchical_collective(operation="all-to-all", payload=8e9, levels=two_levels(8, 4))
    assert found.phases[0].cost.bytes_per_rank == 8e9 * 24 / 32


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ((), "expected one level or more, found none"),
        (
            (level("node", 8, 1e9), level("cluster", 12, 1e9)),
            "expected level cluster to hold whole groups of 8 devices, found 12",
        ),
    ],
)
def test_refusals(levels, message):
    with pytest.raises(ModelError) as refusal:
        hierarchical_collective(operation="all-reduce", payload=1, levels=levels)
    assert str(refusal.value) == message
