"""What a collective costs: steps that wait, and bytes that move, for every operation and algorithm."""

from dataclasses import dataclass

from labs.model.collectives.algorithm import Algorithm, possible, shape
from labs.model.collectives.bandwidth import algorithm_bandwidth, bus_bandwidth
from labs.model.collectives.operation import Operation
from labs.model.quantities.inputs import amount, count, outcome, positive


@dataclass(frozen=True, slots=True, kw_only=True)
class Collective:
    """One collective in numbers.

    Attributes:
        operation: which collective
        algorithm: by which algorithm
        payload: the whole buffer, M [byte]
        ranks: that take part, p [1]
        steps: one after another, n [1]
        bytes_per_rank: that the busiest rank sends, or receives if that is more [byte]
        latency_term: the time that does not depend on the payload [s]
        bandwidth_term: the time that does [s]
        time: both terms together, T [s]
        algorithm_bandwidth: M / T, or None where no time passes [byte/s]
        bus_bandwidth: to compare with the link, at most B, or None where no time passes [byte/s]
        crossover: the payload for which both terms are equal, or None for one rank, which sends nothing [byte]
    """

    operation: Operation
    algorithm: Algorithm
    payload: float
    ranks: int
    steps: int
    bytes_per_rank: float
    latency_term: float
    bandwidth_term: float
    time: float
    algorithm_bandwidth: float | None
    bus_bandwidth: float | None
    crossover: float | None


def collective(
    *, operation: Operation, algorithm: Algorithm, payload: float, ranks: int, latency: float, bandwidth: float
) -> Collective:
    """Return one collective by one algorithm in numbers: its steps, bytes, times and bandwidths.

    n steps wait for a latency each, and v payloads are sent in them, one after another; each algorithm has its n and v.
    Links are equal, nothing else is on them, and sums are free.

        T = n α + v M / B
        ring:  n = 2 (p − 1),  v = 2 (p − 1) / p    all-reduce
               n = p − 1,      v = (p − 1) / p      reduce-scatter, all-gather

    Args:
        operation: which collective
        algorithm: one of algorithms(operation)
        payload: the whole buffer, also of an all-gather and a reduce-scatter, M [byte]
        ranks: that take part, p [1]
        latency: per step, α [s]
        bandwidth: effective, of one rank in one direction, B [byte/s]

    Returns:
        the attributes of Collective, each with its unit

    Raises:
        ModelError: an input out of range, or an algorithm that cannot do it

    Source:
        R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005,
        sections 4 and 5; the double tree: P. Sanders, J. Speck, J. L. Träff, Two-Tree Algorithms for Full Bandwidth
        Broadcast, Reduction and Scan, 2009

    >>> tree = collective(
    ...     operation="broadcast", algorithm="binomial tree", payload=1e9, ranks=8, latency=1e-6, bandwidth=100e9
    ... )
    >>> tree.steps, tree.bytes_per_rank, tree.time
    (3, 3000000000.0, 0.030003)
    """
    members = count("ranks", ranks)
    steps, path, sent = shape(operation, algorithm, members)
    size = amount("payload", payload, "byte")
    step = amount("latency", latency, "s")
    rate = positive("bandwidth", bandwidth, "byte/s")
    waiting = outcome("latency term", steps * step, "s")
    moving = outcome("bandwidth term", path * size / rate, "s")
    time = outcome("time", waiting + moving, "s")
    bus = bus_bandwidth(operation=operation, payload=size, time=time, ranks=members) if time else None
    return Collective(
        operation=operation,
        algorithm=algorithm,
        payload=size,
        ranks=members,
        steps=steps,
        bytes_per_rank=outcome("number of bytes", sent * size, "byte"),
        latency_term=waiting,
        bandwidth_term=moving,
        time=time,
        algorithm_bandwidth=algorithm_bandwidth(payload=size, time=time) if time else None,
        # The last digit's rounding must not lift it above the link.
        bus_bandwidth=None if bus is None else min(bus, rate),
        crossover=outcome("crossover", steps * step / path * rate, "byte") if steps else None,
    )


def fastest_first(
    *, operation: Operation, payload: float, ranks: int, latency: float, bandwidth: float
) -> tuple[Collective, ...]:
    """Return a collective by every algorithm that can do it, the fastest first.

        T₁ <= T₂ <= …,  each T = n α + v M / B

    Args:
        operation: which collective
        payload: the whole buffer, M [byte]
        ranks: that take part, p [1]
        latency: per step, α [s]
        bandwidth: effective, of one rank in one direction, B [byte/s]

    Returns:
        one Collective for each; those that need a power of two are left out where there is none

    Raises:
        ModelError: an input out of range, or no such operation

    Source:
        R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005

    >>> small, large = (
    ...     fastest_first(operation="broadcast", payload=size, ranks=64, latency=5e-6, bandwidth=10e9)
    ...     for size in (1e3, 1e9)
    ... )
    >>> small[0].algorithm, large[0].algorithm
    ('binomial tree', 'ring')
    """
    costs = (
        collective(
            operation=operation,
            algorithm=algorithm,
            payload=payload,
            ranks=ranks,
            latency=latency,
            bandwidth=bandwidth,
        )
        for algorithm in possible(operation, count("ranks", ranks))
    )
    return tuple(sorted(costs, key=lambda cost: cost.time))
