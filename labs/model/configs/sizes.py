"""What config.json files of all families have in common."""

from typing import TypedDict

from labs.model.configs.fields import LONGEST, MOST_LAYERS, Fields
from labs.model.transformers.transformer import Experts, Transformer


class Sizes(TypedDict):
    """What all families state, under the names that most of them use."""

    hidden: int
    layers: int
    heads: int
    vocabulary: int
    sequence: int


def sizes_of(fields: Fields) -> Sizes:
    """Return the sizes under the names that most families use."""
    return {
        "hidden": fields.whole("hidden_size"),
        "layers": fields.whole("num_hidden_layers", at_most=MOST_LAYERS),
        "heads": fields.whole("num_attention_heads"),
        "vocabulary": fields.whole("vocab_size"),
        "sequence": fields.whole("max_position_embeddings", at_most=LONGEST),
    }


def head_width_of(fields: Fields, sizes: Sizes, default: int | None = None) -> int:
    """Return the width of a head: as stated, as the family has it, or the share of the whole width."""
    whole, rest = divmod(sizes["hidden"], sizes["heads"])
    width = fields.whole("head_dim", default=default or max(1, whole))
    if rest and not default and fields.values.get("head_dim") is None:
        fields.refuse(f"num_attention_heads to divide hidden_size, found {sizes['heads']} and {sizes['hidden']}")
    return width


def transformer_of(fields: Fields, sizes: Sizes, *, kv_heads: int, **more: object) -> Transformer:
    """Return the transformer, or refuse with all that was wrong."""
    if sizes["heads"] % kv_heads:
        fields.refuse(f"num_key_value_heads to divide num_attention_heads, found {kv_heads} and {sizes['heads']}")
    fields.check()
    return Transformer(**sizes, kv_heads=kv_heads, **more)  # type: ignore[arg-type]


def experts_of(
    fields: Fields,
    count: int,
    chosen: int,
    width: str,
    *,
    shared: int = 0,
    dense: int = 0,
    shared_gate: bool = False,
    router_bias: bool = False,
) -> Experts:
    """Return the experts of a layer; width is the field that says how wide one is."""
    if chosen > count:
        fields.refuse(f"num_experts_per_tok <= {count} experts, found {chosen}")
    return Experts(
        count=count,
        chosen=min(chosen, count),
        ffn=fields.whole(width),
        shared=shared,
        dense_layers=dense,
        shared_gate=shared_gate,
        router_bias=router_bias,
    )
