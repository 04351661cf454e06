"""Pipelines in closed form: the step, the microbatches that a stage holds, the layers of a chunk.

Equal stages. Symbols: p stages, m microbatches, v chunks of layers on each stage; F and B are the times of one
microbatch on one stage, forward and backward.
"""

from labs.model.pipelines.orders import Schedule, forwards_before_backward, known_schedule
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, count, outcome, positive


def microbatches_in_flight(
    *, schedule: Schedule, stages: int, microbatches: int, chunks: int = 1, stage: int = 0
) -> float:
    """Return how many microbatches a stage holds activations of at most: begun, and their backward not ended.

    Interleaving counts each chunk as the share 1/v of a microbatch; ZB-H1 holds a microbatch until its W.

        gpipe: m    1f1b: min(m, p − s)    zb-h1: min(m, p)
        interleaved = min(m, (v − 1) p / v + (2 (p − s − 1) + 1) / v)

    Args:
        schedule: gpipe, 1f1b, interleaved or zb-h1
        stages: in a row, p [1]
        microbatches: of one step, m [1]
        chunks: of layers on each stage, v [1]
        stage: which, from 0, s [1]

    Returns:
        microbatches, the largest number at any time [1]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, section 2.2;
        Qi et al., Zero Bubble Pipeline Parallelism, section 2.1

    >>> [microbatches_in_flight(schedule="1f1b", stages=8, microbatches=32, stage=stage) for stage in (0, 7)]
    [8.0, 1.0]
    """
    p, m, v = count("stages", stages), count("microbatches", microbatches), count("chunks", chunks)
    s = count("stage", stage, at_least=0, at_most=p - 1)
    known_schedule(schedule, v)
    if schedule == "gpipe":
        return float(m)
    if schedule == "zb-h1":
        return float(min(m, p))
    return forwards_before_backward(s, p, m, v) / v


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


def layers_per_virtual_stage(*, layers: int, stages: int, chunks: int = 1) -> int:
    """Return the layers of one chunk of one stage.

        L_chunk = L / (p v)

    Args:
        layers: of the model, L [1]
        stages: in a row, p [1]
        chunks: of layers on each stage, v [1]

    Returns:
        layers of a chunk [1]

    Raises:
        ModelError: an input out of range, or layers that cannot be split evenly

    Source:
        Megatron-LM, examples/academic_paper_scripts/sc21/run_table_1.sh (num-layers-per-virtual-pipeline-stage)

    >>> layers_per_virtual_stage(layers=80, stages=8, chunks=2)
    5
    """
    whole, parts = count("layers", layers), count("stages", stages) * count("chunks", chunks)
    if whole % parts:
        raise ModelError(f"expected stages × chunks to divide layers, found {parts} and {whole}", argument="layers")
    return whole // parts


def pipeline_step_time(
    *, stages: int, microbatches: int, forward: float, backward: float, chunks: int = 1, delay: float = 0.0
) -> float:
    """Return the time of a step of 1F1B, or of interleaved 1F1B, without simulating it.

    H hops are on the longest path. 1F1B has no slack, so each of its turns between stages waits for two hops, through
    the whole step. Interleaved 1F1B begins twice as early and waits while it fills and drains alone, as long as a hop
    is no longer than a chunk: exact up to d = min(F, B) / v, and at most this time beyond it.

        T = (m + (p − 1) / v) (F + B) + H d
        H = 2 (p − 1) (⌊(m − 1) / p⌋ + 1) + 2 max(0, (m − 1) mod p − 1)    (v = 1)
        H = 2 (p v − 1), and m v max(0, d − min(F, B) / v) besides         (v > 1)

    Args:
        stages: in a row, p [1]
        microbatches: of one step, m [1]
        forward: of one microbatch on one stage, all its chunks, F [s]
        backward: of one microbatch on one stage, all its chunks, B [s]
        chunks: of layers on each stage, v [1]
        delay: from the end of an operation to the next stage's beginning, d [s]

    Returns:
        time of a step [s]

    Raises:
        ModelError: an input out of range

    Source:
        derived here from the order of operations; without delay as in Narayanan et al., Efficient Large-Scale Language
        Model Training on GPU Clusters Using Megatron-LM, section 2.2

    >>> pipeline_step_time(stages=4, microbatches=8, forward=1.0, backward=2.0)
    33.0
    >>> pipeline_step_time(stages=4, microbatches=8, forward=1.0, backward=2.0, chunks=2, delay=0.25)
    32.0
    """
    p, m, v = count("stages", stages), count("microbatches", microbatches), count("chunks", chunks)
    f, b = positive("forward", forward, "s"), positive("backward", backward, "s")
    d = amount("delay", delay, "s")
    working = (m + (p - 1) / v) * (f + b)
    if p == 1:
        waiting = 0.0
    elif v == 1:
        rounds, rest = divmod(m - 1, p)
        waiting = (2 * (p - 1) * (rounds + 1) + 2 * max(0, rest - 1)) * d
    else:
        waiting = 2 * (p * v - 1) * d + m * v * max(0.0, d - min(f, b) / v)
    return outcome("time", working + waiting, "s")
