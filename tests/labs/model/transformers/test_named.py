"""Named models: the sizes of their published configs, and the counts of parameters that were published."""

from dataclasses import replace

import pytest

from labs.model.configs.huggingface import read_config
from labs.model.quantities.errors import ModelError
from labs.model.transformers.named import MODELS, named_model
from labs.model.transformers.parameter_count import parameters
from tests.labs.model import published_configs as configs


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("Llama 3 8B", configs.LLAMA_3_8B),
        ("Llama 3 70B", configs.LLAMA_3_70B),
        ("Llama 3 405B", configs.LLAMA_3_405B),
        ("Mixtral 8x7B", configs.MIXTRAL_8X7B),
        ("DeepSeek-V3", configs.DEEPSEEK_V3),
    ],
)
def test_a_named_model_is_what_its_config_describes(name, config):
    model = named_model(name=name)
    assert model == replace(read_config(config=config, sequence=model.sequence), name=name)


@pytest.mark.parametrize(
    ("name", "total", "active"),
    [
        ("GPT 1.3B", 1.3e9, 1.3e9),  # Brown et al. 2020, table 2.1
        ("GPT 7.5B", 7.5e9, 7.5e9),  # Narayanan et al. 2021, table 1
        ("GPT-3 175B", 174.6e9, 174.6e9),  # Narayanan et al. 2021, table 2
        ("Llama 3 8B", 8.0e9, 8.0e9),  # the names of the models
        ("Llama 3 70B", 70.6e9, 70.6e9),
        ("Llama 3 405B", 405e9, 405e9),
        ("Mixtral 8x7B", 47e9, 13e9),  # Jiang et al. 2024, section 1
        ("DeepSeek-V3", 671e9, 37e9),  # DeepSeek-AI 2024, abstract
    ],
)
def test_a_named_model_has_as_many_parameters_as_published(name, total, active):
    found = parameters(model=named_model(name=name))
    assert found.total == pytest.approx(total, rel=0.02)
    assert found.active == pytest.approx(active, rel=0.03)


def test_sequences_are_as_long_as_wanted():
    assert [named_model(name=name).name for name in MODELS] == list(MODELS)
    assert named_model(name="Mixtral 8x7B", sequence=4096).sequence == 4096


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"name": "Llama 3 8b"}, r'found "Llama 3 8b" \(did you mean "Llama 3 8B"\?\)'),
        ({"name": None}, "found None"),
        ({"name": "GPT 1.3B", "sequence": 0}, "expected sequence >= 1, found 0"),
    ],
)
def test_a_model_that_is_not_there_is_refused(inputs, message):
    with pytest.raises(ModelError, match=message):
        named_model(**inputs)
