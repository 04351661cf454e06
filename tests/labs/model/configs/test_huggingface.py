"""config.json files: what each family leaves out, and what is refused rather than guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.configs.families import FAMILIES
from labs.model.configs.huggingface import read_config
from labs.model.quantities.errors import ModelError
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.weights import tensors
from tests.labs.model import published_configs as configs

ALL = {name: value for name, value in vars(configs).items() if name.isupper()}


def without(config, *names):
    return {name: value for name, value in config.items() if name not in names}


def refused(config, **more):
    with pytest.raises(ModelError) as error:
        read_config(config=config, **more)
    assert error.value.argument in ("config", "sequence")
    return str(error.value)


@pytest.mark.parametrize("name", ALL)
def test_text_and_mapping_are_the_same(name):
    assert read_config(config=json.dumps(ALL[name])) == read_config(config=ALL[name])


def test_the_sequence_is_the_longest_unless_told():
    assert read_config(config=configs.LLAMA_3_8B).sequence == 8192
    assert read_config(config=configs.LLAMA_3_8B, sequence=2048).sequence == 2048
    assert refused(configs.LLAMA_3_8B, sequence=0) == "expected sequence >= 1, found 0"


def test_the_name_is_the_file_s_or_else_the_family():
    assert read_config(config=configs.GPT_2).name == "gpt2"
    assert read_config(config=configs.GPT_2 | {"_name_or_path": "openai-community/gpt2"}).name.endswith("/gpt2")


def test_key_and_value_heads_that_are_left_out():
    assert read_config(config=configs.LLAMA_2_7B).kv_heads == 32
    assert read_config(config=without(configs.MISTRAL_7B, "num_key_value_heads")).kv_heads == 8
    assert read_config(config=without(configs.MIXTRAL_8X7B, "num_key_value_heads")).kv_heads == 8
    assert read_config(config=configs.LLAMA_2_7B | {"num_key_value_heads": None}).kv_heads == 32


def test_null_for_key_and_value_heads_is_one_to_each_head():
    # configuration_mistral.py, _mixtral.py, _qwen2.py: if num_key_value_heads is None, num_attention_heads
    alone = {"num_key_value_heads": None}
    model = read_config(config=configs.MISTRAL_7B | alone)
    assert model.kv_heads == 32
    # Llama 1's attention in Mistral's other sizes: 24 more heads of keys and of values, 128 wide, in 32 layers
    assert parameters(model=model).total == 7_241_732_096 + 32 * 2 * 24 * 128 * 4096 == 8_047_038_464
    assert read_config(config=configs.MIXTRAL_8X7B | alone).kv_heads == 32
    for config in (configs.QWEN_2_5_7B, configs.QWEN_3_8B, configs.QWEN_3_30B_A3B):
        assert read_config(config=config | alone).kv_heads == config["num_attention_heads"]
    few = {"num_attention_heads": 16, "hidden_size": 2048}
    assert read_config(config=configs.QWEN_2_5_7B | alone | few).kv_heads == 16


@pytest.mark.parametrize("config", [configs.MISTRAL_7B, configs.MIXTRAL_8X7B, configs.QWEN_2_5_7B])
def test_attention_bias_counts_only_where_the_family_has_it(config):
    assert read_config(config=config | {"attention_bias": True}) == read_config(config=config)


def test_a_head_may_be_wider_or_narrower_than_its_share():
    assert read_config(config=configs.QWEN_3_30B_A3B).head_width == 128
    assert read_config(config=without(configs.QWEN_3_8B | {"hidden_size": 2048}, "head_dim")).head_width == 128
    assert read_config(config=configs.LLAMA_3_8B).head_width == 128


def test_qwens_biases_and_norms():
    assert read_config(config=configs.QWEN_2_5_7B).qkv_biases
    assert not read_config(config=configs.QWEN_2_5_7B).output_bias
    names = {tensor.name for tensor in tensors(model=read_config(config=configs.QWEN_3_8B))}
    assert "norms.query" in names
    assert "attention.query_bias" not in names


def test_attention_bias_of_a_llama_is_on_all_four():
    names = {t.name for t in tensors(model=read_config(config=configs.LLAMA_3_8B | {"attention_bias": True}))}
    assert {f"attention.{name}_bias" for name in ("query", "key", "value", "output")} <= names
    assert "mlp.up_bias" not in names


def test_falcons():
    first, new = read_config(config=configs.FALCON_7B), read_config(config=configs.FALCON_40B)
    assert (first.kv_heads, first.norms, first.parallel, first.tied) == (1, 1, True, True)
    assert (new.kv_heads, new.norms, new.parallel, new.head_width) == (8, 2, True, 64)
    assert read_config(config=configs.FALCON_40B | {"num_ln_in_parallel_attn": 1}).norms == 1
    small = configs.FALCON_7B | {"multi_query": False, "parallel_attn": False, "bias": True}
    old = read_config(config=small)
    assert (old.kv_heads, old.norms, old.parallel, old.biases) == (71, 2, False, True)


def test_gpt_neox_side_by_side_or_not():
    assert read_config(config=configs.GPT_NEOX_20B).parallel
    assert not read_config(config=configs.GPT_NEOX_20B | {"use_parallel_residual": False}).parallel


def test_deepseek():
    v3, lite = read_config(config=configs.DEEPSEEK_V3), read_config(config=configs.DEEPSEEK_V2_LITE)
    assert (v3.experts.count, v3.experts.chosen, v3.experts.shared, v3.experts.dense_layers) == (256, 8, 1, 3)
    assert v3.experts.router_bias and not lite.experts.router_bias
    assert (v3.latent.query_rank, lite.latent.query_rank, lite.latent.kv_rank) == (1536, 0, 512)


@pytest.mark.parametrize("name", ["first_k_dense_replace", "n_shared_experts"])
@pytest.mark.parametrize("config", [configs.DEEPSEEK_V2, configs.DEEPSEEK_V3])
def test_deepseek_does_not_guess_what_every_published_file_states(config, name):
    assert refused(without(config, name)).endswith(f"{name}, found none")


def test_the_first_layers_may_be_dense():
    assert read_config(config=configs.QWEN_3_30B_A3B | {"mlp_only_layers": [0, 1]}).experts.dense_layers == 2


def test_a_model_of_pictures_and_text_has_another_within():
    found = refused({"model_type": "mistral3", "text_config": configs.MISTRAL_7B | {"model_type": "mistral"}})
    assert found.endswith("(its language model stands in text_config: give that object alone)")


@pytest.mark.parametrize("family", ["mamba", "jamba", "llama4", "mistral3", "phi3"])
def test_a_family_of_a_like_name_is_another(family):
    assert "did you mean" not in refused({"model_type": family})


def test_unknown_families_are_told_which_are_known():
    known = ", ".join(FAMILIES)
    said = refused({"model_type": "rwkv"})
    assert said == f'expected model_type to be one of {known}, found "rwkv"'
    assert refused({"model_type": "qwen-2"}).endswith('(did you mean "qwen2"?)')
    assert refused({}) == f"expected model_type in a config.json, found none (one of {known})"
    assert "found a value of type int" in refused({"model_type": 3})


@pytest.mark.parametrize("name", ALL)
def test_each_size_that_is_left_out_is_asked_for(name):
    """All that have no default of the family's are named at once."""
    said = refused({"model_type": ALL[name]["model_type"]})
    for fields in (("hidden_size", "n_embd"), ("vocab_size",), ("num_hidden_layers", "n_layer")):
        assert any(f"{field}" in said for field in fields)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"hidden_size": "4096"}, 'hidden_size to be a whole number, found "4096"'),
        ({"hidden_size": 4096.5}, "hidden_size to be a whole number, found 4096.5"),
        ({"num_hidden_layers": 0}, "num_hidden_layers >= 1, found 0"),
        ({"num_hidden_layers": True}, "num_hidden_layers to be a number, found True"),
        ({"vocab_size": None}, "vocab_size, found none"),
        ({"vocab_size": [1]}, "vocab_size to be a number, found a value of type list"),
        ({"tie_word_embeddings": "false"}, 'tie_word_embeddings to be true or false, found "false"'),
        ({"mlp_bias": True}, "mlp_bias to be false, found true"),
        ({"num_key_value_heads": 5}, "num_key_value_heads to divide num_attention_heads, found 5 and 32"),
        ({"hidden_size": 4100}, "num_attention_heads to divide hidden_size, found 32 and 4100"),
        (
            {"hidden_size": None, "vocab_size": -1},
            "hidden_size, found none; vocab_size >= 1, found -1",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(change, problem):
    assert refused(configs.LLAMA_3_8B | change) == (f"expected in a config.json of model_type llama {problem}")


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (configs.QWEN_3_30B_A3B | {"decoder_sparse_step": 2}, "decoder_sparse_step to be 1, found 2"),
        (configs.QWEN_3_30B_A3B | {"mlp_only_layers": [3]}, "mlp_only_layers to be the first layers and not all"),
        (configs.QWEN_3_30B_A3B | {"num_experts_per_tok": 200}, "num_experts_per_tok <= 128 experts, found 200"),
        (configs.QWEN_1_5_MOE | {"shared_expert_intermediate_size": 5000}, "found 1408 and 5000"),
        (configs.DEEPSEEK_V3 | {"moe_layer_freq": 2}, "moe_layer_freq to be 1, found 2"),
        (configs.DEEPSEEK_V3 | {"first_k_dense_replace": 61}, "first_k_dense_replace < num_hidden_layers, found 61"),
        (without(configs.DEEPSEEK_V3, "q_lora_rank"), "q_lora_rank, found none"),
        (without(configs.DEEPSEEK_V3, "n_routed_experts"), "n_routed_experts, found none"),
        (configs.GPT_2 | {"add_cross_attention": True}, "add_cross_attention to be false, found true"),
        (configs.GPT_NEOX_20B | {"attention_bias": False}, "attention_bias to be true, found false"),
    ],
)
def test_what_the_model_here_cannot_describe_is_refused(config, problem):
    assert problem in refused(config)


