"""What each family of config.json files says, as the family's own code reads it.

Defaults are those of huggingface/transformers, src/transformers/models/<family>/configuration_<family>.py; sizes that
every published config states have none here.
"""

from collections.abc import Callable
from typing import TypedDict

from labs.model.fields import Fields
from labs.model.transformer import Experts, LatentAttention, Transformer


class Sizes(TypedDict):
    """What all families state, under the names that most of them use."""

    hidden: int
    layers: int
    heads: int
    vocabulary: int
    sequence: int


def _sizes(fields: Fields) -> Sizes:
    return {
        "hidden": fields.whole("hidden_size"),
        "layers": fields.whole("num_hidden_layers"),
        "heads": fields.whole("num_attention_heads"),
        "vocabulary": fields.whole("vocab_size"),
        "sequence": fields.whole("max_position_embeddings"),
    }


def _head_width(fields: Fields, sizes: Sizes, default: int | None = None) -> int:
    whole, rest = divmod(sizes["hidden"], sizes["heads"])
    width = fields.whole("head_dim", default=default or max(1, whole))
    if rest and not default and fields.values.get("head_dim") is None:
        fields.refuse(f"num_attention_heads to divide hidden_size, found {sizes['heads']} and {sizes['hidden']}")
    return width


def _llama(
    fields: Fields,
    *,
    kv_default: int | None = None,
    head_default: int | None = None,
    qkv_biases: bool = False,
    qk_norms: bool = False,
    experts: Callable[[Fields, int], Experts] | None = None,
) -> Transformer:
    """Read what Llama began and Mistral, Mixtral and Qwen took over: RMS norms, a gated MLP, no positions to learn."""
    sizes = _sizes(fields)
    attention = fields.truth("attention_bias", default=False)
    found = experts(fields, sizes["layers"]) if experts else None
    # Without a layer that has one, an ordinary MLP has no width that matters.
    dense = found is None or found.dense_layers > 0
    return _checked(
        fields,
        sizes,
        kv_heads=fields.whole("num_key_value_heads", default=kv_default or sizes["heads"]),
        head_width=_head_width(fields, sizes, head_default),
        ffn=fields.whole("intermediate_size", default=None if dense or not found else found.ffn),
        gated=True,
        tied=fields.truth("tie_word_embeddings", default=False),
        qkv_biases=attention or qkv_biases,
        output_bias=attention,
        qk_norms=qk_norms,
        experts=found,
    )


def _checked(fields: Fields, sizes: Sizes, *, kv_heads: int, **more: object) -> Transformer:
    if sizes["heads"] % kv_heads:
        fields.refuse(f"num_key_value_heads to divide num_attention_heads, found {kv_heads} and {sizes['heads']}")
    fields.check()
    return Transformer(**sizes, kv_heads=kv_heads, **more)  # type: ignore[arg-type]


def llama(fields: Fields) -> Transformer:
    """Read a config of Llama 1, 2 or 3."""
    fields.only("mlp_bias", False, default=False)
    return _llama(fields)


def mistral(fields: Fields) -> Transformer:
    """Read a config of Mistral: eight key and value heads where it says nothing."""
    return _llama(fields, kv_default=8)


def qwen2(fields: Fields) -> Transformer:
    """Read a config of Qwen 1.5, 2 or 2.5: query, key and value have biases."""
    return _llama(fields, kv_default=32, qkv_biases=True)


def qwen3(fields: Fields) -> Transformer:
    """Read a config of Qwen 3: heads of 128 where it says nothing, and a norm on queries and keys."""
    return _llama(fields, kv_default=32, head_default=128, qk_norms=True)


def mixtral(fields: Fields) -> Transformer:
    """Read a config of Mixtral: every layer has experts, as wide as an MLP would be."""

    def experts(fields: Fields, layers: int) -> Experts:
        count = fields.whole("num_local_experts", default=8)
        return _experts(fields, count, fields.whole("num_experts_per_tok", default=2), "intermediate_size")

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
    return _llama(fields, kv_default=4, qk_norms=True, experts=lambda fields, layers: _sparse(fields, layers, 0))


def _sparse(fields: Fields, layers: int, shared: int) -> Experts:
    fields.only("decoder_sparse_step", 1, default=1)
    dense = fields.values.get("mlp_only_layers") or []
    if not isinstance(dense, list) or dense != list(range(len(dense))) or len(dense) >= layers:
        fields.refuse(f"mlp_only_layers to be the first layers and not all, found {dense}")
        dense = []
    count = fields.whole("num_experts", "num_local_experts")
    chosen = fields.whole("num_experts_per_tok")
    return _experts(
        fields, count, chosen, "moe_intermediate_size", shared=shared, dense=len(dense), shared_gate=shared > 0
    )


