"""Pipeline bubbles in closed form: how long a stage stands idle.

Equal stages, no delays. Symbols: p stages, m microbatches, v chunks of layers on each stage; F, B and W are the times
of one microbatch on one stage: forward, backward, and the part of B that computes the gradients of the weights.
"""

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, count, outcome


def bubble_overhead(*, stages: int, microbatches: int, chunks: int = 1) -> float:
    """Return the idle time of a pipeline over the time that it works: what the pipeline adds to the step.

    GPipe and 1F1B have one chunk; interleaved 1F1B has v.

        t_bubble / t_ideal = (p − 1) / (v m)

    Args:
        stages: in a row, p [1]
        microbatches: of one step, m [1]
        chunks: of layers on each stage, v [1]

    Returns:
        idle over working time, 0 or more [1]

    Raises:
        ModelError: an input out of range

    Source:
        Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, section 2.2

    >>> bubble_overhead(stages=8, microbatches=32), bubble_overhead(stages=8, microbatches=32, chunks=2)
    (0.21875, 0.109375)
    """
    p, m, v = count("stages", stages), count("microbatches", microbatches), count("chunks", chunks)
    return (p - 1) / (v * m)


def bubble_share(*, stages: int, microbatches: int, chunks: int = 1) -> float:
    """Return the share of the step in which a stage stands idle. It is less than the overhead, and below 1.

        t_bubble / t_step = (p − 1) / (v m + p − 1)

    Args:
        stages: in a row, p [1]
        microbatches: of one step, m [1]
        chunks: of layers on each stage, v [1]

    Returns:
        idle time over the whole step [1]

    Raises:
        ModelError: an input out of range

    Source:
        Huang et al., GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism, section 2.3

    >>> bubble_share(stages=4, microbatches=9)
    0.25
    """
    p, m, v = count("stages", stages), count("microbatches", microbatches), count("chunks", chunks)
    return (p - 1) / (v * m + p - 1)


def bubble_time(*, stages: int, forward: float, backward: float, chunks: int = 1) -> float:
    """Return the idle time of each stage in a step of GPipe, 1F1B or interleaved 1F1B.

        t_bubble = (p − 1) (F + B) / v

    Args:
        stages: in a row, p [1]
        forward: of one microbatch on one stage, F [s]
        backward: of one microbatch on one stage, B [s]
        chunks: of layers on each stage, v [1]

    Returns:
        idle time of a stage [s]

    Raises:
        ModelError: an input out of range

    Source:
        DeepSeek-AI, DualPipe, README, "Pipeline Bubbles and Memory Usage Comparison" (row 1F1B)

    >>> bubble_time(stages=8, forward=1e-3, backward=2e-3)
    0.021
    """
    working = amount("forward", forward, "s") + amount("backward", backward, "s")
    return outcome("time", (count("stages", stages) - 1) * working / count("chunks", chunks), "s")


def zero_bubble_time(*, stages: int, forward: float, backward: float, weight: float) -> float:
    """Return the idle time of each stage in a step of ZB-H1, also called ZB1P: 1F1B whose bubble W fills in part.

    It holds for m ≥ p, and where W is no longer than F and than the rest of the backward, B − W; otherwise ZB-H1 takes
    longer.

        t_bubble = (p − 1) (F + B − 2 W)

    Args:
        stages: in a row, p [1]
        forward: of one microbatch on one stage, F [s]
        backward: of one microbatch on one stage, W in it, B [s]
        weight: the part of the backward that computes the gradients of the weights, W [s]

    Returns:
        idle time of a stage [s]

    Raises:
        ModelError: an input out of range, or W so long that no idle time would be left

    Source:
        DeepSeek-AI, DualPipe, README, "Pipeline Bubbles and Memory Usage Comparison" (row ZB1P); Qi et al., Zero Bubble
        Pipeline Parallelism, table 1, where B stands for B − W

    >>> zero_bubble_time(stages=8, forward=1e-3, backward=2e-3, weight=1e-3)
    0.007
    """
    longest = amount("forward", forward, "s") + amount("backward", backward, "s")
    return _left_idle(count("stages", stages) - 1, longest, 2, weight)


def dual_pipe_bubble_time(*, stages: int, overlapped: float, backward: float, weight: float) -> float:
    """Return the idle time of each stage in a step of DualPipe, which feeds a pipeline from both ends.

        t_bubble = (p / 2 − 1) (F&B + B − 3 W)

    Args:
        stages: in a row, an even number, p [1]
        overlapped: a forward and a backward of two microbatches that run together, F&B [s]
        backward: of one microbatch on one stage, W in it, B [s]
        weight: the part of the backward that computes the gradients of the weights, W [s]

    Returns:
        idle time of a stage [s]

    Raises:
        ModelError: an input out of range, or W so long that no idle time would be left

    Source:
        DeepSeek-AI, DualPipe, README, "Pipeline Bubbles and Memory Usage Comparison" (row DualPipe)

    >>> dual_pipe_bubble_time(stages=8, overlapped=3e-3, backward=2e-3, weight=1e-3)
    0.006
    """
    p = count("stages", stages, at_least=2)
    if p % 2:
        raise ModelError(f"expected stages to be even, found {p}", argument="stages")
    longest = amount("overlapped", overlapped, "s") + amount("backward", backward, "s")
    return _left_idle(p // 2 - 1, longest, 3, weight)


def _left_idle(turns: int, longest: float, times: int, weight: float) -> float:
    """Return the time that stays idle when weight gradients fill some of it."""
    w = amount("weight", weight, "s")
    if times * w > longest:
        raise ModelError(
            f"expected weight to leave some of {longest:.6g} s idle, found {times} × {w:.6g} s", argument="weight"
        )
    return outcome("time", turns * (longest - times * w), "s")
