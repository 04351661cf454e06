"""How NCCL itself predicts a collective's latency when it chooses an algorithm: a base, and a latency for every hop."""

from typing import Literal

from labs.model.collectives.operation import Operation, known_operation
from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.inputs import amount, count, outcome


def nccl_latency(
    *,
    operation: Operation,
    algorithm: Literal["ring", "tree"],
    ranks: int,
    nodes: int = 1,
    base: float,
    within: float,
    between: float = 0.0,
) -> float:
    """Return the latency that NCCL's tuner gives a collective.

    In a node its tree is a chain; between nodes a ring passes every node once in each round. Base and hops depend on
    algorithm, protocol and link; what the network's proxy adds to a hop is left out.

        ring = base + (n − n_between) α_within + n_between α_between
               n = 2 (p − 1), n_between = 2 (N − 1)    all-reduce
               n = p − 1, n_between = N − 1            reduce-scatter, all-gather
        tree = base + 2 ((p / N − 1) α_within + ⌊lg N⌋ α_between)

    Args:
        operation: all-reduce, reduce-scatter or all-gather
        algorithm: ring, or tree for an all-reduce
        ranks: that take part, p [1]
        nodes: that they fill evenly, N [1]
        base: for the algorithm and protocol [s]
        within: of a hop in a node, α_within [s]
        between: of a hop between nodes, α_between [s]

    Returns:
        latency, whatever the payload [s]

    Raises:
        ModelError: an input out of range, or a collective that the tuner does not treat in this way

    Source:
        NVIDIA NCCL, src/graph/tuning.cc, ncclTopoTuneModel, baseLat and hwLat

    >>> nccl_latency(operation="all-reduce", algorithm="ring", ranks=8, base=6e-6, within=2e-6)
    3.4e-05
    """
    p = count("ranks", ranks)
    hosts = count("nodes", nodes)
    if p % hosts:
        raise ModelError(f"expected nodes to divide ranks, found {hosts} and {p}", argument="nodes")
    start, inner, outer = amount("base", base, "s"), amount("within", within, "s"), amount("between", between, "s")
    rounds = {"all-reduce": 2, "reduce-scatter": 1, "all-gather": 1}.get(known_operation(operation))
    if algorithm == "ring" and rounds:
        hops = rounds * ((p - hosts) * inner + (hosts - 1) * outer)
    elif algorithm == "tree" and operation == "all-reduce":
        hops = 2 * ((p // hosts - 1) * inner + (hosts.bit_length() - 1) * outer)
    else:
        raise ModelError(
            "expected a ring of all-reduce, reduce-scatter or all-gather, or a tree of all-reduce, "
            f"found {shown(algorithm)} of {operation}",
            argument="algorithm",
        )
    return outcome("latency", start + hops, "s")
