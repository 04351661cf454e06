"""Models by name, each number with its source."""

from dataclasses import replace

from labs.model.quantities.errors import ModelError, nearest, shown
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Experts, LatentAttention, Transformer, gpt


def _llama(name: str, *, hidden: int, layers: int, heads: int, ffn: int) -> Transformer:
    return Transformer(
        name=name,
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=8,
        head_width=128,
        ffn=ffn,
        gated=True,
        vocabulary=128256,
        sequence=8192,
    )


_MODELS = {
    model.name: model
    for model in (
        # Brown et al. 2020, Language Models are Few-Shot Learners (arXiv 2005.14165), table 2.1: depth and width of
        # "GPT-3 XL". Its 24 heads of 128 do not make 2048; 16 do. Vocabulary: Megatron's, padded to 51,200.
        gpt(name="GPT 1.3B", hidden=2048, layers=24, heads=16),
        # Narayanan et al. 2021 (arXiv 2104.04473), table 1, the row of 7.5 billion parameters.
        gpt(name="GPT 7.5B", hidden=4096, layers=36, heads=32),
        # Brown et al., table 2.1, "GPT-3 175B"; Narayanan et al., table 2, with that vocabulary.
        gpt(name="GPT-3 175B", hidden=12288, layers=96, heads=96),
        # config.json of meta-llama/Meta-Llama-3-8B and -70B and of Llama-3.1-405B; pre-training began with sequences
        # of 8,192 tokens: Grattafiori et al. 2024, The Llama 3 Herd of Models (arXiv 2407.21783), section 3.4.
        _llama("Llama 3 8B", hidden=4096, layers=32, heads=32, ffn=14336),
        _llama("Llama 3 70B", hidden=8192, layers=80, heads=64, ffn=28672),
        _llama("Llama 3 405B", hidden=16384, layers=126, heads=128, ffn=53248),
        # config.json of mistralai/Mixtral-8x7B-v0.1; Jiang et al. 2024, Mixtral of Experts (arXiv 2401.04088), table 1.
        Transformer(
            name="Mixtral 8x7B",
            hidden=4096,
            layers=32,
            heads=32,
            kv_heads=8,
            head_width=128,
            ffn=14336,
            gated=True,
            vocabulary=32000,
            sequence=32768,
            experts=Experts(count=8, chosen=2, ffn=14336),
        ),
        # config.json of deepseek-ai/DeepSeek-V3; pre-training with sequences of 4K tokens: DeepSeek-AI 2024,
        # DeepSeek-V3 Technical Report (arXiv 2412.19437), section 4.2.
        Transformer(
            name="DeepSeek-V3",
            hidden=7168,
            layers=61,
            heads=128,
            kv_heads=128,
            head_width=192,
            ffn=18432,
            gated=True,
            vocabulary=129280,
            sequence=4096,
            experts=Experts(count=256, chosen=8, ffn=2048, shared=1, dense_layers=3, router_bias=True),
            latent=LatentAttention(query_rank=1536, kv_rank=512, rope_width=64, nope_width=128, value_width=128),
        ),
    )
}
MODELS = tuple(_MODELS)


def named_model(*, name: str, sequence: int | None = None) -> Transformer:
    """Return a model by its name, with sequences as long as wanted.

        sequence = s, or that of its pre-training

    Args:
        name: one of MODELS
        sequence: tokens of one training sequence, s; as it was trained where None [1]

    Returns:
        the transformer

    Raises:
        ModelError: no such model, or no such sequence

    Source:
        the configs that were published with the models, as named in this module

    >>> from labs.model.transformers.parameter_count import parameters
    >>> parameters(model=named_model(name="Llama 3 8B")).total
    8030261248
    """
    if name not in _MODELS:
        hint = nearest(name, dict.fromkeys(MODELS)) if isinstance(name, str) else None
        raise ModelError(
            f"expected name to be one of {', '.join(MODELS)}, found {shown(name)}", argument="name", hint=hint
        )
    model = _MODELS[name]
    return model if sequence is None else replace(model, sequence=count("sequence", sequence))
