"""Models whose numbers are published, for tests."""

from labs.model.transformer import Experts, LatentAttention, Transformer

LLAMA_3_8B = Transformer(
    name="Llama 3 8B",
    hidden=4096,
    layers=32,
    heads=32,
    kv_heads=8,
    head_width=128,
    ffn=14336,
    gated=True,
    vocabulary=128256,
    sequence=8192,
)
MIXTRAL_8X7B = Transformer(
    name="Mixtral 8x7B",
    hidden=4096,
    layers=32,
    heads=32,
    kv_heads=8,
    head_width=128,
    ffn=14336,
    gated=True,
    vocabulary=32000,
    sequence=4096,
    experts=Experts(count=8, chosen=2, ffn=14336),
)
DEEPSEEK_V3 = Transformer(
    name="DeepSeek-V3",
    hidden=7168,
    layers=61,
    heads=128,
    kv_heads=128,
    head_width=128,
    ffn=18432,
    gated=True,
    vocabulary=129280,
    sequence=4096,
    experts=Experts(count=256, chosen=8, ffn=2048, shared=1, dense_layers=3),
    latent=LatentAttention(query_rank=1536, kv_rank=512, rope_width=64, nope_width=128, value_width=128),
)
