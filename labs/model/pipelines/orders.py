"""In which order each stage of a pipeline works: GPipe, 1F1B, interleaved 1F1B and ZB-H1.

Symbols: p stages, m microbatches, v chunks of layers on each stage.
"""

from typing import Literal, NamedTuple, get_args

from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.inputs import count

Schedule = Literal["gpipe", "1f1b", "interleaved", "zb-h1"]
Kind = Literal["F", "B", "W"]
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)
KINDS: tuple[Kind, ...] = get_args(Kind)

# About a second of simulation in CPython, and more than any drawing can show.
LARGEST_ORDER = 200_000


class Operation(NamedTuple):
    """What a stage does in one go.

    Attributes:
        kind: F forward, B backward, W the gradients of the weights where they are computed apart from B
        microbatch: which, from 0 [1]
        chunk: which of the stage's chunks of layers, from 0 [1]
    """

    kind: Kind
    microbatch: int
    chunk: int


StageOrder = tuple[Operation, ...]


def pipeline_order(
    *, schedule: Schedule, stages: int, microbatches: int, chunks: int = 1
) -> tuple[tuple[Operation, ...], ...]:
    """Return what each stage of a pipeline does, in its order.

    Stage s of p works on the chunks c = 0 … v − 1 of its layers; before its first backward it has begun

        gpipe:       m forwards
        1f1b, zb-h1: n = min(m, p − s) forwards
        interleaved: n = min(m v, 2 (p − s − 1) + (v − 1) p + 1) forwards of a chunk, p microbatches at a time

    and from then on one forward follows each backward. In zb-h1, W stays s microbatches behind B.

    Args:
        schedule: gpipe, 1f1b, interleaved or zb-h1
        stages: in a row, p [1]
        microbatches: of one step; a multiple of p where interleaved, m [1]
        chunks: of layers on each stage; more than one only where interleaved, v [1]

    Returns:
        for each stage its operations

    Raises:
        ModelError: an input out of range, or one that the schedule does not allow

    Source:
        Megatron-LM, megatron/core/pipeline_parallel/schedules.py; PyTorch, torch/distributed/pipelining/schedules.py
        (ScheduleGPipe); Qi et al., Zero Bubble Pipeline Parallelism, section 2.1 (ZB-H1)

    >>> for stage in pipeline_order(schedule="1f1b", stages=2, microbatches=3):
    ...     print(" ".join(f"{kind}{microbatch}" for kind, microbatch, chunk in stage))
    F0 F1 B0 F2 B1 B2
    F0 B0 F1 B1 F2 B2
    """
    p, m, v = count("stages", stages), count("microbatches", microbatches), count("chunks", chunks)
    known_schedule(schedule, v)
    if schedule == "interleaved" and m % p:
        raise ModelError(
            f"expected microbatches to be a multiple of stages, found {m} and {p}", argument="microbatches"
        )
    operations = p * m * v * (3 if schedule == "zb-h1" else 2)
    if operations > LARGEST_ORDER:
        raise ModelError(f"expected {LARGEST_ORDER} operations or fewer, found {operations}")
    if schedule == "gpipe":
        forwards, backwards = _forwards(p, m, 1), _backwards(p, m, 1)
        return (forwards + backwards,) * p
    return tuple(_alternating(stage, p, m, v, split=schedule == "zb-h1") for stage in range(p))


def known_schedule(schedule: str, chunks: int) -> None:
    """Refuse a schedule that is not known, and chunks that it does not have."""
    if schedule not in SCHEDULES:
        raise ModelError(
            f"expected schedule to be one of {', '.join(SCHEDULES)}, found {shown(schedule)}", argument="schedule"
        )
    if chunks > 1 and schedule != "interleaved":
        raise ModelError(f"expected chunks 1 in schedule {schedule}, found {chunks}", argument="chunks")


def forwards_before_backward(stage: int, stages: int, microbatches: int, chunks: int) -> int:
    """Return how many forwards of a chunk a stage of a 1F1B schedule begins before its first backward."""
    ahead = stages - stage - 1
    return min(microbatches * chunks, (2 * ahead + (chunks - 1) * stages if chunks > 1 else ahead) + 1)


def _alternating(stage: int, p: int, m: int, v: int, *, split: bool) -> StageOrder:
    forwards, backwards = _forwards(p, m, v), _backwards(p, m, v)
    warm = forwards_before_backward(stage, p, m, v)
    order = list(forwards[:warm])
    for number, backward in enumerate(backwards):
        order.append(backward)
        # The later stages have the fewer microbatches in flight: they can keep more of them for W.
        if split and number >= stage:
            order.append(backwards[number - stage]._replace(kind="W"))
        order.extend(forwards[warm + number : warm + number + 1])
    if split:
        order.extend(backward._replace(kind="W") for backward in backwards[max(0, m - stage) :])
    return tuple(order)


def _forwards(p: int, m: int, v: int) -> StageOrder:
    """Return the forwards of any stage: p microbatches through one chunk, then through the next."""
    group = p if v > 1 else m
    return tuple(
        Operation("F", microbatch, chunk)
        for first in range(0, m, group)
        for chunk in range(v)
        for microbatch in range(first, first + group)
    )


def _backwards(p: int, m: int, v: int) -> StageOrder:
    return tuple(Operation("B", microbatch, v - 1 - chunk) for _, microbatch, chunk in _forwards(p, m, v))
