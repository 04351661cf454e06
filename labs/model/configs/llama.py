"""Llama, and what took its shape over: Mistral, Mixtral and Qwen.

Defaults are those of huggingface/transformers, src/transformers/models/<family>/configuration_<family>.py; sizes that
every published config states have none here.
"""

from collections.abc import Callable

from labs.model.configs.fields import Fields
from labs.model.configs.sizes import experts_of, head_width_of, sizes_of, transformer_of
from labs.model.transformers.transformer import Experts, Transformer


def _llama(
    fields: Fields,
    *,
    kv_default: int | None = None,
    head_default: int | None = None,
    may_have_biases: bool = False,
    qkv_biases: bool = False,
    qk_norms: bool = False,
    experts: Callable[[Fields, int], Experts] | None = None,
) -> Transformer:
    """Read what Llama began and Mistral, Mixtral and Qwen took over: RMS norms, a gated MLP, no positions to learn."""
    sizes = sizes_of(fields)
    attention = may_have_biases and fields.truth("attention_bias", default=False)
    found = experts(fields, sizes["layers"]) if experts else None
    # Without a layer that has one, an ordinary MLP has no width that matters.
    dense = found is None or found.dense_layers > 0
    return transformer_of(
        fields,
        sizes,
        # Null is not absent: it stands for one of each to every head of queries.
        kv_heads=fields.whole("num_key_value_heads", default=kv_default or sizes["heads"], null=sizes["heads"]),
        head_width=head_width_of(fields, sizes, head_default),
        ffn=fields.whole("intermediate_size", default=None if dense or not found else found.ffn),
        gated=True,
        tied=fields.truth("tie_word_embeddings", default=False),
        qkv_biases=attention or qkv_biases,
        output_bias=attention,
        qk_norms=qk_norms,
        experts=found,
    )


def llama(fields: Fields) -> Transformer:
    """Read a config of Llama 1, 2 or 3."""
    fields.only("mlp_bias", False, default=False)
    return _llama(fields, may_have_biases=True)


def mistral(fields: Fields) -> Transformer:
    """Read a config of Mistral: eight key and value heads where it says nothing."""
    return _llama(fields, kv_default=8)


def qwen2(fields: Fields) -> Transformer:
    """Read a config of Qwen 1.5, 2 or 2.5: query, key and value have biases."""
    return _llama(fields, kv_default=32, qkv_biases=True)


def qwen3(fields: Fields) -> Transformer:
    """Read a config of Qwen 3: heads of 128 where it says nothing, and a norm on queries and keys."""
    return _llama(fields, kv_default=32, head_default=128, may_have_biases=True, qk_norms=True)


def mixtral(fields: Fields) -> Transformer:
    """Read a config of Mixtral: every layer has experts, as wide as an MLP would be."""

    def experts(fields: Fields, layers: int) -> Experts:
        count = fields.whole("num_local_experts", default=8)
        return experts_of(fields, count, fields.whole("num_experts_per_tok", default=2), "intermediate_size")

    return _llama(fields, kv_default=8, experts=experts)


def qwen2_moe(fields: Fields) -> Transformer:
    """Read a config of Qwen 1.5 or 2 with experts: shared ones stand beside the routed, behind a gate."""

    def experts(fields: Fields, layers: int) -> Experts:
        each = fields.whole("moe_intermediate_size")
        shared, rest = divmod(fields.whole("shared_expert_intermediate_size", at_least=0), each)
        if rest:
            fields.refuse(
                f"moe_intermediate_size to divide shared_expert_intermediate_size, found {each} and "
                f"{shared * each + rest}"
            )
        return _sparse(fields, layers, shared)

    return _llama(fields, kv_default=16, qkv_biases=fields.truth("qkv_bias", default=True), experts=experts)


def qwen3_moe(fields: Fields) -> Transformer:
    """Read a config of Qwen 3 with experts."""

    def experts(fields: Fields, layers: int) -> Experts:
        return _sparse(fields, layers, shared=0)

    return _llama(fields, kv_default=4, may_have_biases=True, qk_norms=True, experts=experts)


def _sparse(fields: Fields, layers: int, shared: int) -> Experts:
    fields.only("decoder_sparse_step", 1, default=1)
    dense = fields.values.get("mlp_only_layers") or []
    if not isinstance(dense, list) or dense != list(range(len(dense))) or len(dense) >= layers:
        fields.refuse(f"mlp_only_layers to be the first layers and not all, found {dense}")
        dense = []
    count = fields.whole("num_experts", "num_local_experts")
    chosen = fields.whole("num_experts_per_tok")
    return experts_of(
        fields, count, chosen, "moe_intermediate_size", shared=shared, dense=len(dense), shared_gate=shared > 0
    )
