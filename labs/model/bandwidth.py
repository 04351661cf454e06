"""The two bandwidths that benchmarks of an all-reduce print. GB in them is 1e9 byte."""

from labs.model.inputs import amount, count, outcome, positive


def algorithm_bandwidth(*, payload: float, time: float) -> float:
    """Return the algorithm bandwidth of a collective: its size over its time, whatever was sent.

        algbw = M / T

    Args:
        payload: size of the operation (of an all-reduce: the buffer on each rank), M [byte]
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
    members = count("ranks", ranks)
    factor = 2 * (members - 1) / members
    return outcome("bandwidth", factor * algorithm_bandwidth(payload=payload, time=time), "byte/s")
