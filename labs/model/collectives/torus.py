"""Collectives on a torus, as TPUs have: rings of chips along each axis, with a link each way to both neighbours."""

from labs.model.collectives.operation import Operation, known_operation
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, count, outcome, positive

# Gathers of the whole array that an operation takes as long as.
_GATHERS: dict[Operation, float] = {"all-gather": 1, "reduce-scatter": 1, "all-reduce": 2, "all-to-all": 1 / 4}


def torus_collective_time(
    *, operation: Operation, payload: float, chips: int, axes: int = 1, latency: float = 0.0, bandwidth: float
) -> float:
    """Return the time of a collective along axes of a torus, for axes so long that their own share does not count.

    Each axis sends both ways at once, and all axes share the work. A chunk passes half of the longest axis, so that
    latency is a lower bound, hidden where bytes take longer. In an all-to-all a chunk goes only to its own destination,
    a quarter of the way on average, and not round the ring.

        T = max(⌊X / 2⌋ α, V / (2 n B))    all-gather, reduce-scatter; twice that for an all-reduce
        T = max(⌊X / 2⌋ α, V / (8 B))      all-to-all, along one axis

    Args:
        operation: all-gather, reduce-scatter, all-reduce or all-to-all
        payload: the whole array, over all chips of the axes together, V [byte]
        chips: along the longest axis, X; one has nobody to send to [1]
        axes: that the collective runs along, n [1]
        latency: of a hop, α [s]
        bandwidth: of one link in one direction, B [byte/s]

    Returns:
        until every chip has its result [s]

    Raises:
        ModelError: an input out of range, or a collective that is not treated here

    Source:
        The JAX scaling book, chapter "Sharded Matrices and How to Multiply Them", "A Deeper Dive into TPU Communication
        Primitives"

    >>> torus_collective_time(operation="all-gather", payload=9e9, chips=16, axes=2, bandwidth=45e9)
    0.05
    """
    gathers = _GATHERS.get(known_operation(operation))
    if gathers is None:
        raise ModelError(f"expected one of {', '.join(_GATHERS)} on a torus, found {operation}", argument="operation")
    size, hop = amount("payload", payload, "byte"), amount("latency", latency, "s")
    length, sides, rate = count("chips", chips), count("axes", axes), positive("bandwidth", bandwidth, "byte/s")
    if operation == "all-to-all" and sides > 1:
        raise ModelError(f"expected an all-to-all along one axis, found {sides} axes", argument="axes")
    if length == 1:
        return 0.0
    rounds = 2 if operation == "all-reduce" else 1
    return outcome("time", max(rounds * (length // 2) * hop, gathers * size / (2 * sides * rate)), "s")
