"""The network lab's ring, step by step: small vectors that are really summed, drawn as they stand after a step."""

from functools import lru_cache
from typing import Any

from labs.model.collectives.ring_execution import MOST_RANKS, RingExecution, RingStep, execute_ring_all_reduce

Sentence = str | dict[str, Any]


def ring_steps(ranks: int, step: int) -> dict[str, Any]:
    """Return the parts of a frame that show a ring after so many steps: a picture, a table, sentences.

    A ring of more ranks than can be drawn is shown by one of as many as can, and only once a reader takes a step.
    """
    if ranks > MOST_RANKS and not step:
        return {"verdict": [], "series": [], "tables": [], "notes": [_offer(ranks)]}
    ring = _ring(min(ranks, MOST_RANKS))
    taken = min(step, len(ring.steps))
    at = ring.steps[taken - 1] if taken else None
    return {
        "verdict": [*_smaller(ranks), *_said(ring, at)],
        "series": [_picture(ring, at)],
        "tables": [_table(ring, at)],
        "notes": [],
    }


@lru_cache(maxsize=MOST_RANKS)
def _ring(ranks: int) -> RingExecution:
    """Return a ring over vectors of one small number a chunk; the sums of 16 have two digits at most."""
    members = range(ranks)
    vectors = (tuple(float(1 + (rank * (chunk + 2) + chunk) % 6) for chunk in members) for rank in members)
    return execute_ring_all_reduce(vectors=tuple(vectors))


def _offer(ranks: int) -> Sentence:
    return {
        "says": f"A ring of {ranks:,} ranks is too large to be drawn.",
        "text": f"Go through one of {MOST_RANKS} step by step.",
        "sets": {"step": "1"},
    }


def _smaller(ranks: int) -> list[Sentence]:
    if ranks <= MOST_RANKS:
        return []
    return [f"The ring drawn has {MOST_RANKS} ranks; {ranks:,} would take {2 * (ranks - 1):,} such steps."]


def _said(ring: RingExecution, at: RingStep | None) -> list[Sentence]:
    """Return what every rank holds once the last step is taken, held against the plain sum."""
    if at is None or at.number < len(ring.steps):
        return []
    plain = tuple(map(sum, zip(*ring.start, strict=True)))
    if any(buffer != plain for buffer in at.buffers):
        raise ArithmeticError(f"expected {plain} on every rank, found {at.buffers}")
    return [
        f"After {at.number} steps each of {ring.ranks} ranks holds {_listed(plain)}: "
        "the numbers that adding the vectors directly gives."
    ]


def _listed(numbers: tuple[float, ...]) -> str:
    texts = [f"{number:g}" for number in numbers]
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else texts[0]


def _picture(ring: RingExecution, at: RingStep | None) -> dict[str, Any]:
    summed = [[len(of) for of in held] for held in at.summed] if at else [[1] * ring.ranks] * ring.ranks
    return {
        "kind": "ring",
        "id": "ring",
        "title": "The ring, step by step",
        "step": at.number if at else 0,
        "steps": len(ring.steps),
        "phase": at.phase if at else "start",
        "buffers": [list(buffer) for buffer in (at.buffers if at else ring.start)],
        "summed": summed,
        "moves": _moves(ring, at) if at else [],
    }


def _moves(ring: RingExecution, at: RingStep) -> list[dict[str, Any]]:
    before = ring.steps[at.number - 2].buffers if at.number > 1 else ring.start
    moves = []
    for source, destination, chunk, phase in at.transfers:
        held, sent, now = before[destination][chunk], before[source][chunk], at.buffers[destination][chunk]
        did = f"{held:g} + {sent:g} = {now:g}" if phase == "reduce-scatter" else f"{now:g} instead of {held:g}"
        text = f"chunk {chunk} from rank {source}: {did}"
        moves.append({"from": source, "to": destination, "chunk": chunk, "text": text})
    return moves


def _table(ring: RingExecution, at: RingStep | None) -> dict[str, Any]:
    buffers = at.buffers if at else ring.start
    return {
        "id": "buffers",
        "caption": "Buffers of the ring drawn",
        "columns": [{"label": "Rank"}, {"label": "Chunks in order"}],
        "rows": [[f"{rank}", " ".join(f"{number:g}" for number in buffer)] for rank, buffer in enumerate(buffers)],
        "folded": True,
    }
