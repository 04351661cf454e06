"""Models whose numbers are published, for tests."""

from labs.model.transformers.named import named_model

LLAMA_3_8B = named_model(name="Llama 3 8B")
MIXTRAL_8X7B = named_model(name="Mixtral 8x7B", sequence=4096)
DEEPSEEK_V3 = named_model(name="DeepSeek-V3")
