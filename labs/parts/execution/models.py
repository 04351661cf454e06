"""The models that can be chosen: two small ones to learn with, and published ones."""

from dataclasses import replace

from labs.model.configs.huggingface import read_config
from labs.model.steps.published import PUBLISHED_RUNS
from labs.model.transformers.named import MODELS, named_model
from labs.model.transformers.transformer import Experts, Transformer

SMALL = Transformer(
    name="Small transformer",
    hidden=1024,
    layers=8,
    heads=16,
    kv_heads=8,
    head_width=64,
    ffn=4096,
    gated=False,
    vocabulary=32768,
    sequence=1024,
)
MIXTURE = replace(SMALL, name="Small mixture of experts", experts=Experts(count=8, chosen=2, ffn=4096))
# The runs that were published are of GPTs that have no other name than their size.
RUNS = {run.model.name: run.model for run in PUBLISHED_RUNS if run.name in ("7.5B", "1T")}
OWN = {model.name: model for model in (SMALL, MIXTURE)} | RUNS
NAMES = tuple(dict.fromkeys((SMALL.name, MIXTURE.name, *MODELS, *RUNS)))


def chosen_model(*, name: str, config: str, sequence: int) -> Transformer:
    """Return the model of a config.json where there is one, else that of the name; sequence 0 leaves its own."""
    if config.strip():
        return read_config(config=config, sequence=sequence or None)
    model = OWN[name] if name in OWN else named_model(name=name)
    return replace(model, sequence=sequence) if sequence else model
