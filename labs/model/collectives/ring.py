"""The ideal ring all-reduce: equal links, nothing else on them, sums for free.

Symbols: p ranks, M bytes on each rank, α seconds for each step, B bytes per second on each link and direction.
"""

from dataclasses import dataclass

from labs.model.collectives.bandwidth import algorithm_bandwidth, all_reduce_bus_bandwidth
from labs.model.collectives.ring_schedule import Transfer, ring_all_reduce_schedule
from labs.model.quantities.inputs import amount, count, outcome, positive

__all__ = [
    "RingAllReduce",
    "Transfer",
    "algorithm_bandwidth",
    "all_reduce_bus_bandwidth",
    "ring_all_reduce",
    "ring_all_reduce_bandwidth_term",
    "ring_all_reduce_bytes_per_rank",
    "ring_all_reduce_crossover",
    "ring_all_reduce_latency_term",
    "ring_all_reduce_schedule",
    "ring_all_reduce_steps",
    "ring_all_reduce_time",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RingAllReduce:
    """One ring all-reduce in numbers.

    Attributes:
        steps: one after another, 2 (p − 1) [1]
        bytes_per_rank: that each rank sends, 2 (p − 1) / p · M [byte]
        latency_term: the time that does not depend on the payload [s]
        bandwidth_term: the time that does [s]
        time: both terms together, T [s]
        algorithm_bandwidth: M / T, or None where no time passes [byte/s]
        bus_bandwidth: 2 (p − 1) / p · M / T, at most B, or None where no time passes [byte/s]
        crossover: the payload for which both terms are equal, p α B [byte]
    """

    steps: int
    bytes_per_rank: float
    latency_term: float
    bandwidth_term: float
    time: float
    algorithm_bandwidth: float | None
    bus_bandwidth: float | None
    crossover: float


def ring_all_reduce(*, payload: float, ranks: int, latency: float, bandwidth: float) -> RingAllReduce:
    """Return an ideal ring all-reduce in numbers: its steps, bytes, times and bandwidths.

        T = 2 (p − 1) α + 2 (p − 1) / p · M / B

    Args:
        payload: buffer on each rank, M [byte]
        ranks: members of the ring, p [1]
        latency: per step, α [s]
        bandwidth: effective, per link and direction, B [byte/s]

    Returns:
        the attributes of RingAllReduce, each with its unit

    Raises:
        ModelError: an input out of range

    Source:
        The Algebra of Distributed Training, chapter "The α-β Model", "AllReduce" and "Breakdown of AllReduce Costs"

    >>> ring = ring_all_reduce(payload=1e9, ranks=4, latency=1e-6, bandwidth=100e9)
    >>> ring.steps, ring.bytes_per_rank, ring.time, ring.crossover
    (6, 1500000000.0, 0.015006, 400000.0)
    """
    time = ring_all_reduce_time(payload=payload, ranks=ranks, latency=latency, bandwidth=bandwidth)
    sending = all_reduce_bus_bandwidth(payload=payload, time=time, ranks=ranks) if time else None
    return RingAllReduce(
        steps=ring_all_reduce_steps(ranks=ranks),
        bytes_per_rank=ring_all_reduce_bytes_per_rank(payload=payload, ranks=ranks),
        latency_term=ring_all_reduce_latency_term(ranks=ranks, latency=latency),
        bandwidth_term=ring_all_reduce_bandwidth_term(payload=payload, ranks=ranks, bandwidth=bandwidth),
        time=time,
        algorithm_bandwidth=algorithm_bandwidth(payload=payload, time=time) if time else None,
        # The last digit's rounding must not lift it above the link.
        bus_bandwidth=None if sending is None else min(sending, float(bandwidth)),
        crossover=ring_all_reduce_crossover(ranks=ranks, latency=latency, bandwidth=bandwidth),
    )


def ring_all_reduce_steps(*, ranks: int) -> int:
    """Return the steps of a ring all-reduce: a reduce-scatter, then an all-gather.

        n = 2 (p − 1)

    Args:
        ranks: members of the ring, p [1]

    Returns:
        steps, one after another [1]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA NCCL, src/graph/tuning.cc, ncclTopoTuneModel, nsteps of ncclFuncAllReduce

    >>> ring_all_reduce_steps(ranks=8)
    14
    """
    return 2 * (count("ranks", ranks) - 1)


def ring_all_reduce_bytes_per_rank(*, payload: float, ranks: int) -> float:
    """Return what each rank sends in a ring all-reduce: a chunk of M / p bytes in each step.

        Q = 2 (p − 1) · M / p

    Args:
        payload: buffer on each rank, M [byte]
        ranks: members of the ring, p [1]

    Returns:
        bytes sent, and as many received [byte]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "AllReduce"

    >>> ring_all_reduce_bytes_per_rank(payload=1e9, ranks=4)
    1500000000.0
    """
    chunk = amount("payload", payload, "byte") / count("ranks", ranks)
    return outcome("number of bytes", ring_all_reduce_steps(ranks=ranks) * chunk, "byte")


def ring_all_reduce_latency_term(*, ranks: int, latency: float) -> float:
    """Return the part of a ring all-reduce's time that does not depend on the payload: α in each step.

        Tα = 2 (p − 1) α

    Args:
        ranks: members of the ring, p [1]
        latency: per step, α [s]

    Returns:
        time of an empty all-reduce [s]

    Raises:
        ModelError: an input out of range

    Source:
        The Algebra of Distributed Training, chapter "The α-β Model", "Breakdown of AllReduce Costs"

    >>> ring_all_reduce_latency_term(ranks=5, latency=5e-6)
    4e-05
    """
    return outcome("latency term", ring_all_reduce_steps(ranks=ranks) * amount("latency", latency, "s"), "s")


def ring_all_reduce_bandwidth_term(*, payload: float, ranks: int, bandwidth: float) -> float:
    """Return the part of a ring all-reduce's time that the bytes take; it tends to 2 M / B for many ranks.

        Tβ = 2 (p − 1) / p · M / B

    Args:
        payload: buffer on each rank, M [byte]
        ranks: members of the ring, p [1]
        bandwidth: effective, per link and direction, B [byte/s]

    Returns:
        time of an all-reduce without latency [s]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "AllReduce", t = (S/B) · (2 (n − 1) / n)

    >>> ring_all_reduce_bandwidth_term(payload=1e9, ranks=4, bandwidth=100e9)
    0.015
    """
    sent = ring_all_reduce_bytes_per_rank(payload=payload, ranks=ranks)
    return outcome("bandwidth term", sent / positive("bandwidth", bandwidth, "byte/s"), "s")


def ring_all_reduce_time(*, payload: float, ranks: int, latency: float, bandwidth: float) -> float:
    """Return the time of an ideal ring all-reduce.

    A reduce-scatter, then an all-gather: p − 1 steps each, and in each step every rank sends M / p bytes.

        T = 2 (p − 1) (α + M / (p B))

    Args:
        payload: buffer on each rank, M [byte]
        ranks: members of the ring, p [1]
        latency: per step, α [s]
        bandwidth: effective, per link and direction, B [byte/s]

    Returns:
        until every rank holds the sum [s]

    Raises:
        ModelError: an input out of range

    Source:
        The Algebra of Distributed Training, chapter "The α-β Model", "AllReduce"

    >>> ring_all_reduce_time(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9)
    0.019685
    """
    waiting = ring_all_reduce_latency_term(ranks=ranks, latency=latency)
    moving = ring_all_reduce_bandwidth_term(payload=payload, ranks=ranks, bandwidth=bandwidth)
    return outcome("time", waiting + moving, "s")


def ring_all_reduce_crossover(*, ranks: int, latency: float, bandwidth: float) -> float:
    """Return the payload for which both terms of a ring all-reduce are equal.

    Below it a ring is bound by latency, above it by bandwidth. It grows with the ring; α B alone is the crossover
    of a single message. One rank sends nothing: both terms are zero at this payload, as at every other.

        M = p α B

    Args:
        ranks: members of the ring, p [1]
        latency: per step, α [s]
        bandwidth: effective, per link and direction, B [byte/s]

    Returns:
        payload on each rank [byte]

    Raises:
        ModelError: an input out of range

    Source:
        both terms set equal; for a message: The Algebra of Distributed Training, "The α-β Model", "The Crossover Point"

    >>> ring_all_reduce_crossover(ranks=8, latency=1e-6, bandwidth=100e9)
    800000.0
    """
    of_one_message = amount("latency", latency, "s") * positive("bandwidth", bandwidth, "byte/s")
    return outcome("crossover", count("ranks", ranks) * of_one_message, "byte")
