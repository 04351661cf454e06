"""Parameters that one device of a stage holds, by how ranks share them, and the layers of that stage."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from labs.model.plans.plan import Plan
from labs.model.plans.stages import layer_counts
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import Place, Tensor, tensors


class Held(NamedTuple):
    """What a device of one pipeline stage holds before ZeRO, in parameters."""

    dense_layer: float  # one layer with an ordinary MLP
    expert_layer: float  # one layer with experts, these left out
    experts: float  # a device's experts of one layer
    dense_layers: int
    expert_layers: int
    embedding: float  # with positions, on the first stage
    head: float  # with the final norm, on the last stage
    norm: float  # the final norm alone, where the head is the embedding and both are on one stage

    @property
    def layers(self) -> int:
        return self.dense_layers + self.expert_layers

    @property
    def shared(self) -> float:
        """Parameters that all data and context ranks hold alike."""
        layers = self.dense_layers * self.dense_layer + self.expert_layers * self.expert_layer
        return layers + self.embedding + self.head + self.norm

    @property
    def expert(self) -> float:
        """Parameters that data × context / expert ranks hold alike."""
        return self.expert_layers * self.experts

    @property
    def largest_two(self) -> tuple[float, float]:
        """The two largest of what ZeRO-3 gathers at a time, experts left out: a layer, the embedding, the head."""
        layer = self.expert_layer if self.expert_layers else self.dense_layer
        layer = max(layer, self.dense_layer) if self.dense_layers else layer
        units = sorted((layer, layer if self.layers > 1 else 0.0, self.embedding, self.head), reverse=True)
        return units[0], units[1]


def layers_on_stage(model: Transformer, plan: Plan, stage: int) -> tuple[int, int]:
    """Return layers with an ordinary MLP and layers with experts on one stage; first chunks get what is left over."""
    return _layers_on_stage(model, plan.pipeline, plan.interleave, stage)


def held(model: Transformer, plan: Plan, stage: int) -> Held:
    """Return what a device of a stage holds: tensor ranks share matrices by heads and widths, not norms or routers."""
    check_ranks(model, plan)
    return _held(model, plan.tensor, plan.expert, plan.pipeline, plan.interleave, stage)


@cache
def fullest_stages(model: Transformer, pipeline: int, interleave: int) -> tuple[int, ...]:
    """Return the stages of which one is the fullest: of those with the same layers the first has most in flight.

    The first stage has the embedding and the last one the head besides.
    """
    first_alike: dict[tuple[int, int], int] = {}
    for stage in range(pipeline):
        first_alike.setdefault(_layers_on_stage(model, pipeline, interleave, stage), stage)
    return tuple({0, *first_alike.values(), pipeline - 1})


def check_ranks(model: Transformer, plan: Plan) -> None:
    """Refuse tensor ranks that would cut a head, and expert ranks without whole experts."""
    tensor, experts = plan.tensor, model.experts
    if model.heads % tensor:
        raise ModelError(f"expected tensor to divide heads, found {tensor} and {model.heads}", argument="tensor")
    if model.kv_heads % tensor and tensor % model.kv_heads:
        raise ModelError(
            f"expected tensor to divide kv_heads or be a multiple, found {tensor} and {model.kv_heads}",
            argument="tensor",
        )
    if experts is None and plan.expert > 1:
        raise ModelError(f"expected expert 1 for a model without experts, found {plan.expert}", argument="expert")
    if experts and experts.count % plan.expert:
        raise ModelError(
            f"expected expert to divide the experts, found {plan.expert} and {experts.count}", argument="expert"
        )


@cache
def _layers_on_stage(model: Transformer, pipeline: int, interleave: int, stage: int) -> tuple[int, int]:
    if pipeline * interleave > model.layers:
        found = f"{pipeline} × {interleave}" if interleave > 1 else f"{pipeline}"
        raise ModelError(
            f"expected pipeline stages to hold a layer each, found {found} and {model.layers} layers",
            argument="pipeline",
        )
    place = count("stage", stage, at_least=0, at_most=pipeline - 1)
    return layer_counts(model.layers, model.dense_layers, pipeline, interleave)[place]


class _Elements(NamedTuple):
    """Elements of some weights of one layer: split over tensor ranks, by key and value heads, and not at all."""

    split: int
    keys_and_values: int
    whole: int

    def on(self, model: Transformer, tensor: int) -> float:
        """Return those of one tensor rank."""
        return self.split / tensor + self.keys_and_values / min(tensor, model.kv_heads) + self.whole


def _elements(model: Transformer, tensors: Iterable[Tensor]) -> _Elements:
    split = keys_and_values = whole = 0
    shared = ("attention.key", "attention.value", "attention.key_bias", "attention.value_bias")
    for tensor in tensors:
        if tensor.split == "replicated":
            whole += tensor.elements
        elif tensor.name in shared:
            keys_and_values += tensor.elements
        else:
            split += tensor.elements
    return _Elements(split, keys_and_values, whole)


def _of_layer(model: Transformer, *, experts: bool) -> list[Tensor]:
    """Return the weights of a layer without or with experts, routed ones left out."""
    other = "mlp" if experts else "experts"
    return [
        tensor
        for tensor in tensors(model=model)
        if tensor.place == "layers" and tensor.kind != other and not tensor.routed
    ]


def _of_ends(model: Transformer, *places: Place) -> _Elements:
    return _elements(model, (tensor for tensor in tensors(model=model) if tensor.place in places))


@cache
def _layer(model: Transformer) -> tuple[_Elements, _Elements, int]:
    """Return what a layer without and a layer with experts has, and the elements of its routed experts."""
    routed = sum(tensor.elements for tensor in tensors(model=model) if tensor.routed)
    dense, sparse = (_elements(model, _of_layer(model, experts=experts)) for experts in (False, True))
    return dense, sparse, routed


@cache
def _held(model: Transformer, tensor: int, expert: int, pipeline: int, interleave: int, stage: int) -> Held:
    dense, sparse, routed = _layer(model)
    dense_layers, expert_layers = _layers_on_stage(model, pipeline, interleave, stage)
    first, last = stage == 0, stage == pipeline - 1
    end = _of_ends(model, "last").on(model, tensor)
    # A tied embedding is on both ends; on one stage it is there once.
    copy = _of_ends(model, "ends").on(model, tensor) if not first else 0.0
    joined = first and last and model.tied
    return Held(
        dense_layer=dense.on(model, tensor),
        expert_layer=sparse.on(model, tensor),
        experts=routed / (tensor * expert),
        dense_layers=dense_layers,
        expert_layers=expert_layers,
        embedding=_of_ends(model, "first", "ends").on(model, tensor) if first else 0.0,
        head=end + copy if last and not joined else 0.0,
        norm=end if joined else 0.0,
    )


@cache
def forward_matrices(model: Transformer, *, experts: bool) -> tuple[float, float, float]:
    """Return elements of the matrices of one layer that a token is multiplied with: split over tensor ranks, by key and
    value heads, and not at all.
    """
    met = _elements(model, (tensor for tensor in _of_layer(model, experts=experts) if len(tensor.shape) == 2))
    chosen = 0.0
    if experts and model.experts:
        routed = sum(tensor.elements for tensor in tensors(model=model) if tensor.routed)
        chosen = routed * model.experts.chosen / model.experts.count
    return met.split + chosen, float(met.keys_and_values), float(met.whole)
