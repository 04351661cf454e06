"""What devices exchange while tokens pass: how often, how much, and how long it takes on the links at hand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from labs.model.boundaries.layer_exchanges import Passes, layer_exchanges
from labs.model.machines.machine import Level
from labs.model.plans.plan import Plan
from labs.model.serving.links import Links
from labs.model.serving.token_work import Tokens, layers
from labs.model.transformers.transformer import Transformer

Kind = Literal["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "send"]
Group = Literal["tensor", "context", "expert", "pipeline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One kind of exchange in a pass, as one device takes part in it.

    Attributes:
        group: ranks that exchange: tensor, context, expert or pipeline
        kind: all-reduce, reduce-scatter, all-gather, all-to-all or send
        ranks: in one group [1]
        payload: of one exchange: the buffer of each rank [byte]
        times: in one pass, on the mean stage: a fraction where layers do not go evenly into stages [1]
        latency_term: of all of them, what does not depend on the payload [s]
        time: of all of them [s]
    """

    group: Group
    kind: Kind
    ranks: int
    payload: float
    times: float
    latency_term: float
    time: float


def exchanges(model: Transformer, plan: Plan, links: Links, asked: Tokens, times: int) -> tuple[Exchange, ...]:
    """Return the exchanges of a pass, in 16 bits, the same as a training step has; groups of one have none.

    A pass that counts once is a forward pass, twice one of training, three times one that computes all again. While one
    token is written, context ranks add up their attention's output, where otherwise keys and values go round a ring.
    The embedding's and the head's are left out: a few in a pass, where layers have hundreds.
    """
    tokens = asked.on_device(plan)
    found: dict[tuple[Group, Kind, float], float] = {}
    for group, kind, payload, often in _in_layers(model, plan, asked, times):
        key = (group, kind, payload * tokens)
        found[key] = found.get(key, 0) + often / plan.pipeline
    if plan.pipeline > 1:
        # Once from each chunk. Backward, gradients go the other way; what is computed again goes nowhere.
        each = 2 * tokens * model.hidden / (plan.tensor if _split(plan, asked) else 1)
        found["pipeline", "send", each] = min(times, 2) * plan.interleave
    ranks = {"tensor": plan.tensor, "context": plan.context, "expert": plan.expert, "pipeline": 2}
    return tuple(
        _exchange(group, kind, ranks[group], payload, often, getattr(links, group))
        for (group, kind, payload), often in found.items()
    )


def _in_layers(
    model: Transformer, plan: Plan, asked: Tokens, times: int
) -> Iterator[tuple[Group, Kind, float, int]]:
    """Yield ranks, operation, bytes of each token on the device, and how often, in all layers of the model."""
    training = times > 1
    (dense, _), (sparse, _) = layers(model)
    split = replace(
        plan,
        microbatch=1,
        sequence_parallel=_split(plan, asked),
        recompute=plan.recompute if training else "none",
    )
    # As many tokens on the device as its tensor ranks can share.
    few = replace(model, sequence=plan.context * plan.tensor)
    passes = Passes(model=few, plan=split, width=2, layers=model.layers, dense=dense, experts=sparse)
    for one in layer_exchanges(passes):
        if one.axis == "data" or (one.phase == "backward" and not training):
            continue
        if one.axis != "context" or not asked.decoding:
            payload = one.payload / plan.tensor
            if one.axis == "context" and model.latent and not training:
                # Nothing is kept for a backward pass: the latent goes round, and each rank widens it again.
                payload = 2 * (model.latent.kv_rank + model.latent.rope_width)
            yield one.axis, one.operation, payload, one.times
    if plan.context > 1 and asked.decoding:
        yield "context", "all-reduce", 2 * model.heads * _value_width(model) / plan.tensor, model.layers


def _split(plan: Plan, asked: Tokens) -> bool:
    """Return whether tensor ranks split the tokens between the matrices: there must be one for each of them."""
    return plan.sequence_parallel and plan.tensor > 1 and asked.on_device(plan) >= plan.tensor


def _exchange(group: Group, kind: Kind, ranks: int, payload: float, times: float, link: Level) -> Exchange:
    """Return an exchange as a ring does it: a message to every other rank, or to the next one, one after another."""
    messages = 1 if kind == "send" else (2 if kind == "all-reduce" else 1) * (ranks - 1)
    moved = payload if kind == "send" else payload * messages / ranks
    waiting = times * messages * link.latency
    return Exchange(
        group=group,
        kind=kind,
        ranks=ranks,
        payload=payload,
        times=times,
        latency_term=waiting,
        time=waiting + times * moved / link.bandwidth,
    )


def _value_width(model: Transformer) -> int:
    return model.latent.value_width if model.latent else model.head_width
