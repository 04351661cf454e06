"""A step of a pipeline, operation by operation: when each begins and ends, given the order on each stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from labs.model.pipelines.needs import needs, stuck, whole
from labs.model.pipelines.orders import Kind, Operation, StageOrder
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, outcome

# One for all stages, or one for each stage; in place of a stage's, one for each of its chunks.
Times = float | tuple[float | tuple[float, ...], ...]
_ByChunk = tuple[tuple[float, ...], ...]


class TimedOperation(NamedTuple):
    """An operation as it ran.

    Attributes:
        stage: that it ran on, from 0 [1]
        kind: F forward, B backward, W the gradients of the weights where they are computed apart from B
        microbatch: which, from 0 [1]
        chunk: which of the stage's chunks of layers, from 0 [1]
        start: since the step began [s]
        end: since the step began [s]
    """

    stage: int
    kind: Kind
    microbatch: int
    chunk: int
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """A step of a pipeline.

    Attributes:
        operations: as they ran, stage by stage
        step_time: until the last operation has ended [s]
        idle: time in which each stage does nothing, in seconds
        bubble_overhead: idle over working time, all stages together [1]
        bubble_share: idle time over the step, all stages together [1]
        in_flight: microbatches that each stage holds at most; a chunk counts as its share of one
    """

    operations: tuple[TimedOperation, ...]
    step_time: float
    idle: tuple[float, ...]
    bubble_overhead: float
    bubble_share: float
    in_flight: tuple[float, ...]


def simulate_pipeline(
    *,
    order: tuple[tuple[Operation, ...], ...],
    forward: Times,
    backward: Times,
    weight: Times | None = None,
    delay: float | tuple[float, ...] = 0.0,
) -> PipelineRun:
    """Return a step of a pipeline whose stages work in a given order.

    An operation starts when its stage is free and what it needs has arrived: F the same microbatch's F of the layers
    before, B its B of the layers after and its own F, W its own B.

        start = max(end of the stage's operation before, end of what it needs + delay where that is another stage)

    Chunk c of stage s holds the layers at place c p + s. Without W in the order, B is the whole backward.

    Args:
        order: for each stage its operations, such as pipeline_order gives
        forward: seconds of one microbatch: for any stage, or for each; in place of a stage's, one for each chunk
        backward: the same, gradients of the weights included
        weight: the part of backward that computes the gradients of the weights; needed where the order has W
        delay: seconds from one stage to the next: for any, or for each; with chunks also from the last to the first

    Returns:
        the attributes of PipelineRun

    Raises:
        ModelError: a time out of range, an operation missing, or an order that breaks a dependency or deadlocks

    Source:
        Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, figures 3, 4

    >>> one_by_one = ((("F", 0, 0), ("B", 0, 0)), (("F", 0, 0), ("B", 0, 0)))
    >>> run = simulate_pipeline(order=one_by_one, forward=1.0, backward=2.0, delay=0.5)
    >>> run.step_time, run.idle
    (7.0, (4.0, 4.0))
    """
    stages = whole(order)
    p, v = len(stages), 1 + max(operation.chunk for operation in stages[0])
    split = any(operation.kind == "W" for operation in stages[0])
    runs = _run(stages, v, _durations(forward, backward, weight, p, v, split=split), _delays(delay, p, v))
    step = outcome("time", max(stage[-1].end for stage in runs), "s")
    idle = tuple(_idle(stage, step) for stage in runs)
    working = sum(run.end - run.start for stage in runs for run in stage)
    return PipelineRun(
        operations=tuple(run for stage in runs for run in stage),
        step_time=step,
        idle=idle,
        bubble_overhead=sum(idle) / working,
        bubble_share=sum(idle) / (p * step),
        in_flight=tuple(_in_flight(stage, "W" if split else "B") / v for stage in stages),
    )


def _run(
    stages: tuple[StageOrder, ...], v: int, durations: dict[Kind, _ByChunk], delays: tuple[float, ...]
) -> tuple[list[TimedOperation], ...]:
    p = len(stages)
    ends: tuple[dict[Operation, float], ...] = tuple({} for _ in stages)
    runs: tuple[list[TimedOperation], ...] = tuple([] for _ in stages)
    ready = list(range(p))
    while ready:
        stage = ready.pop()
        done, ended = runs[stage], ends[stage]
        first, start = len(done), done[-1].end if done else 0.0
        for operation in stages[stage][first:]:
            for other, needed in needs(operation, stage, p, v):
                arrival = ends[other].get(needed)
                if arrival is None:
                    break
                if other != stage:
                    arrival += delays[other if operation.kind == "F" else stage]
                if arrival > start:
                    start = arrival
            else:
                end = ended[operation] = start + durations[operation.kind][stage][operation.chunk]
                done.append(TimedOperation(stage, *operation, start, end))
                start = end
                continue
            break
        if len(done) > first:
            ready += {(stage + 1) % p, (stage - 1) % p} - {stage}
    if any(len(done) < len(order) for done, order in zip(runs, stages, strict=True)):
        raise stuck(stages, [len(done) for done in runs], v)
    return runs


def _idle(runs: Sequence[TimedOperation], step: float) -> float:
    """Return the gaps of a stage, added up one by one: a stage without gaps then has exactly none."""
    gaps = (later.start - earlier.end for earlier, later in pairwise(runs))
    return runs[0].start + sum(gaps) + step - runs[-1].end


def _in_flight(order: StageOrder, last: Kind) -> int:
    held = most = 0
    for operation in order:
        held += (operation.kind == "F") - (operation.kind == last)
        most = max(most, held)
    return most


def _durations(
    forward: Times, backward: Times, weight: Times | None, p: int, v: int, *, split: bool
) -> dict[Kind, _ByChunk]:
    f, b = _by_chunk("forward", forward, p, v), _by_chunk("backward", backward, p, v)
    if any(time <= 0 for stage in f + b for time in stage):
        raise ModelError("expected forward and backward > 0 s on each stage, found 0 s")
    if not split:
        return {"F": f, "B": b}
    if weight is None:
        raise ModelError("expected weight, as the order has W, found none", argument="weight")
    w = _by_chunk("weight", weight, p, v)
    if any(part > time for parts, times in zip(w, b, strict=True) for part, time in zip(parts, times, strict=True)):
        raise ModelError("expected weight to be a part of backward, found it longer", argument="weight")
    rest = tuple(
        tuple(time - part for part, time in zip(parts, times, strict=True)) for parts, times in zip(w, b, strict=True)
    )
    return {"F": f, "B": rest, "W": w}


def _by_chunk(argument: str, given: Times, p: int, v: int) -> _ByChunk:
    """Return the time of each chunk on each stage; a stage's time is shared by its chunks alike."""
    each = (given,) * p if isinstance(given, (float, int)) else tuple(given)
    if len(each) != p:
        raise ModelError(f"expected {argument} of {p} stages, found {len(each)}", argument=argument)
    chunks = tuple((stage / v,) * v if isinstance(stage, (float, int)) else tuple(stage) for stage in each)
    if any(len(stage) != v for stage in chunks):
        raise ModelError(f"expected {argument} of {v} chunks on each stage, found another number", argument=argument)
    return tuple(tuple(amount(argument, time, "s") for time in stage) for stage in chunks)


def _delays(given: float | tuple[float, ...], p: int, v: int) -> tuple[float, ...]:
    """Return the delay from each stage to the next; the last hands on to the first, where there are chunks."""
    hops = p if v > 1 else p - 1
    each = (given,) * hops if isinstance(given, (float, int)) else tuple(given)
    if len(each) != hops:
        raise ModelError(f"expected delay of {hops} hops, found {len(each)}", argument="delay")
    return tuple(amount("delay", hop, "s") for hop in each)
