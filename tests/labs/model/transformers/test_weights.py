"""Parameters: the counts that their makers publish, exactly, and the closed form of the Megatron papers."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.configs.huggingface import read_config
from labs.model.quantities.errors import ModelError
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Experts, LatentAttention, Transformer, gpt
from labs.model.transformers.weights import tensors
from tests.labs.model import published_configs as configs

# Hugging Face shows them at each model ("safetensors", total); GPT-NeoX in its model card's table, Pythia in its
# README, Falcon by what its layers hold: L (2 h² (1 + kv / a) + 8 h² + norms · 2 h) + V h + 2 h.
PUBLISHED = {
    "LLAMA_2_7B": 6_738_415_616,
    "LLAMA_2_13B": 13_015_864_320,
    "LLAMA_2_70B": 68_976_648_192,
    "LLAMA_3_8B": 8_030_261_248,
    "LLAMA_3_70B": 70_553_706_496,
    "LLAMA_3_405B": 405_853_388_800,
    "LLAMA_3_2_1B": 1_235_814_400,
    "MISTRAL_7B": 7_241_732_096,
    "MIXTRAL_8X7B": 46_702_792_704,
    "QWEN_2_5_7B": 7_615_616_512,
    "QWEN_2_5_05B": 494_032_768,
    "QWEN_3_8B": 8_190_735_360,
    "QWEN_1_5_MOE": 14_315_784_192,
    "QWEN_3_30B_A3B": 30_532_122_624,
    "DEEPSEEK_V3": 671_026_419_200,
    "DEEPSEEK_V2": 235_741_434_880,
    "DEEPSEEK_V2_LITE": 15_706_484_224,
    "GPT_2": 124_439_808,
    "GPT_2_XL": 1_557_611_200,
    "GPT_NEOX_20B": 20_554_567_680,
    "PYTHIA_70M": 70_426_624,
    "FALCON_7B": 32 * (2 * 4544**2 + 2 * 64 * 4544 + 8 * 4544**2 + 2 * 4544) + 65024 * 4544 + 2 * 4544,
    "FALCON_40B": 60 * (2 * 8192**2 + 2 * 8 * 64 * 8192 + 8 * 8192**2 + 4 * 8192) + 65024 * 8192 + 2 * 8192,
    "FALCON_40B_FIRST": 60 * (2 * 8192**2 + 2 * 8 * 64 * 8192 + 8 * 8192**2 + 4 * 8192) + 65024 * 8192 + 2 * 8192,
}
# Of the model cards and reports, in their own rounding; whether the embedding counts differs from one to the next.
ACTIVE = {"MIXTRAL_8X7B": 12.9e9, "QWEN_1_5_MOE": 2.7e9, "QWEN_3_30B_A3B": 3.3e9, "DEEPSEEK_V2": 21e9}


def small(**more):
    sizes = {"hidden": 8, "layers": 4, "heads": 4, "kv_heads": 2, "head_width": 2, "ffn": 16, "gated": False}
    return Transformer(**sizes | {"vocabulary": 32, "sequence": 4} | more)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_count_comes_out_exactly(name):
    assert parameters(model=read_config(config=getattr(configs, name))).total == PUBLISHED[name]


def test_every_config_has_its_count():
    assert PUBLISHED.keys() == {name for name in vars(configs) if name.isupper()}


@pytest.mark.parametrize("name", ACTIVE)
def test_the_parameters_that_a_token_meets(name):
    active = parameters(model=read_config(config=getattr(configs, name))).active
    assert math.isclose(active, ACTIVE[name], rel_tol=0.02)


def test_deepseek_v3_counts_the_head_and_not_the_embedding_as_active():
    """README_WEIGHTS.md: 36.7e9 with one of the two tables of 0.9e9, which the report rounds to 37e9."""
    found = parameters(model=read_config(config=configs.DEEPSEEK_V3))
    assert math.isclose(found.active - found.embedding, 36.7e9, rel_tol=0.003)


@given(h=st.integers(1, 200).map(lambda n: 2 * n), layers=st.integers(1, 100), words=st.integers(1, 10**5))
def test_a_gpt_has_the_closed_form_and_a_final_norm(h, layers, words):
    model = gpt(hidden=h, layers=layers, heads=2, vocabulary=words, sequence=64)
    closed = 12 * layers * h * h + 13 * layers * h + (words + 64) * h
    assert parameters(model=model).total == closed + 2 * h


def test_by_hand():
    # Query and output 8 × 8, key and value 4 × 8; up and down 16 × 8; two norms of 8; tables of 32 × 8.
    found = parameters(model=small())
    assert (found.embedding, found.head) == (256, 256)
    assert found.attention == 4 * (64 + 32 + 32 + 64)
    assert found.mlp == 4 * (128 + 128)
    assert found.norms == 4 * 16 + 8
    assert found.total == found.active == 256 + 256 + 768 + 1024 + 72


def test_experts_by_hand():
    found = parameters(
        model=small(experts=Experts(count=4, chosen=2, ffn=16, shared=1, dense_layers=1, router_bias=True))
    )
    each = 2 * 128
    assert found.mlp == 1 * each
    assert found.experts == 3 * (4 * 8 + 4 + 4 * each + each)
    assert found.total - found.active == 3 * 2 * each


def test_latent_attention_by_hand():
    latent = LatentAttention(query_rank=6, kv_rank=5, rope_width=2, nope_width=3, value_width=4)
    found = parameters(model=small(kv_heads=4, latent=latent))
    assert found.attention == 4 * (6 * 8 + 4 * 5 * 6 + (5 + 2) * 8 + 4 * 7 * 5 + 8 * 16)
    direct = parameters(model=small(kv_heads=4, latent=replace(latent, query_rank=0)))
    assert direct.attention == 4 * (4 * 5 * 8 + (5 + 2) * 8 + 4 * 7 * 5 + 8 * 16)
    assert found.norms - direct.norms == 4 * 6


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_cut_by_row_takes_what_was_cut_by_column(name):
    weights = {tensor.name: tensor for tensor in tensors(model=read_config(config=getattr(configs, name)))}
    assert weights["attention.output"].split == "row"
    for down, up in (("mlp.down", "mlp.up"), ("experts.down", "experts.up"), ("experts.shared_down", None)):
        if down in weights:
            up = up or "experts.shared_up"
            assert (weights[down].split, weights[up].split) == ("row", "column")
            assert weights[down].shape[weights[down].axis] == weights[up].shape[weights[up].axis]
    assert all((tensor.axis is None) == (tensor.split == "replicated") for tensor in weights.values())
    assert all(tensor.split == "replicated" for tensor in weights.values() if tensor.kind == "norms")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: small(kv_heads=3), "expected kv_heads to divide heads, found 4 heads and 3 kv_heads"),
        (lambda: gpt(hidden=10, layers=1, heads=3), "expected heads to divide hidden, found 3 and 10"),
        (lambda: small(norms=3), "expected norms <= 2, found 3"),
        (lambda: small(positions=-1), "expected positions >= 0, found -1"),
        (lambda: Experts(count=4, chosen=5, ffn=16), "expected at most 4 chosen experts, found 5"),
        (lambda: Experts(count=4, chosen=1, ffn=16, shared=-1), "expected shared of experts >= 0, found -1"),
        (
            lambda: small(experts=Experts(count=4, chosen=1, ffn=16, dense_layers=4)),
            "expected fewer dense layers than 4 layers, found 4",
        ),
        (
            lambda: LatentAttention(query_rank=-1, kv_rank=5, rope_width=2, nope_width=3, value_width=4),
            "expected query_rank >= 0, found -1",
        ),
    ],
)
def test_what_is_no_transformer_is_refused(make, message):
    with pytest.raises(ModelError) as refused:
        make()
    assert str(refused.value) == message
