"""Collectives: the call that gives each published value."""

from labs.model.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.coarse import coarse_communication_time
from labs.model.ring import (
    ring_all_reduce_bandwidth_term,
    ring_all_reduce_crossover,
    ring_all_reduce_steps,
    ring_all_reduce_time,
)
from labs.model.units import convert


def bus_factor(n):
    return all_reduce_bus_bandwidth(payload=1, time=1, ranks=n)


def algorithm_row(S, t):
    return convert(algorithm_bandwidth(payload=S, time=convert(t, "us", "s")), "byte/s", "GB/s")


def bus_row(S, n, t):
    return convert(all_reduce_bus_bandwidth(payload=S, time=convert(t, "us", "s"), ranks=n), "byte/s", "GB/s")


def inverse_time(S, B, n):
    term = ring_all_reduce_bandwidth_term(payload=S, ranks=n, bandwidth=convert(B, "GB/s", "byte/s"))
    return convert(term, "s", "us")


def ring_time(p, alpha, M, B):
    return ring_all_reduce_time(payload=M, ranks=p, latency=alpha, bandwidth=B)


def one_message_crossover(alpha, B):
    """Return the payload whose transfer takes as long as one phase."""
    waiting = coarse_communication_time(phases=1, latency=alpha, payload=0, bandwidth=B)
    each_byte = coarse_communication_time(phases=0, latency=alpha, payload=1, bandwidth=B)
    return waiting / each_byte


def batching(n1, n2, alpha):
    apart, together = (
        coarse_communication_time(phases=n, latency=alpha, payload=1e6, bandwidth=1e12) for n in (n1, n2)
    )
    return apart - together


def transfer_us(V, W):
    return convert(coarse_communication_time(phases=0, latency=0, payload=V, bandwidth=W), "s", "us")


def large_ring_us(B, D, W):
    return convert(ring_all_reduce_bandwidth_term(payload=2 * B * D, ranks=10**6, bandwidth=W), "s", "us")


CALLS = {
    "busbw-allreduce-n2": bus_factor,
    "busbw-allreduce-n3": bus_factor,
    "busbw-allreduce-n4": bus_factor,
    "busbw-allreduce-n16": bus_factor,
    "busbw-allreduce-n24": bus_factor,
    "busbw-allreduce-n32": bus_factor,
    "busbw-allreduce-n1024": bus_factor,
    "busbw-allreduce-n1": bus_factor,
    "row-algbw-a100x8": algorithm_row,
    "row-algbw-h100x16": algorithm_row,
    "row-busbw-h100x16": bus_row,
    "row-algbw-gb200x72": algorithm_row,
    "row-algbw-mi300x8": algorithm_row,
    "row-busbw-mi300x8": bus_row,
    "row-algbw-a100x8-mscclpp": algorithm_row,
    "row-algbw-h100x40": algorithm_row,
    "row-busbw-h100x40": bus_row,
    "ring-steps": lambda n: ring_all_reduce_steps(ranks=n),
    "ring-inverse-time": inverse_time,
    "ring-T-book-256": ring_time,
    "ring-T-p1": ring_time,
    "ring-T-limit": lambda p, M, B: ring_time(p, 0, M, B),
    "crossover-p2p": one_message_crossover,
    "crossover-ring": lambda p, alpha, B: ring_all_reduce_crossover(ranks=p, latency=alpha, bandwidth=B),
    "batching-saves": batching,
    "ring-1000x1MB": lambda k, p, alpha, m, B: k * ring_time(p, alpha, m, B),
    "algo-compare-ring": ring_time,
    "sb-latency-bound-buffer": lambda W, t: one_message_crossover(t, W),
    "sb-ag-v5e": transfer_us,
    "sb-ar-v4": large_ring_us,
}
