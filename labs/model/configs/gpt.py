"""GPT-2, GPT-NeoX and Falcon: an MLP without a gate.

Defaults are those of huggingface/transformers, src/transformers/models/<family>/configuration_<family>.py; sizes that
every published config states have none here.
"""

from labs.model.configs.fields import LONGEST, MOST_LAYERS, Fields
from labs.model.configs.sizes import Sizes, head_width_of, sizes_of, transformer_of
from labs.model.transformers.transformer import Transformer


def gpt2(fields: Fields) -> Transformer:
    """Read a config of GPT-2: learned positions, biases, an MLP four times as wide where n_inner is null."""
    fields.only("add_cross_attention", False, default=False)
    hidden = fields.whole("n_embd", "hidden_size")
    sequence = fields.whole("n_positions", "n_ctx", "max_position_embeddings", at_most=LONGEST)
    sizes: Sizes = {
        "hidden": hidden,
        "layers": fields.whole("n_layer", "num_hidden_layers", at_most=MOST_LAYERS),
        "heads": fields.whole("n_head", "num_attention_heads"),
        "vocabulary": fields.whole("vocab_size"),
        "sequence": sequence,
    }
    return transformer_of(
        fields,
        sizes,
        kv_heads=sizes["heads"],
        head_width=head_width_of(fields, sizes),
        ffn=fields.whole("n_inner", default=4 * hidden),
        gated=False,
        tied=fields.truth("tie_word_embeddings", default=True),
        positions=sequence,
        biases=True,
        norm_biases=True,
    )


def gpt_neox(fields: Fields) -> Transformer:
    """Read a config of GPT-NeoX or Pythia: two norms even where attention and MLP run side by side."""
    sizes = sizes_of(fields)
    fields.only("attention_bias", True, default=True)
    return transformer_of(
        fields,
        sizes,
        kv_heads=sizes["heads"],
        head_width=head_width_of(fields, sizes),
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
        "layers": fields.whole("num_hidden_layers", "n_layer", at_most=MOST_LAYERS),
        "heads": heads,
        "vocabulary": fields.whole("vocab_size"),
        "sequence": fields.whole("max_position_embeddings", default=2048, at_most=LONGEST),
    }
    new = fields.truth("new_decoder_architecture", default=fields.family == "RefinedWeb")
    many = fields.truth("multi_query", default=True)
    parallel = new or fields.truth("parallel_attn", default=True)
    kv_heads = fields.whole("num_kv_heads", "n_head_kv", default=heads) if new else 1 if many else heads
    norms = fields.whole("num_ln_in_parallel_attn", default=2) if new else 1 if parallel else 2
    return transformer_of(
        fields,
        sizes,
        kv_heads=kv_heads,
        head_width=head_width_of(fields, sizes),
        ffn=fields.whole("ffn_hidden_size", default=4 * hidden),
        gated=False,
        tied=fields.truth("tie_word_embeddings", default=True),
        biases=fields.truth("bias", default=False),
        norm_biases=True,
        norms=norms,
        parallel=parallel,
    )
