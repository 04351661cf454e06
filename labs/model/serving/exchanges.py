"""What devices exchange while tokens pass: how often, how much, and how long it takes on the links at hand."""

from dataclasses import dataclass
from typing import Literal

from labs.model.collectives.ring import ring_all_reduce_bandwidth_term, ring_all_reduce_latency_term
from labs.model.machines.machine import Level
from labs.model.plans.plan import Plan
from labs.model.serving.links import Links
from labs.model.serving.token_work import Tokens, layers
from labs.model.transformers.transformer import Transformer

Kind = Literal["all-reduce", "all-to-all", "send"]
Group = Literal["tensor", "context", "expert", "pipeline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One kind of exchange in a pass, as one device takes part in it.

    Attributes:
        group: ranks that exchange: tensor, context, expert or pipeline
        kind: all-reduce, all-to-all or send
        ranks: in one group [1]
        payload: of one exchange: the buffer of each rank [byte]
        times: in one pass [1]
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
    """Return the exchanges of a pass with so many times those of a forward pass, in 16 bits; groups of one have none.

    Of a layer: two all-reduces of its tokens' activations; of its context ranks keys and values around the ring, or,
    while one token is written, its attention's output; of its experts all-to-alls there and back. The embedding's and
    the head's are left out: a few in a pass, where layers have hundreds.
    """
    tokens = asked.on_device(plan)
    each = 2 * tokens * model.hidden
    deep = times * model.layers / plan.pipeline
    found: list[Exchange] = []
    if plan.tensor > 1:
        found.append(_all_reduce("tensor", plan.tensor, each, 2 * deep, links.tensor))
    if plan.context > 1 and asked.decoding:
        payload = 2 * tokens * model.heads * _value_width(model) / plan.tensor
        found.append(_all_reduce("context", plan.context, payload, deep, links.context))
    elif plan.context > 1:
        payload = 2 * tokens * _keys_and_values(model, plan.tensor)
        around = (plan.context - 1) * deep
        found.append(_sent("context", "send", plan.context, payload, around, links.context, 1, payload))
    if plan.expert > 1 and model.experts:
        _, (sparse, _) = layers(model)
        payload = each * model.experts.chosen
        others = plan.expert - 1
        often = 2 * times * sparse / plan.pipeline
        moved = payload * others / plan.expert
        found.append(_sent("expert", "all-to-all", plan.expert, payload, often, links.expert, others, moved))
    if plan.pipeline > 1:
        # Backward, gradients go the other way; activations that are computed again go nowhere.
        found.append(_sent("pipeline", "send", 2, each, min(times, 2), links.pipeline, 1, each))
    return tuple(found)


def _all_reduce(group: Group, ranks: int, payload: float, times: float, link: Level) -> Exchange:
    waiting = times * ring_all_reduce_latency_term(ranks=ranks, latency=link.latency)
    moving = times * ring_all_reduce_bandwidth_term(payload=payload, ranks=ranks, bandwidth=link.bandwidth)
    return Exchange(
        group=group,
        kind="all-reduce",
        ranks=ranks,
        payload=payload,
        times=times,
        latency_term=waiting,
        time=waiting + moving,
    )


def _sent(
    group: Group, kind: Kind, ranks: int, payload: float, times: float, link: Level, messages: int, moved: float
) -> Exchange:
    """Return an exchange in which each device sends so many messages, and bytes in all, one after another."""
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


def _keys_and_values(model: Transformer, tensor: int) -> float:
    """Return elements of a token that go around the ring from one tensor rank; of latent attention the latent."""
    if latent := model.latent:
        return latent.kv_rank + latent.rope_width
    return 2 * model.kv_heads * model.head_width / min(tensor, model.kv_heads)
