"""Activations that cross outside of layers: at the embedding, at the head, and between stages."""

from collections.abc import Iterator

from labs.model.boundaries.crossing import Crossing, crossing, neighbour_group, tensor_group
from labs.model.boundaries.layer_exchanges import INPUT, MATRICES, Passes, rows_symbol

# The loss sums in 32 bits whatever the activations have.
LOSS_BYTES = 4


def stage_exchanges(passes: Passes) -> Iterator[Crossing]:
    """Yield what crosses outside of the layers in a step."""
    if passes.plan.tensor > 1:
        yield from _embedding(passes)
        yield from _head(passes)
    if passes.plan.pipeline > 1:
        yield from _pipeline(passes)


def _embedding(passes: Passes) -> Iterator[Crossing]:
    model, plan = passes.model, passes.plan
    shape, said = (plan.microbatch, passes.rows, model.hidden), f"b {rows_symbol(plan)} h"
    yield crossing(
        "embedding output (partial sums)",
        "reduce-scatter" if plan.sequence_parallel else "all-reduce",
        tensor_group(plan),
        shape=shape,
        symbols=said,
        width=passes.width,
        times=plan.accumulation,
        phase="forward",
        place="embedding output",
        where="the first stage",
        cause="Each tensor rank knows the tokens of its part of the vocabulary and has zeros for the others.",
    )
    if plan.sequence_parallel:
        yield crossing(
            "gradient of the embedding output",
            "all-gather",
            tensor_group(plan),
            shape=shape,
            symbols=said,
            width=passes.width,
            times=plan.accumulation,
            phase="backward",
            place="embedding output",
            where="the first stage",
            cause="Each tensor rank has the gradient of some tokens and needs that of all for its rows.",
        )


def _head(passes: Passes) -> Iterator[Crossing]:
    model, plan = passes.model, passes.plan
    shape, said = (plan.microbatch, passes.rows, model.hidden), f"b {rows_symbol(plan)} h"
    group = tensor_group(plan)
    if plan.sequence_parallel:
        yield crossing(
            "head input",
            "all-gather",
            group,
            shape=shape,
            symbols=said,
            width=passes.width,
            times=plan.accumulation,
            phase="forward",
            place="head input",
            where="the last stage",
            cause="Each tensor rank has some tokens and needs all of them for its part of the vocabulary.",
        )
        yield crossing(
            "head input, gathered again",
            "all-gather",
            group,
            shape=shape,
            symbols=said,
            width=passes.width,
            times=plan.accumulation,
            phase="backward",
            place="head input",
            where="the last stage",
            cause="Only a rank's own tokens were kept; the weight gradients need all of them.",
            hidden_by=INPUT,
        )
    yield crossing(
        "loss (largest logit, logit of the target, sum of exponentials)",
        "all-reduce",
        group,
        shape=shape[:2],
        symbols=said[:-2],
        width=LOSS_BYTES,
        times=3 * plan.accumulation,
        phase="forward",
        place="loss",
        where="the last stage",
        cause="Each tensor rank has the logits of its part of the vocabulary; three numbers a token make the loss.",
    )
    yield crossing(
        "gradient of the head input (partial sums)",
        "reduce-scatter" if plan.sequence_parallel else "all-reduce",
        group,
        shape=shape,
        symbols=said,
        width=passes.width,
        times=plan.accumulation,
        phase="backward",
        place="head input",
        where="the last stage",
        cause="Each tensor rank has the gradient that comes through its part of the vocabulary.",
        hidden_by=MATRICES,
    )


def _pipeline(passes: Passes) -> Iterator[Crossing]:
    model, plan = passes.model, passes.plan
    rows, symbol = passes.rows, rows_symbol(plan)
    if plan.sequence_parallel and plan.tensor > 1:
        rows //= plan.tensor
        symbol = "s / (c t)" if plan.context > 1 else "s / t"
    for name, backward, cause in (
        ("output of a stage", False, "The next layers are on the next stage."),
        ("gradient of the output of a stage", True, "The layers that made the output are on the stage before."),
    ):
        yield crossing(
            name,
            "send",
            neighbour_group(plan),
            shape=(plan.microbatch, rows, model.hidden),
            symbols=f"b {symbol} h",
            width=passes.width,
            times=plan.accumulation * plan.interleave,
            phase="backward" if backward else "forward",
            place="stage boundary",
            where="stages with a boundary",
            cause=cause,
            hidden_by="the compute of another microbatch" if plan.accumulation > 1 else None,
        )
