"""Communication beside computation, in closed form: what may hide, and what stays exposed."""

from dataclasses import dataclass

from labs.model.quantities.inputs import amount, count, outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapBounds:
    """Between which times a step lies, whatever of its communication is hidden.

    Attributes:
        shortest: everything that can overlap does, max(a, b) [s]
        longest: nothing does, a + b [s]
        ratio: longest over shortest, at most 2; 1 where there is nothing to do [1]
    """

    shortest: float
    longest: float
    ratio: float


def overlap_bounds(*, compute: float, communication: float) -> OverlapBounds:
    """Return between which times a step of computation and communication lies.

        shortest = max(a, b),  longest = a + b

    Args:
        compute: time of all computation, a [s]
        communication: time of all communication, b [s]

    Returns:
        the attributes of OverlapBounds

    Raises:
        ModelError: an input out of range

    Source:
        Google DeepMind, How To Scale Your Model, chapter "All About Rooflines"

    >>> overlap_bounds(compute=3.0, communication=1.0)
    OverlapBounds(shortest=3.0, longest=4.0, ratio=1.3333333333333333)
    """
    a, b = amount("compute", compute, "s"), amount("communication", communication, "s")
    shortest, longest = max(a, b), outcome("time", a + b, "s")
    return OverlapBounds(shortest=shortest, longest=longest, ratio=longest / shortest if shortest else 1.0)


def exposed_communication(*, communication: float, hiding: float) -> float:
    """Return the communication that no computation hides, at the least: a schedule must also get it all to overlap.

    Computation that needs the result, or that gives what is sent, hides nothing.

        t_exposed = max(0, t_communication − t_hiding)

    Args:
        communication: time of all communication [s]
        hiding: time of the computation that may legally run beside it [s]

    Returns:
        exposed communication [s]

    Raises:
        ModelError: an input out of range

    Source:
        Google DeepMind, How To Scale Your Model, chapter "All About Rooflines" (a step takes the larger of both times)

    >>> exposed_communication(communication=5.0, hiding=3.0), exposed_communication(communication=5.0, hiding=0.0)
    (2.0, 5.0)
    """
    return max(0.0, amount("communication", communication, "s") - amount("hiding", hiding, "s"))


def exposed_gradient_reduction(*, communication: float, backward: float, buckets: int) -> float:
    """Return what stays exposed of reducing gradients bucket by bucket while the backward pass goes on.

    The first bucket is ready after 1/n of the pass, and the last one with its end: (1 − 1/n) of it may hide something.
    Gradients are complete only in the last microbatch: with accumulation, its backward alone counts. n equal buckets.

        t_exposed = C − (1 − 1 / n) min(C, B)

    Args:
        communication: of all gradients, C [s]
        backward: of the last microbatch, B [s]
        buckets: that gradients are reduced in, n [1]

    Returns:
        exposed communication; one bucket hides nothing, many hide min(C, B) [s]

    Raises:
        ModelError: an input out of range

    Source:
        derived: n equal jobs that pass two machines (Johnson, Optimal Two- and Three-Stage Production Schedules, 1954);
        buckets as in Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, section 3.2

    >>> exposed_gradient_reduction(communication=2.0, backward=4.0, buckets=4)
    0.5
    """
    c, b = amount("communication", communication, "s"), amount("backward", backward, "s")
    n = count("buckets", buckets)
    return c - (1 - 1 / n) * min(c, b)


def exposed_prefetch(*, gather: float, compute: float, layers: int, buffers: int = 2) -> float:
    """Return what stays exposed of gathering each layer's parameters while the layer before computes.

    The first gather has nothing to hide behind. With one buffer a gather has to wait until the layer before is done.

        t_exposed = g + (L − 1) max(0, g − c)    (two buffers or more)
        t_exposed = L g                          (one buffer)

    Args:
        gather: of the parameters of one layer, g [s]
        compute: of one layer, c [s]
        layers: that are passed one after another, L [1]
        buffers: for gathered layers [1]

    Returns:
        exposed communication [s]

    Raises:
        ModelError: an input out of range

    Source:
        derived: equal jobs that pass two machines (Johnson, Optimal Two- and Three-Stage Production Schedules, 1954);
        prefetch as in Zhao et al., PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel, section 3.3

    >>> exposed_prefetch(gather=1.0, compute=3.0, layers=10), exposed_prefetch(gather=4.0, compute=3.0, layers=10)
    (1.0, 13.0)
    """
    g, c = amount("gather", gather, "s"), amount("compute", compute, "s")
    each = g if count("buffers", buffers) == 1 else max(0.0, g - c)
    return outcome("time", g + (count("layers", layers) - 1) * each, "s")
