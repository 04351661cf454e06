"""The arithmetic of a step: the formula of the Megatron papers comes out of the shapes."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.configs.huggingface import read_config
from labs.model.quantities.errors import ModelError
from labs.model.steps.work import (
    achieved_flops,
    megatron_step_flops,
    model_flops_utilization,
    training_flops,
    training_time,
    training_work,
)
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import Experts, LatentAttention, Transformer, gpt
from tests.labs.model import published_configs as configs

SMALL = Transformer(
    hidden=8,
    layers=4,
    heads=4,
    kv_heads=2,
    head_width=2,
    ffn=16,
    gated=False,
    vocabulary=32,
    sequence=4,
)


def test_by_hand():
    # Matrices of a layer 192 + 256; queries meet keys, and weights meet values: 2 · 2 · 4 · 4 · 8 in each of 4 layers.
    work = training_work(model=SMALL, sequences=3)
    assert work.tokens == 12
    assert work.layers == 2 * 12 * 4 * 448
    assert work.attention == 3 * 4 * (2 * 2 * 4 * 4 * 8)
    assert work.head == 2 * 12 * 32 * 8
    assert work.forward == work.layers + work.attention + work.head
    assert work.backward == 2 * work.forward
    assert (work.recompute, work.total) == (0, work.model)


def test_experts_count_as_often_as_they_are_chosen():
    mixture = replace(SMALL, experts=Experts(count=4, chosen=2, ffn=16, shared=1))
    # A router of 32, two of four experts, and the shared one, of 256 each.
    assert training_work(model=mixture).layers == 2 * 4 * 4 * (192 + 32 + 3 * 256)


def test_latent_attention_has_keys_and_values_of_their_own_widths():
    latent = LatentAttention(query_rank=3, kv_rank=2, rope_width=1, nope_width=2, value_width=4)
    work = training_work(model=replace(SMALL, kv_heads=4, latent=latent))
    assert work.attention == 4 * 2 * 4 * 4 * 4 * (3 + 4)


@given(
    h=st.integers(1, 100).map(lambda n: 2 * n),
    layers=st.integers(1, 100),
    words=st.integers(1, 10**5),
    s=st.integers(1, 4096),
    batch=st.integers(1, 2000),
)
def test_full_recomputation_of_a_gpt_is_the_formula_of_the_megatron_papers(h, layers, words, s, batch):
    model = gpt(hidden=h, layers=layers, heads=2, vocabulary=words, sequence=s)
    work = training_work(model=model, sequences=batch, recompute="full")
    formula = megatron_step_flops(batch=batch, sequence=s, layers=layers, hidden=h, vocabulary=words)
    assert math.isclose(work.total, formula, rel_tol=1e-12)


@given(s=st.integers(1, 4096), batch=st.integers(1, 100))
def test_selective_recomputation_adds_attention_once_more(s, batch):
    """Korthikanti et al. 2022, appendix A: hardware to model FLOPs are 1 + (s / 6h) / (1 + s / 6h) / 3, head apart."""
    model = gpt(hidden=1024, layers=24, heads=16, sequence=s)
    work = training_work(model=model, sequences=batch, recompute="selective")
    share = (s / 6144) / (1 + s / 6144) / 3
    assert math.isclose(work.recompute, share * 3 * (work.layers + work.attention), rel_tol=1e-12)


def test_causal_attention_is_half():
    whole, half = (training_work(model=SMALL, causal=causal) for causal in (False, True))
    assert half.attention == whole.attention / 2
    assert half.layers == whole.layers


@pytest.mark.parametrize("name", ["LLAMA_3_8B", "LLAMA_3_405B", "MIXTRAL_8X7B", "DEEPSEEK_V3"])
def test_six_times_the_parameters_is_the_work_but_for_attention_and_the_embedding(name):
    model = read_config(config=getattr(configs, name), sequence=4096)
    work, found = training_work(model=model), parameters(model=model)
    estimate = training_flops(parameters=found.active - found.embedding, tokens=4096)
    # Norms, and a router's bias, are parameters but no matrices.
    assert math.isclose(work.model - 3 * work.attention, estimate, rel_tol=1e-4)


def test_llama_3_405b():
    """3.8e25 FLOP for 15.6e12 tokens: Llama Team 2024 (arXiv 2407.21783), sections 1 and 3.2."""
    assert math.isclose(training_flops(parameters=405e9, tokens=15.6e12), 3.8e25, rel_tol=0.005)


def test_recomputation_of_layers_makes_it_eight():
    assert training_flops(parameters=1e9, tokens=1e9) == 6e18
    assert training_flops(parameters=1e9, tokens=1e9, recompute="selective") == 6e18
    assert training_flops(parameters=1e9, tokens=1e9, recompute="full") == 8e18


@given(work=st.floats(1e3, 1e30), time=st.floats(1e-3, 1e9), devices=st.integers(1, 10**6))
def test_rate_and_time_undo_each_other(work, time, devices):
    rate = achieved_flops(work=work, time=time, devices=devices)
    assert math.isclose(training_time(work=work, devices=devices, rate=rate), time, rel_tol=1e-12)
    assert math.isclose(model_flops_utilization(work=work, time=time, devices=devices, peak=rate), 1, rel_tol=1e-12)


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(ModelError, match="expected sequences >= 1, found 0"):
        training_work(model=SMALL, sequences=0)
    with pytest.raises(ModelError, match="expected recompute to be one of none, selective, full, found some"):
        training_work(model=SMALL, recompute="some")
    with pytest.raises(ModelError, match="expected recompute to be one of none, selective, full, found some"):
        training_flops(parameters=1, tokens=1, recompute="some")
    with pytest.raises(ModelError, match="expected time > 0 s, found 0 s"):
        achieved_flops(work=1, time=0, devices=1)
    with pytest.raises(ModelError, match="expected inputs that give a work below"):
        training_flops(parameters=1e200, tokens=1e200)