def _experts(
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


def deepseek_v2(fields: Fields) -> Transformer:
    """Read a config of DeepSeek-V2 or V2-Lite, which has no query latent."""
    return _deepseek(fields, router_bias=False)


def deepseek_v3(fields: Fields) -> Transformer:
    """Read a config of DeepSeek-V3 or R1; the layers of multi-token prediction are left out."""
    return _deepseek(fields, router_bias=True)


def _deepseek(fields: Fields, *, router_bias: bool) -> Transformer:
    sizes = _sizes(fields)
    fields.only("attention_bias", False, default=False)
    fields.only("moe_layer_freq", 1, default=1)
    dense = fields.whole("first_k_dense_replace", default=0, at_least=0)
    if dense >= sizes["layers"]:
        fields.refuse(f"first_k_dense_replace < num_hidden_layers, found {dense} and {sizes['layers']}")
    count, chosen = fields.whole("n_routed_experts"), fields.whole("num_experts_per_tok")
    shared = fields.whole("n_shared_experts", default=0, at_least=0)
    experts = _experts(
        fields, count, chosen, "moe_intermediate_size", shared=shared, dense=dense, router_bias=router_bias
    )
    if "q_lora_rank" not in fields.values:
        # Null says that there is no latent; a file without the field says nothing.
        fields.problems.append("q_lora_rank, found none")
    latent = LatentAttention(
        query_rank=fields.whole("q_lora_rank", default=0),
        kv_rank=fields.whole("kv_lora_rank"),
        rope_width=fields.whole("qk_rope_head_dim"),
        nope_width=fields.whole("qk_nope_head_dim"),
        value_width=fields.whole("v_head_dim"),
    )
    return _checked(
        fields,
        sizes,
        kv_heads=fields.whole("num_key_value_heads", default=sizes["heads"]),
        head_width=latent.nope_width + latent.rope_width,
        ffn=fields.whole("intermediate_size"),
        gated=True,
        tied=fields.truth("tie_word_embeddings", default=False),
        experts=experts,
        latent=latent,
    )


def gpt2(fields: Fields) -> Transformer:
    """Read a config of GPT-2: learned positions, biases, an MLP four times as wide where n_inner is null."""
    fields.only("add_cross_attention", False, default=False)
    hidden = fields.whole("n_embd", "hidden_size")
    sequence = fields.whole("n_positions", "n_ctx", "max_position_embeddings")
    sizes: Sizes = {
        "hidden": hidden,
        "layers": fields.whole("n_layer", "num_hidden_layers"),
        "heads": fields.whole("n_head", "num_attention_heads"),
        "vocabulary": fields.whole("vocab_size"),
        "sequence": sequence,
    }
    return _checked(
        fields,
        sizes,
        kv_heads=sizes["heads"],
        head_width=_head_width(fields, sizes),
        ffn=fields.whole("n_inner", default=4 * hidden),
        gated=False,
        tied=fields.truth("tie_word_embeddings", default=True),
        positions=sequence,
        biases=True,
        norm_biases=True,
    )


def gpt_neox(fields: Fields) -> Transformer:
    """Read a config of GPT-NeoX or Pythia: two norms even where attention and MLP run side by side."""
    sizes = _sizes(fields)
    fields.only("attention_bias", True, default=True)
    return _checked(
        fields,
        sizes,
        kv_heads=sizes["heads"],
        head_width=_head_width(fields, sizes),
        ffn=fields.whole("intermediate_size"),
        gated=False,
        tied=fields.truth("tie_word_embeddings", default=False),
        biases=True,
        norm_biases=True,
        parallel=fields.truth("use_parallel_residual", default=True),
    )


def falcon(fields: Fields) -> Transformer:
    """Read a config of Falcon: one key and value head, or as many as num_kv_heads in the newer architecture."""
    hidden, heads = fields.whole("hidden_size", "n_embed"), fields.whole("num_attention_heads", "n_head")
    sizes: Sizes = {
        "hidden": hidden,
        "layers": fields.whole("num_hidden_layers", "n_layer"),
        "heads": heads,
        "vocabulary": fields.whole("vocab_size"),
        "sequence": fields.whole("max_position_embeddings", default=2048),
    }
    new = fields.truth("new_decoder_architecture", default=fields.family == "RefinedWeb")
    many = fields.truth("multi_query", default=True)
    parallel = new or fields.truth("parallel_attn", default=True)
    kv_heads = fields.whole("num_kv_heads", "n_head_kv", default=heads) if new else 1 if many else heads
    norms = fields.whole("num_ln_in_parallel_attn", default=2) if new else 1 if parallel else 2
    return _checked(
        fields,
        sizes,
        kv_heads=kv_heads,
        head_width=_head_width(fields, sizes),
        ffn=fields.whole("ffn_hidden_size", default=4 * hidden),
        gated=False,
        tied=fields.truth("tie_word_embeddings", default=True),
        biases=fields.truth("bias", default=False),
        norm_biases=True,
        norms=norms,
        parallel=parallel,
    )


FAMILIES: dict[str, Callable[[Fields], Transformer]] = {
    "llama": llama,
    "mistral": mistral,
    "mixtral": mixtral,
    "qwen2": qwen2,
    "qwen2_moe": qwen2_moe,
    "qwen3": qwen3,
    "qwen3_moe": qwen3_moe,
    "deepseek_v2": deepseek_v2,
    "deepseek_v3": deepseek_v3,
    "gpt2": gpt2,
    "gpt_neox": gpt_neox,
    "falcon": falcon,
    # The first Falcon files, and a model whose file is DeepSeek-V3's under its own name.
    "RefinedWeb": falcon,
    "RefinedWebModel": falcon,
    "kimi_k2": deepseek_v3,
}
