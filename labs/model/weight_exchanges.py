"""Weights and their gradients that cross: between replicas, and between ranks that hold the same weight."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod

from labs.model.crossing import (
    Crossing,
    Group,
    Where,
    crossing,
    end_group,
    expert_replica_group,
    replica_group,
    tensor_group,
)
from labs.model.plan import Plan
from labs.model.shards import part
from labs.model.stages import layer_counts
from labs.model.tensors import tensors
from labs.model.transformer import Transformer

BEFORE = "the compute of the layers before"
LAST_BACKWARD = "the backward pass of the last microbatch"
NEXT_FORWARD = "the forward pass of the next step"


@dataclass(frozen=True, slots=True)
class Held:
    """Parameters of one device, ZeRO apart: of each sort of layer, and outside of layers.

    Attributes:
        common: attention and norms of a layer
        dense: an ordinary MLP
        shared: routers and shared experts of a layer
        routed: routed experts of a layer
        first: what the first stage adds
        last: what the last stage adds
        tied: the part of a tied embedding
    """

    common: int = 0
    dense: int = 0
    shared: int = 0
    routed: int = 0
    first: int = 0
    last: int = 0
    tied: int = 0

    def stage(self, dense: int, experts: int, first: bool, last: bool) -> int:
        """Return the parameters of a stage but for routed experts."""
        layers = (dense + experts) * self.common + dense * self.dense + experts * self.shared
        # A tied embedding is there once, be the stage first, last or both.
        return layers + first * self.first + last * self.last + (first or last) * self.tied


@dataclass(frozen=True, slots=True)
class Weights:
    """What the exchanges of weights depend on.

    Attributes:
        held: by the heaviest device, sort by sort
        stage: parameters of the heaviest stage but for routed experts
        replicated: of these, what tensor ranks hold alike
        layers: most layers on a stage
        dense: most layers with an ordinary MLP on a stage
        experts: most layers with experts on a stage
    """

    held: Held
    stage: int
    replicated: int
    layers: int
    dense: int
    experts: int


@cache
def held(model: Transformer, ranks: int, experts: int, only_replicated: bool = False) -> Held:
    """Return the parameters of one of some tensor ranks and expert ranks."""
    sums = dict.fromkeys(("common", "dense", "shared", "routed", "first", "last", "tied"), 0)
    for tensor in tensors(model=model):
        if only_replicated and tensor.axis is not None:
            continue
        _, width = part(tensor, ranks)
        shape = [width if axis == tensor.axis else length for axis, length in enumerate(tensor.shape)]
        if tensor.routed:
            shape[0] //= experts
        by_kind = {"mlp": "dense", "experts": "routed" if tensor.routed else "shared"}
        by_place = {"first": "first", "last": "last", "ends": "tied", "layers": by_kind.get(tensor.kind, "common")}
        sums[by_place[tensor.place]] += prod(shape)
    return Held(**sums)


def weights(model: Transformer, plan: Plan) -> Weights:
    """Return what the exchanges of weights depend on."""
    return _weights(model, plan.tensor, plan.expert, plan.pipeline, plan.interleave)


@cache
def _weights(model: Transformer, ranks: int, experts: int, stages: int, chunks: int) -> Weights:
    mine, alike = held(model, ranks, experts), held(model, ranks, experts, True)
    counts = layer_counts(model.layers, model.dense_layers, stages, chunks)
    sorts = [(*own, at == 0, at == stages - 1) for at, own in enumerate(counts)]
    return Weights(
        held=mine,
        stage=max(mine.stage(*sort) for sort in sorts),
        replicated=max(alike.stage(*sort) for sort in sorts),
        layers=max(dense + routed for dense, routed in counts),
        dense=max(dense for dense, _ in counts),
        experts=max(routed for _, routed in counts),
    )


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
            where="first and last stage",
            cause="The embedding on the first stage and the head on the last are one weight.",
        )
    routed = found.held.routed * found.experts
    for group, elements, kind in (
        (replica_group(plan), found.stage, ""),
        (expert_replica_group(plan), routed, " of routed experts"),
    ):
        if group.ranks > 1 and elements and plan.zero < 3:
            yield from _replicas(plan, group, elements, kind, parameter_bytes, gradient_bytes)
    if plan.zero == 3:
        yield from _units(model, plan, found, parameter_bytes, gradient_bytes)


def _replicas(
    plan: Plan, group: Group, elements: int, kind: str, parameter_bytes: float, gradient_bytes: float
) -> Iterator[Crossing]:
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
            cause="Each replica has the gradients of its own examples; the update needs their sum.",
            hidden_by=LAST_BACKWARD,
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
        cause="A replica updates a slice of the weights and needs the sum of that slice's gradients"
        + ("; it keeps no other gradients from one microbatch to the next." if every else "."),
        hidden_by=BEFORE if every else LAST_BACKWARD,
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
        cause="Each replica has updated a slice and needs all weights again.",
        hidden_by=NEXT_FORWARD,
    )


def _units(
    model: Transformer, plan: Plan, found: Weights, parameter_bytes: float, gradient_bytes: float
) -> Iterator[Crossing]:
    """Yield ZeRO stage 3, a layer at a time."""
    mine, m = found.held, plan.accumulation
    all_ranks, expert_ranks = replica_group(plan), expert_replica_group(plan)
    one = plan.pipeline == 1
    apart = mine.tied and not one
    units: list[tuple[str, int, int, Group, Where]] = [
        ("the embedding", mine.first + mine.tied, m, all_ranks, "the first stage"),
        (
            "a layer with an MLP" if model.experts else "a layer",
            mine.common + mine.dense,
            m * found.dense,
            all_ranks,
            "every stage",
        ),
        (
            "a layer with experts, routed ones apart",
            mine.common + mine.shared,
            m * found.experts,
            all_ranks,
            "every stage",
        ),
        ("the routed experts of a layer", mine.routed, m * found.experts, expert_ranks, "every stage"),
        (
            "head and final norm" if apart or not model.tied else "the final norm",
            mine.last + (mine.tied if apart else 0),
            m,
            all_ranks,
            "the last stage",
        ),
    ]
    for name, elements, times, group, where in units:
        if not (elements and times and group.ranks > 1):
            continue
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
                where=where,
                cause="Each replica keeps a slice of the weights and gathers them when it needs them.",
                hidden_by=BEFORE,
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
            where=where,
            cause="Each replica keeps the sum of its slice's gradients and no others.",
            hidden_by=BEFORE,
        )
