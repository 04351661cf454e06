"""NCCL's own latencies: with its constants, and where they must agree with the collectives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.collectives.cost import collective
from labs.model.collectives.nccl import nccl_latency
from labs.model.quantities.errors import ModelError

ROUNDS = {"all-reduce": 2, "reduce-scatter": 1, "all-gather": 1}


@pytest.mark.parametrize("operation", ROUNDS)
@given(ranks=st.integers(1, 10**5), hop=st.floats(1e-9, 1e-3))
def test_a_ring_of_equal_hops_has_the_latency_of_its_steps(operation, ranks, hop):
    ring = collective(operation=operation, algorithm="ring", payload=0, ranks=ranks, latency=hop, bandwidth=1)
    for nodes in {1, ranks}:
        latency = nccl_latency(
            operation=operation, algorithm="ring", ranks=ranks, nodes=nodes, base=0, within=hop, between=hop
        )
        assert latency == pytest.approx(ring.time)


def test_two_nodes_of_eight_by_hand():
    """Of 30 hops of a ring 2 go between nodes; the tree goes up 7 and 1, and down again."""
    inputs = {"operation": "all-reduce", "ranks": 16, "nodes": 2, "within": 1e-6, "between": 5e-6}
    assert nccl_latency(algorithm="ring", base=6e-6, **inputs) == pytest.approx(6e-6 + 28e-6 + 10e-6)
    assert nccl_latency(algorithm="tree", base=7e-6, **inputs) == pytest.approx(7e-6 + 14e-6 + 10e-6)


def test_over_many_nodes_a_tree_grows_with_their_logarithm():
    def hops(algorithm, nodes):
        return nccl_latency(
            operation="all-reduce", algorithm=algorithm, ranks=8 * nodes, nodes=nodes, base=0, within=0, between=1
        )

    assert [hops("tree", nodes) for nodes in (1, 2, 3, 64, 1024)] == [0, 2, 2, 12, 20]
    assert [hops("ring", nodes) for nodes in (1, 2, 3, 64, 1024)] == [0, 2, 4, 126, 2046]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"nodes": 3}, "expected nodes to divide ranks, found 3 and 8"),
        (
            {"operation": "broadcast"},
            "expected a ring of all-reduce, reduce-scatter or all-gather, or a tree of all-reduce, "
            'found "ring" of broadcast',
        ),
        (
            {"operation": "all-gather", "algorithm": "tree"},
            "expected a ring of all-reduce, reduce-scatter or all-gather, or a tree of all-reduce, "
            'found "tree" of all-gather',
        ),
        ({"base": -1}, "expected base >= 0 s, found -1 s"),
    ],
)
def test_refusals(inputs, message):
    usual = {"operation": "all-reduce", "algorithm": "ring", "ranks": 8, "base": 6e-6, "within": 1e-6}
    with pytest.raises(ModelError) as refusal:
        nccl_latency(**usual | inputs)
    assert str(refusal.value) == message
