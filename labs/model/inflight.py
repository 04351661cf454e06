"""How many microbatches a pipeline stage holds activations of."""

from typing import Literal

from labs.model.errors import ModelError, shown
from labs.model.inputs import count

Schedule = Literal["1f1b", "gpipe"]
SCHEDULES: tuple[Schedule, ...] = ("1f1b", "gpipe")


def microbatches_in_flight(
    *, pipeline: int, accumulation: int, stage: int = 0, interleave: int = 1, schedule: Schedule = "1f1b"
) -> float:
    """Return for how many microbatches one stage holds the activations of all its layers at its peak.

    The first stage of 1F1B holds p, of L / p layers each: a pipeline does not shrink activations. Interleaved, chunks
    of a stage count as 1 / v.

        1f1b = min(m, p − i); interleaved: min(m, (2 (p − 1 − i) + (v − 1) p + 1) / v); gpipe: m

    Args:
        pipeline: stages, p [1]
        accumulation: microbatches of a step, m [1]
        stage: counted from 0, i [1]
        interleave: chunks of layers on each stage, v [1]
        schedule: 1f1b or gpipe

    Returns:
        microbatches, a part of one where chunks are interleaved [1]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al. (arXiv 2104.04473), section 2.2; NVIDIA Megatron-LM, pipeline_parallel/schedules.py

    >>> [microbatches_in_flight(pipeline=4, accumulation=16, stage=stage) for stage in range(4)]
    [4.0, 3.0, 2.0, 1.0]
    """
    stages = count("pipeline", pipeline)
    microbatches = count("accumulation", accumulation)
    behind = stages - 1 - count("stage", stage, at_least=0, at_most=stages - 1)
    chunks = count("interleave", interleave)
    if schedule not in SCHEDULES:
        raise ModelError(
            f"expected schedule to be one of {', '.join(SCHEDULES)}, found {shown(schedule)}", argument="schedule"
        )
    if schedule == "gpipe":
        return float(microbatches)
    if chunks == 1:
        return float(min(microbatches, behind + 1))
    return min(float(microbatches), (2 * behind + (chunks - 1) * stages + 1) / chunks)


def interleaving_factor(*, pipeline: int, interleave: int) -> float:
    """Return by how much interleaving raises the activations of the first stage over plain 1F1B.

        factor = 1 + (p − 1) / (p v), and 1 for v = 1

    Args:
        pipeline: stages, p [1]
        interleave: chunks of layers on each stage, v [1]

    Returns:
        factor, 1 or more [1]

    Raises:
        ModelError: an input out of range

    Source:
        Korthikanti et al. (arXiv 2205.05198), section 4.2.3

    >>> interleaving_factor(pipeline=4, interleave=3)
    1.25
    """
    stages, chunks = count("pipeline", pipeline), count("interleave", interleave)
    return 1 + (stages - 1) / (stages * chunks) if chunks > 1 else 1.0
