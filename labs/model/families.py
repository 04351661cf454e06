"""Which reader each model_type of a config.json has."""

from collections.abc import Callable

from labs.model.deepseek_family import deepseek_v2, deepseek_v3
from labs.model.fields import Fields
from labs.model.gpt_family import falcon, gpt2, gpt_neox
from labs.model.llama_family import llama, mistral, mixtral, qwen2, qwen2_moe, qwen3, qwen3_moe
from labs.model.transformer import Transformer

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
