"""Which layers a pipeline stage holds."""

from functools import cache

from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Transformer


def stage_layers(*, model: Transformer, plan: Plan, stage: int) -> tuple[int, ...]:
    """Return the layers that a pipeline stage holds.

    With interleaving a stage holds v chunks, one in each round over the stages. Uneven stages differ by one layer:
    the outer ones, which also hold embedding and head, have fewer.

        chunk i of stage k = layers (i p + k) L / (p v) …

    Args:
        model: the transformer
        plan: how it is split
        stage: counted from 0 [1]

    Returns:
        layers, counted from 0

    Raises:
        ModelError: a stage that the plan does not have

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 2.2, "Schedule with Interleaved Stages"

    >>> from labs.model.transformers.transformer import gpt
    >>> stage_layers(model=gpt(hidden=1024, layers=8, heads=16), plan=Plan(pipeline=2, interleave=2), stage=0)
    (0, 1, 4, 5)
    """
    place = count("stage", stage, at_least=0, at_most=plan.pipeline - 1)
    return _layers(model.layers, plan.pipeline, plan.interleave)[place]


def layer_counts(layers: int, dense: int, stages: int, chunks: int) -> tuple[tuple[int, int], ...]:
    """Return for each stage its layers with an ordinary MLP, which come first, and its layers with experts."""
    held = _layers(layers, stages, chunks)
    return tuple((sum(layer < dense for layer in own), sum(layer >= dense for layer in own)) for own in held)


@cache
def _layers(layers: int, stages: int, chunks: int) -> tuple[tuple[int, ...], ...]:
    pieces = stages * chunks
    each, more = divmod(layers, pieces)
    # The remainder goes to the pieces in the middle.
    first = (pieces - more) // 2
    sizes = [each + (first <= piece < first + more) for piece in range(pieces)]
    starts = [sum(sizes[:piece]) for piece in range(pieces)]
    return tuple(
        tuple(
            layer
            for piece in range(stage, pieces, stages)
            for layer in range(starts[piece], starts[piece] + sizes[piece])
        )
        for stage in range(stages)
    )
