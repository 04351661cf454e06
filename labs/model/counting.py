"""Parameters that one device of a stage holds, and the layers of that stage.

To be replaced by the counts of labs.model.tensors, which have the same meaning; nothing else counts parameters here.
"""

from functools import cache
from typing import NamedTuple

from labs.model.errors import ModelError
from labs.model.inputs import count
from labs.model.plan import Plan
from labs.model.transformer import Transformer


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
    chunks = pipeline * interleave
    if chunks > model.layers:
        found = f"{pipeline} × {interleave}" if interleave > 1 else f"{pipeline}"
        raise ModelError(
            f"expected pipeline stages to hold a layer each, found {found} and {model.layers} layers",
            argument="pipeline",
        )
    count("stage", stage, at_least=0, at_most=pipeline - 1)
    each, left = divmod(model.layers, chunks)
    without = model.experts.dense_layers if model.experts else model.layers
    layers = dense = 0
    for chunk in range(stage, chunks, pipeline):
        first = chunk * each + min(chunk, left)
        length = each + (chunk < left)
        layers += length
        dense += min(max(without - first, 0), length)
    return dense, layers - dense


@cache
def _held(model: Transformer, tensor: int, expert: int, pipeline: int, interleave: int, stage: int) -> Held:
    matrices, keys_and_values, whole, mlp, mlp_whole, router, one_expert = _layer(model)
    attention = matrices / tensor + keys_and_values / min(tensor, model.kv_heads) + whole
    dense_layers, expert_layers = _layers_on_stage(model, pipeline, interleave, stage)
    norm = float(model.hidden * (1 + model.norm_biases)) if model.final_norm else 0.0
    table = model.vocabulary * model.hidden / tensor
    first, last = stage == 0, stage == pipeline - 1
    shared = model.experts.shared if model.experts else 0
    routed = model.experts.count if model.experts else 0
    return Held(
        dense_layer=attention + mlp / tensor + mlp_whole,
        expert_layer=attention + router + shared * one_expert / tensor,
        experts=routed * one_expert / (tensor * expert),
        dense_layers=dense_layers,
        expert_layers=expert_layers,
        embedding=table + model.positions * model.hidden if first else 0.0,
        head=table + norm if last and not (first and model.tied) else 0.0,
        norm=norm if last and first and model.tied else 0.0,
    )


@cache
def _layer(model: Transformer) -> tuple[float, float, float, float, float, float, float]:
    """Return, of one layer: attention split over tensor ranks, by key and value heads, and not at all; then MLP split
    and not at all; router; one expert.
    """
    hidden, heads, kv = model.hidden, model.heads, model.kv_heads
    norms = model.norms * hidden * (1 + model.norm_biases)
    some, all_ = model.biases or model.qkv_biases, model.biases
    if latent := model.latent:
        wide = latent.nope_width + latent.rope_width
        queries = latent.query_rank or hidden
        matrices = heads * (queries * wide + latent.kv_rank * (latent.nope_width + latent.value_width))
        matrices += heads * latent.value_width * hidden
        down = hidden * (latent.query_rank + latent.kv_rank + latent.rope_width)
        keys_and_values, whole = 0, down + latent.query_rank + latent.kv_rank
    else:
        width = model.head_width
        matrices = heads * width * (2 * hidden + some)
        keys_and_values = 2 * kv * width * (hidden + some)
        whole = hidden * all_
    ups = 2 if model.gated else 1
    experts = model.experts
    return (
        float(matrices),
        float(keys_and_values),
        float(whole + norms),
        float(model.ffn * (hidden * (ups + 1) + ups * all_)),
        float(hidden * all_),
        float(hidden * experts.count) if experts else 0.0,
        float(experts.ffn * hidden * (ups + 1)) if experts else 0.0,
    )


@cache
def forward_matrices(model: Transformer, *, experts: bool) -> tuple[float, float, float]:
    """Return elements of the matrices of one layer that a token is multiplied with: split over tensor ranks, by key and
    value heads, and not at all.
    """
    hidden, heads = model.hidden, model.heads
    ups = 2 if model.gated else 1
    width, router = model.ffn, 0
    if experts and model.experts:
        width = (model.experts.chosen + model.experts.shared) * model.experts.ffn
        router = hidden * model.experts.count
    mlp = (ups + 1) * hidden * width
    if latent := model.latent:
        wide = latent.nope_width + latent.rope_width
        queries = latent.query_rank or hidden
        split = heads * (queries * wide + latent.kv_rank * (latent.nope_width + latent.value_width))
        split += heads * latent.value_width * hidden
        whole = hidden * (latent.query_rank + latent.kv_rank + latent.rope_width)
        return float(split + mlp), 0.0, float(whole + router)
    split = 2 * hidden * heads * model.head_width + mlp
    return float(split), float(2 * hidden * model.kv_heads * model.head_width), float(router)
