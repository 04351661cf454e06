"""Which reader each model_type of a config.json has."""

from collections.abc import Callable

from labs.model.configs.deepseek import deepseek_v2, deepseek_v3
from labs.model.configs.fields import Fields
from labs.model.configs.gpt import falcon, gpt2, gpt_neox
from labs.model.configs.llama import llama, mistral, mixtral, qwen2, qwen2_moe, qwen3, qwen3_moe
from labs.model.transformers.transformer import Transformer

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
