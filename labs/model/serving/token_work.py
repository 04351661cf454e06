"""What tokens cost the mean device of a plan: arithmetic, and bytes of its own memory."""

from typing import NamedTuple

from labs.model.device_memory.counting import forward_matrices, held
from labs.model.plans.plan import Plan
from labs.model.serving.cache import cache_per_token
from labs.model.transformers.transformer import Transformer


class Tokens(NamedTuple):
    """The tokens of one pass through one replica."""

    sequences: int
    new: int  # of each sequence
    keys: float  # that each of them attends to, on the mean
    headed: int  # of all, those whose logits are wanted
    decoding: bool

    def on_device(self, plan: Plan) -> float:
        """Return the tokens of one device.

        Context ranks share the tokens of a long sequence; while one token is written, each has it, and they share keys.
        """
        return self.sequences * self.new / (1 if self.decoding else plan.context)

    def keys_on_device(self, plan: Plan) -> float:
        return self.keys / plan.context if self.decoding else self.keys


def layers(model: Transformer) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """Return how many layers are without and with experts."""
    dense = min(model.experts.dense_layers, model.layers) if model.experts else model.layers
    return (dense, False), (model.layers - dense, True)


def forward_work(model: Transformer, plan: Plan, asked: Tokens) -> float:
    """Return the FLOPs of the mean device in a forward pass."""
    total = 0.0
    for number, experts in layers(model):
        split, keys_and_values, whole = forward_matrices(model, experts=experts)
        elements = split / plan.tensor + keys_and_values / min(plan.tensor, model.kv_heads) + whole
        total += number * 2 * elements
    if latent := model.latent:
        # Decoding multiplies with the latent itself; the matrix that widens it moves to the query and to the output.
        content = 2 * latent.kv_rank if asked.decoding else latent.nope_width + latent.value_width
        scores = 2 * model.heads * (content + latent.rope_width)
    else:
        scores = 4 * model.heads * model.head_width
    total += model.layers * scores * asked.keys_on_device(plan) / plan.tensor
    head = asked.headed / (1 if asked.decoding else plan.context) * 2 * model.vocabulary * model.hidden / plan.tensor
    return (asked.on_device(plan) * total + head) / plan.pipeline


def bytes_read(model: Transformer, plan: Plan, asked: Tokens, width: float) -> float:
    """Return the bytes that the mean device reads in a forward pass: weights once, and the cache while it decodes."""
    # A plan without a pipeline holds each kind of layer on its one stage.
    here = held(model, _flat(plan), 0)
    elements = here.dense_layers * here.dense_layer + here.expert_layers * here.expert_layer
    elements += model.vocabulary * model.hidden / plan.tensor
    if model.experts:
        missed = (1 - model.experts.chosen / model.experts.count) ** (asked.on_device(plan) * plan.expert)
        elements += here.expert * (1 - missed)
    cached = 0.0
    if asked.decoding:
        copies = 1 if model.latent else min(plan.tensor, model.kv_heads)
        cached = asked.sequences * asked.keys_on_device(plan) * cache_per_token(model=model, width=width) / copies
    return (width * elements + cached) / plan.pipeline


def _flat(plan: Plan) -> Plan:
    return Plan(tensor=plan.tensor, context=plan.context, data=plan.data, expert=plan.expert)
