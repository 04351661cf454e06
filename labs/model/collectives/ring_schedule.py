"""Who sends what to whom in a ring all-reduce, step by step."""

from typing import Literal, NamedTuple

from labs.model.quantities.inputs import count

# The transfers of 256 ranks are 130 560 records already. A reader of one step of a larger ring has the rule below.
LARGEST_RING = 256


class Transfer(NamedTuple):
    """One rank sends one chunk to its neighbour.

    Attributes:
        source: rank that sends, from 0 [1]
        destination: rank that receives [1]
        chunk: which of the p parts of the buffer, from 0 [1]
        phase: reduce-scatter, where the receiver adds the chunk to its own, or all-gather, where it takes it over
    """

    source: int
    destination: int
    chunk: int
    phase: Literal["reduce-scatter", "all-gather"]


def ring_all_reduce_schedule(*, ranks: int) -> tuple[tuple[Transfer, ...], ...]:
    """Return all transfers of a ring all-reduce, step by step; in each step every rank sends one chunk.

    In step s = 0, 1, …, p − 2 of each half, rank r sends to rank r + 1

        reduce-scatter: chunk (r − s) mod p
        all-gather:     chunk (r + 1 − s) mod p

    Args:
        ranks: members of the ring (at most 256), p [1]

    Returns:
        2 (p − 1) steps of p transfers each, in the order of the ranks that send

    Raises:
        ModelError: an input out of range

    Source:
        MPICH, src/mpi/coll/allreduce/allreduce_intra_ring.c, phases 2 and 3 (its chunks start one rank further on)

    >>> for step in ring_all_reduce_schedule(ranks=2):
    ...     print([(source, destination, chunk) for source, destination, chunk, phase in step])
    [(0, 1, 0), (1, 0, 1)]
    [(0, 1, 1), (1, 0, 0)]
    """
    p = count("ranks", ranks, at_most=LARGEST_RING)
    scattering = (
        tuple(Transfer(r, (r + 1) % p, (r - s) % p, "reduce-scatter") for r in range(p)) for s in range(p - 1)
    )
    gathering = (
        tuple(Transfer(r, (r + 1) % p, (r + 1 - s) % p, "all-gather") for r in range(p)) for s in range(p - 1)
    )
    return (*scattering, *gathering)
