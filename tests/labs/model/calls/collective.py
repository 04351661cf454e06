"""Collectives: the call that gives each published value."""

import math

from labs.model.collectives.bandwidth import algorithm_bandwidth, bus_bandwidth
from labs.model.collectives.coarse import coarse_communication_time
from labs.model.collectives.cost import collective
from labs.model.collectives.nccl import nccl_latency
from labs.model.collectives.ring import ring_all_reduce_bandwidth_term, ring_all_reduce_crossover, ring_all_reduce_time
from labs.model.collectives.torus import torus_collective_time
from labs.model.machines.named import named_machine
from labs.model.quantities.units import convert


def bus_factor(operation):
    return lambda n: bus_bandwidth(operation=operation, payload=1, time=1, ranks=n)


def algorithm_row(S, t):
    return convert(algorithm_bandwidth(payload=S, time=convert(t, "us", "s")), "byte/s", "GB/s")


def bus_row(S, n, t):
    bus = bus_bandwidth(operation="all-reduce", payload=S, time=convert(t, "us", "s"), ranks=n)
    return convert(bus, "byte/s", "GB/s")


def ring_steps(n):
    return collective(operation="all-reduce", algorithm="ring", payload=1, ranks=n, latency=1e-6, bandwidth=1e9).steps


def inverse_time(S, B, n):
    term = ring_all_reduce_bandwidth_term(payload=S, ranks=n, bandwidth=convert(B, "GB/s", "byte/s"))
    return convert(term, "s", "us")


def ring_time(p, alpha, M, B):
    return ring_all_reduce_time(payload=M, ranks=p, latency=alpha, bandwidth=B)


def all_reduce_time(algorithm):
    return lambda p, alpha, M, B: (
        collective(operation="all-reduce", algorithm=algorithm, payload=M, ranks=p, latency=alpha, bandwidth=B).time
    )


def one_message_crossover(alpha, B):
    """Return the payload whose transfer takes as long as one phase."""
    return collective(
        operation="send-recv", algorithm="direct", payload=1, ranks=2, latency=alpha, bandwidth=B
    ).crossover


def batching(n1, n2, alpha):
    apart, together = (
        coarse_communication_time(phases=n, latency=alpha, payload=1e6, bandwidth=1e12) for n in (n1, n2)
    )
    return apart - together


def nccl_microseconds(algorithm):
    def latency(base, hop, n, nodes=1, inter=0):
        seconds = nccl_latency(
            operation="all-reduce",
            algorithm=algorithm,
            ranks=n,
            nodes=nodes,
            base=convert(base, "us", "s"),
            within=convert(hop, "us", "s"),
            between=convert(inter, "us", "s"),
        )
        return convert(seconds, "s", "us")

    return latency


def tree_over_link(n):
    tree = collective(
        operation="all-reduce", algorithm="double binary tree", payload=1e9, ranks=n, latency=0, bandwidth=1e9
    )
    return tree.algorithm_bandwidth / 1e9


def torus_us(operation, payload, W, axes=1):
    """Return a time for axes whose two directions together have bandwidth W."""
    time = torus_collective_time(operation=operation, payload=payload, chips=4, axes=axes, bandwidth=W / 2)
    return convert(time, "s", "us")


def all_to_all_over_all_gather(n):
    there, everywhere = (
        torus_collective_time(operation=operation, payload=1e9, chips=n, bandwidth=45e9)
        for operation in ("all-to-all", "all-gather")
    )
    return there / everywhere


def node_all_gather(V, N, W):
    return collective(operation="all-gather", algorithm="ring", payload=V, ranks=N, latency=0, bandwidth=W)


