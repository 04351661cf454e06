"""DeepSeek-V2 and V3: latent attention and experts.

Defaults are those of huggingface/transformers, src/transformers/models/<family>/configuration_<family>.py; sizes that
every published config states have none here.
"""

from labs.model.configs.fields import Fields
from labs.model.configs.sizes import experts_of, sizes_of, transformer_of
from labs.model.transformers.transformer import LatentAttention, Transformer


def deepseek_v2(fields: Fields) -> Transformer:
    """Read a config of DeepSeek-V2 or V2-Lite, which has no query latent."""
    return _deepseek(fields, router_bias=False)


def deepseek_v3(fields: Fields) -> Transformer:
    """Read a config of DeepSeek-V3 or R1; the layers of multi-token prediction are left out."""
    return _deepseek(fields, router_bias=True)


def _deepseek(fields: Fields, *, router_bias: bool) -> Transformer:
    sizes = sizes_of(fields)
    fields.only("attention_bias", False, default=False)
    fields.only("moe_layer_freq", 1, default=1)
    dense = fields.whole("first_k_dense_replace", at_least=0)
    if dense >= sizes["layers"]:
        fields.refuse(f"first_k_dense_replace < num_hidden_layers, found {dense} and {sizes['layers']}")
    count, chosen = fields.whole("n_routed_experts"), fields.whole("num_experts_per_tok")
    shared = fields.whole("n_shared_experts", null=0, at_least=0)
    experts = experts_of(
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
    return transformer_of(
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
