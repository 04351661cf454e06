"""How many parameters a device holds, ZeRO apart: what the exchanges of weights depend on."""

from dataclasses import dataclass
from functools import cache
from math import prod

from labs.model.plans.plan import Plan
from labs.model.plans.sharding import part
from labs.model.plans.stages import layer_counts
from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import tensors


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
