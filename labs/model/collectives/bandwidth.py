"""The two bandwidths that benchmarks of collectives print. GB in them is 1e9 byte."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from labs.model.collectives.operation import Operation, known_operation
from labs.model.quantities.inputs import amount, count, outcome, positive


def _all_but_one(ranks: int) -> float:
    return (ranks - 1) / ranks


# Payloads that each rank has to send at least: what makes the bus bandwidth comparable with a link.
_BUS_FACTORS: Mapping[Operation, Callable[[int], float]] = MappingProxyType(
    {
        "all-reduce": lambda ranks: 2 * (ranks - 1) / ranks,
        "reduce-scatter": _all_but_one,
        "all-gather": _all_but_one,
        "all-to-all": _all_but_one,
        "broadcast": lambda ranks: 1.0,
        "reduce": lambda ranks: 1.0,
        "send-recv": lambda ranks: 1.0,
    }
)


def algorithm_bandwidth(*, payload: float, time: float) -> float:
    """Return the algorithm bandwidth of a collective: its size over its time, whatever was sent.

        algbw = M / T

    Args:
        payload: size of the operation: the whole buffer, also of an all-gather and a reduce-scatter, M [byte]
        time: until the operation was complete, T [s]

    Returns:
        algorithm bandwidth [byte/s]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "Algorithm bandwidth"

    >>> algorithm_bandwidth(payload=1e9, time=0.02)
    50000000000.0
    """
    return outcome("bandwidth", amount("payload", payload, "byte") / positive("time", time, "s"), "byte/s")


def bus_bandwidth(*, operation: Operation, payload: float, time: float, ranks: int) -> float:
    """Return the bus bandwidth of a collective: the rate at which each rank had to send, to compare with its link.

        busbw = f · M / T
        f = 2 (p − 1) / p    all-reduce
        f = (p − 1) / p      reduce-scatter, all-gather, all-to-all
        f = 1                broadcast, reduce, send-recv

    Args:
        operation: which collective
        payload: size of the operation: the whole buffer, also of an all-gather and a reduce-scatter, M [byte]
        time: until the operation was complete, T [s]
        ranks: that took part, p [1]

    Returns:
        bus bandwidth [byte/s]

    Raises:
        ModelError: an input out of range, or no such operation

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "Bus bandwidth" and "Summary"

    >>> bus_bandwidth(operation="all-gather", payload=1e9, time=0.01, ranks=4)
    75000000000.0
    """
    factor = _BUS_FACTORS[known_operation(operation)](count("ranks", ranks))
    return outcome("bandwidth", factor * algorithm_bandwidth(payload=payload, time=time), "byte/s")


def all_reduce_bus_bandwidth(*, payload: float, time: float, ranks: int) -> float:
    """Return the bus bandwidth of an all-reduce: the rate at which each rank had to send, to compare with its link.

        busbw = 2 (p − 1) / p · M / T

    Args:
        payload: buffer on each rank, M [byte]
        time: until the operation was complete, T [s]
        ranks: that took part, p [1]

    Returns:
        bus bandwidth; 0 for one rank, which sends nothing [byte/s]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA nccl-tests, doc/PERFORMANCE.md, "AllReduce" and "Summary"

    >>> all_reduce_bus_bandwidth(payload=1e9, time=0.02, ranks=4)
    75000000000.0
    """
    return bus_bandwidth(operation="all-reduce", payload=payload, time=time, ranks=ranks)
