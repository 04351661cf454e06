"""The coarse cost of communication: phases that wait, and bytes that move."""

from labs.model.quantities.inputs import amount, count, outcome, positive


def coarse_communication_time(*, phases: int, latency: float, payload: float, bandwidth: float) -> float:
    """Return the time of communication in phases, one after another, that move some bytes in all.

    For n messages merged into one it falls by (n − 1) α. Contention, overlap and protocols are not in it.

        T = n α + Q / B_eff

    Args:
        phases: that each wait for a latency (0 or more), n [1]
        latency: per phase, α [s]
        payload: bytes moved in all, Q [byte]
        bandwidth: useful, for the algorithm and the links at hand, B_eff [byte/s]

    Returns:
        time until the last byte has arrived [s]

    Raises:
        ModelError: an input out of range

    Source:
        The Algebra of Distributed Training, chapter "The α-β Model", "Batch Small Messages"

    >>> coarse_communication_time(phases=4, latency=5e-6, payload=100e6, bandwidth=50e9)
    0.00202
    """
    waiting = count("phases", phases, at_least=0) * amount("latency", latency, "s")
    moving = amount("payload", payload, "byte") / positive("bandwidth", bandwidth, "byte/s")
    return outcome("time", waiting + moving, "s")
