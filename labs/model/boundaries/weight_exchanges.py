"""Weights and their gradients that cross: between replicas, and between ranks that hold the same weight.

What may run behind compute does so layer by layer. The gradients of the layer that is last in the backward pass come
when all compute is over, and the first layer's weights must be there before any begins: those find nothing to run
behind.
"""

from collections.abc import Iterator

from labs.model.boundaries.crossing import (
    Crossing,
    Group,
    Place,
    Where,
    crossing,
    end_group,
    expert_replica_group,
    replica_group,
    tensor_group,
)
from labs.model.boundaries.held_weights import Weights
from labs.model.plans.plan import Plan
from labs.model.transformers.transformer import Transformer

BEFORE = "the compute of the layers before"
LAST_BACKWARD = "the backward pass of the last microbatch"
NEXT_FORWARD = "the forward pass of the next step"


def weight_exchanges(
    model: Transformer, plan: Plan, found: Weights, parameter_bytes: float, gradient_bytes: float
) -> Iterator[Crossing]:
    """Yield what crosses of weights and gradients in a step."""
    if plan.sequence_parallel and plan.tensor > 1:
        yield crossing(
            "gradients of replicated weights (norms)",
            "all-reduce",
            tensor_group(plan),
            shape=(found.replicated,),
            symbols="parameters that tensor ranks hold alike",
            width=gradient_bytes,
            times=1,
            phase="step",
            place="norm weights",
            cause="Each tensor rank has seen only its own tokens there.",
        )
    copies = plan.tensor // model.kv_heads
    if copies > 1 and not model.latent:
        bias = model.biases or model.qkv_biases
        yield crossing(
            "gradients of copied key and value heads",
            "all-reduce",
            Group(axis="tensor", ranks=copies, stride=1),
            shape=(found.layers, 2, model.head_width, model.hidden + bias),
            symbols="L 2 d (h + 1)" if bias else "L 2 d h",
            width=gradient_bytes,
            times=1,
            phase="step",
            place="layer weights",
            cause="Tensor ranks that hold the same head have seen only their own queries.",
        )
    if model.tied and plan.pipeline > 1:
        yield crossing(
            "gradient of the tied embedding",
            "all-reduce",
            end_group(plan),
            shape=(found.held.tied,),
            symbols="V h / t" if plan.tensor > 1 else "V h",
            width=gradient_bytes,
            times=1,
            phase="step",
            place="tied ends",
            where="first and last stage",
            cause="The embedding on the first stage and the head on the last are one weight.",
        )
    routed = found.held.routed * found.experts
    for group, elements, kind in (
        (replica_group(plan), found.stage, ""),
        (expert_replica_group(plan), routed, " of routed experts"),
    ):
        if group.ranks > 1 and elements and plan.zero < 3:
            yield from _replicas(plan, group, elements, kind, parameter_bytes, gradient_bytes, 1 / found.layers)
    if plan.zero == 3:
        yield from _units(model, plan, found, parameter_bytes, gradient_bytes)


def _replicas(
    plan: Plan,
    group: Group,
    elements: int,
    kind: str,
    parameter_bytes: float,
    gradient_bytes: float,
    layer: float,
) -> Iterator[Crossing]:
    """Yield ZeRO stages 0 to 2; a layer is that part of an operation."""
    said = "parameters of the heaviest stage" if plan.pipeline > 1 else "parameters"
    if plan.tensor > 1:
        said += " of a tensor rank"
    if plan.zero == 0:
        yield crossing(
            f"gradients{kind}",
            "all-reduce",
            group,
            shape=(elements,),
            symbols=said,
            width=gradient_bytes,
            times=1,
            phase="step",
            place="all weights",
            cause="Each replica has the gradients of its own examples; the update needs their sum.",
            hidden_by=LAST_BACKWARD,
            alone=layer,
        )
        return
    every = plan.zero == 2
    yield crossing(
        f"gradients{kind}",
        "reduce-scatter",
        group,
        shape=(elements,),
        symbols=said,
        width=gradient_bytes,
        times=plan.accumulation if every else 1,
        phase="backward" if every else "step",
        place="all weights",
        cause="A replica updates a slice of the weights and needs the sum of that slice's gradients"
        + ("; it keeps no other gradients from one microbatch to the next." if every else "."),
        hidden_by=BEFORE if every else LAST_BACKWARD,
        alone=layer,
    )
    yield crossing(
        f"updated weights{kind}",
        "all-gather",
        group,
        shape=(elements,),
        symbols=said,
        width=parameter_bytes,
        times=1,
        phase="step",
        place="all weights",
        cause="Each replica has updated a slice and needs all weights again.",
        hidden_by=NEXT_FORWARD,
        alone=layer,
    )


def _units(
    model: Transformer, plan: Plan, found: Weights, parameter_bytes: float, gradient_bytes: float
) -> Iterator[Crossing]:
    """Yield ZeRO stage 3, a layer at a time."""
    mine, m = found.held, plan.accumulation
    all_ranks, expert_ranks = replica_group(plan), expert_replica_group(plan)
    one = plan.pipeline == 1
    apart = mine.tied and not one
    units: list[tuple[str, int, int, Group, Where, Place]] = [
        ("the embedding", mine.first + mine.tied, m, all_ranks, "the first stage", "embedding weights"),
        (
            "a layer with an MLP" if model.experts else "a layer",
            mine.common + mine.dense,
            m * found.dense,
            all_ranks,
            "every stage",
            "layer weights",
        ),
        (
            "a layer with experts, routed ones apart",
            mine.common + mine.shared,
            m * found.experts,
            all_ranks,
            "every stage",
            "layer weights",
        ),
        (
            "the routed experts of a layer",
            mine.routed,
            m * found.experts,
            expert_ranks,
            "every stage",
            "layer weights",
        ),
        (
            "head and final norm" if apart or not model.tied else "the final norm",
            mine.last + (mine.tied if apart else 0),
            m,
            all_ranks,
            "the last stage",
            "head weights",
        ),
    ]
    there = [unit for unit in units if unit[1] and unit[2] and unit[3].ranks > 1]
    for at, (name, elements, times, group, where, place) in enumerate(there):
        alone = float(at < 2)  # the embedding is no arithmetic, so the first layer has none before it either
        said = "parameters of a tensor rank" if plan.tensor > 1 else "parameters"
        for ending, backward in (("", False), (", gathered again", True)):
            yield crossing(
                f"weights of {name}{ending}",
                "all-gather",
                group,
                shape=(elements,),
                symbols=said,
                width=parameter_bytes,
                times=times,
                phase="backward" if backward else "forward",
                place=place,
                where=where,
                cause="Each replica keeps a slice of the weights and gathers them when it needs them.",
                hidden_by=BEFORE,
                alone=0.0 if backward else alone,
            )
        yield crossing(
            f"gradients of {name}",
            "reduce-scatter",
            group,
            shape=(elements,),
            symbols=said,
            width=gradient_bytes,
            times=times,
            phase="backward",
            place=place,
            where=where,
            cause="Each replica keeps the sum of its slice's gradients and no others.",
            hidden_by=BEFORE,
            alone=alone,
        )