def test_what_is_no_json_is_refused():
    assert refused("{") == (
        "expected config to be JSON, found a mistake in line 1, column 2 "
        "(Expecting property name enclosed in double quotes)"
    )
    assert refused("[1]") == "expected config to be a JSON object, found another value"
    assert refused("[" * 100_000) == "expected config to be JSON of few levels, found too many"
    assert refused(3) == "expected the text of a config.json, found a value of type int"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(name=st.sampled_from(sorted(ALL)), data=st.data())
def test_whatever_a_field_holds_the_answer_is_a_transformer_or_a_refusal(name, data):
    field = data.draw(st.sampled_from(sorted(ALL[name])))
    try:
        read_config(config=ALL[name] | {field: data.draw(JSON)})
    except ModelError as error:
        assert str(error).startswith("expected ")


@pytest.mark.parametrize(
    ("field", "found", "most"),
    [
        ("num_hidden_layers", 1_000_000, 4096),
        ("hidden_size", 10**9, 2**24),
        ("vocab_size", 10**12, 2**24),
        ("max_position_embeddings", 10**9, 2**27),
    ],
)
def test_sizes_that_nobody_built_are_refused(field: str, found: int, most: int) -> None:
    with pytest.raises(ModelError, match=f"{field} <= {most}, found {found}$"):
        read_config(config=configs.LLAMA_3_8B | {field: found})