CALLS = {
    "busbw-allreduce-n2": bus_factor("all-reduce"),
    "busbw-allreduce-n3": bus_factor("all-reduce"),
    "busbw-allreduce-n4": bus_factor("all-reduce"),
    "busbw-allreduce-n16": bus_factor("all-reduce"),
    "busbw-allreduce-n24": bus_factor("all-reduce"),
    "busbw-allreduce-n32": bus_factor("all-reduce"),
    "busbw-allreduce-n1024": bus_factor("all-reduce"),
    "busbw-allreduce-n1": bus_factor("all-reduce"),
    "busbw-allgather-n8": bus_factor("all-gather"),
    "busbw-alltoall-n8": bus_factor("all-to-all"),
    "busbw-broadcast-n8": bus_factor("broadcast"),
    "dslog-ratio-16": bus_factor("all-gather"),
    "row-algbw-a100x8": algorithm_row,
    "row-algbw-h100x16": algorithm_row,
    "row-busbw-h100x16": bus_row,
    "row-algbw-gb200x72": algorithm_row,
    "row-algbw-mi300x8": algorithm_row,
    "row-busbw-mi300x8": bus_row,
    "row-algbw-a100x8-mscclpp": algorithm_row,
    "row-algbw-h100x40": algorithm_row,
    "row-busbw-h100x40": bus_row,
    "ring-steps": ring_steps,
    "ring-inverse-time": inverse_time,
    "ring-T-book-256": ring_time,
    "ring-T-p1": ring_time,
    "ring-T-limit": lambda p, M, B: ring_time(p, 0, M, B),
    "crossover-p2p": one_message_crossover,
    "crossover-ring": lambda p, alpha, B: ring_all_reduce_crossover(ranks=p, latency=alpha, bandwidth=B),
    "batching-saves": batching,
    "ring-1000x1MB": lambda k, p, alpha, m, B: k * ring_time(p, alpha, m, B),
    "algo-compare-ring": all_reduce_time("ring"),
    "algo-compare-recdouble": all_reduce_time("recursive doubling"),
    "algo-compare-rabenseifner": all_reduce_time("Rabenseifner"),
    "nccl-lat-ring-ll-8": nccl_microseconds("ring"),
    "nccl-lat-tree-ll-8": nccl_microseconds("tree"),
    "nccl-lat-ring-pci-4": nccl_microseconds("ring"),
    "nccl-bw-ratio-tree": tree_over_link,
    "sb-latency-bound-buffer": lambda W, t: one_message_crossover(t, W),
    "sb-ag-v5e": lambda V, W: torus_us("all-gather", V, W),
    "sb-ag-v4-1axis": lambda B, D, Y, W: torus_us("all-gather", 2 * B * D / Y, W),
    "sb-ag-v4-2axis": lambda B, D, W: torus_us("all-gather", 2 * B * D, W, axes=2),
    "sb-ar-v4": lambda B, D, W: torus_us("all-reduce", 2 * B * D, W),
    "sb-alltoall-ratio": all_to_all_over_all_gather,
    "sb-ag-h100": lambda V, N, W: convert(node_all_gather(V, N, W).time, "s", "ms"),
    "sb-node-bw": lambda W, N: convert(node_all_gather(1e9, N, W).algorithm_bandwidth, "byte/s", "GB/s"),
}


def algorithm_bandwidth_times_the_bus_factor():
    """Before June 2020 nccl-tests printed as algorithm bandwidth of an all-gather what is its bus bandwidth."""
    gather = collective(operation="all-gather", algorithm="ring", payload=8e9, ranks=8, latency=1e-6, bandwidth=1e11)
    assert gather.algorithm_bandwidth == 8e9 / gather.time
    assert math.isclose(gather.bus_bandwidth, 7 / 8 * gather.algorithm_bandwidth)


def both_directions_as_one():
    """NVLink 4 moves 900 GB/s for both directions together, and an exchange is limited by one of them."""
    node = named_machine(name="DGX H100").levels[0]
    reached = node_all_gather(8e9, 8, node.bandwidth).algorithm_bandwidth
    assert math.isclose(reached, 450e9 * 8 / 7)


NOT_GIVEN = {
    "bad-nccltests-pre2020": algorithm_bandwidth_times_the_bus_factor,
    "bad-dtbook-nvlink": both_directions_as_one,
}
