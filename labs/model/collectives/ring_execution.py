"""A ring all-reduce carried out: real vectors, cut into chunks, step by step."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from labs.model.collectives.ring_schedule import Transfer, ring_all_reduce_schedule
from labs.model.quantities.errors import ModelError, finite
from labs.model.quantities.inputs import count, outcome

# All buffers after every step are kept, to be drawn: 16 ranks of 64 numbers are 30 720 already.
MOST_RANKS = 16
LONGEST_VECTOR = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RingStep:
    """One step of a ring: what is sent, and what each rank holds once it has arrived.

    Attributes:
        number: of the step, from 1 [1]
        phase: reduce-scatter, where a received chunk is added, or all-gather, where it is taken over
        transfers: one of each rank, in their order
        buffers: of each rank, after the step
        summed: of each rank and chunk: the ranks whose numbers are in it
    """

    number: int
    phase: Literal["reduce-scatter", "all-gather"]
    transfers: tuple[Transfer, ...]
    buffers: tuple[tuple[float, ...], ...]
    summed: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RingExecution:
    """A ring all-reduce from the vectors that ranks start with to the sum that all of them hold.

    Attributes:
        ranks: in the ring, p [1]
        chunks: where each chunk of a vector starts, and where it ends
        start: the vector of each rank
        steps: 2 (p − 1) of them; none for one rank
        result: what every rank holds in the end
        sent: numbers that each rank has sent
        received: numbers that each rank has received
    """

    ranks: int
    chunks: tuple[tuple[int, int], ...]
    start: tuple[tuple[float, ...], ...]
    steps: tuple[RingStep, ...]
    result: tuple[float, ...]
    sent: tuple[int, ...]
    received: tuple[int, ...]


def execute_ring_all_reduce(*, vectors: tuple[tuple[float, ...], ...]) -> RingExecution:
    """Return a ring all-reduce of these vectors, carried out step by step.

    A vector is cut into p chunks; where p does not divide its length, the first chunks are one number longer, and some
    are empty where it is shorter than p. All transfers of a step happen at once.

        result = x₀ + x₁ + … + xₚ₋₁

    Args:
        vectors: of each rank (at most 16), of equal length (at most 1024)

    Returns:
        the attributes of RingExecution

    Raises:
        ModelError: too many ranks, vectors that differ in length, or what is no finite number

    Source:
        P. Patarasuk, X. Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009, section 4

    >>> ring = execute_ring_all_reduce(vectors=((1.0, 2.0), (10.0, 20.0)))
    >>> [step.buffers for step in ring.steps]
    [((1.0, 22.0), (11.0, 20.0)), ((11.0, 22.0), (11.0, 22.0))]
    >>> ring.result, ring.sent
    ((11.0, 22.0), (2, 2))
    """
    start = _checked(vectors)
    p, length = len(start), len(start[0])
    chunks = _cut(length, p)
    buffers = [list(vector) for vector in start]
    summed: list[list[tuple[int, ...]]] = [[(rank,)] * p for rank in range(p)]
    sent, received = [0] * p, [0] * p
    steps: list[RingStep] = []
    for transfers in ring_all_reduce_schedule(ranks=p):
        in_flight = [
            (
                transfer,
                buffers[transfer.source][slice(*chunks[transfer.chunk])],
                summed[transfer.source][transfer.chunk],
            )
            for transfer in transfers
        ]
        for (source, destination, chunk, phase), values, ranks in in_flight:
            begin, end = chunks[chunk]
            if phase == "reduce-scatter":
                held = buffers[destination][begin:end]
                values = [outcome("sum", one + other, "1") for one, other in zip(held, values, strict=True)]
                ranks = tuple(sorted((*summed[destination][chunk], *ranks)))
            buffers[destination][begin:end] = values
            summed[destination][chunk] = ranks
            sent[source] += end - begin
            received[destination] += end - begin
        steps.append(
            RingStep(
                number=len(steps) + 1,
                phase=transfers[0].phase,
                transfers=transfers,
                buffers=tuple(map(tuple, buffers)),
                summed=tuple(map(tuple, summed)),
            )
        )
    return RingExecution(
        ranks=p,
        chunks=chunks,
        start=start,
        steps=tuple(steps),
        result=tuple(buffers[0]),
        sent=tuple(sent),
        received=tuple(received),
    )


def _cut(length: int, parts: int) -> tuple[tuple[int, int], ...]:
    each, longer = divmod(length, parts)
    edges = [each * part + min(part, longer) for part in range(parts + 1)]
    return tuple(pairwise(edges))


def _checked(vectors: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    count("ranks", len(vectors), at_most=MOST_RANKS)
    length = count("length of the vectors", len(vectors[0]), at_most=LONGEST_VECTOR)
    for rank, vector in enumerate(vectors):
        if len(vector) != length:
            raise ModelError(
                f"expected vectors of equal length, found {length} numbers on rank 0 and {len(vector)} on rank {rank}",
                argument="vectors",
            )
    return tuple(tuple(finite("every number of the vectors", number) for number in vector) for vector in vectors)
