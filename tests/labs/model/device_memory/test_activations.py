"""Activations of a layer: the published formula, and other layers by hand."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.device_memory.activations import gpt_layer_activations, kept_tensors, layer_activations
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import gpt
from tests.labs.model.models import DEEPSEEK_V3, LLAMA_3_8B, MIXTRAL_8X7B

RECOMPUTE = st.sampled_from(["none", "selective", "full"])


ALONE = Plan()


def per_token(model, plan=ALONE, **options):
    return layer_activations(model=model, plan=plan, **options) / (model.sequence * plan.microbatch)


@given(
    st.integers(1, 16), st.sampled_from([1, 2, 4, 8]), st.booleans(), RECOMPUTE, st.integers(1, 8), st.integers(1, 4096)
)
def test_of_a_gpt_the_tensors_add_up_to_the_published_formula(width, tensor, along, recompute, batch, sequence):
    heads, hidden = 8, 8 * 16 * width
    model = gpt(hidden=hidden, layers=1, heads=heads, sequence=sequence)
    plan = Plan(tensor=tensor, sequence_parallel=along, recompute=recompute, microbatch=batch)
    published = gpt_layer_activations(
        sequence=sequence,
        microbatch=batch,
        hidden=hidden,
        heads=heads,
        tensor=tensor,
        sequence_parallel=along,
        recompute=recompute,
    )
    assert math.isclose(layer_activations(model=model, plan=plan), published, rel_tol=1e-12)


def test_the_formula_at_its_limits():
    one = {"sequence": 2048, "microbatch": 4, "hidden": 6144, "heads": 64}
    sbh = 2048 * 4 * 6144
    assert gpt_layer_activations(**one, recompute="selective") == 34 * sbh
    assert gpt_layer_activations(**one, recompute="full") == 2 * sbh
    assert math.isclose(gpt_layer_activations(**one) - 34 * sbh, 5 * 64 * 2048**2 * 4)
    many = gpt_layer_activations(**one, tensor=10**9, recompute="selective")
    assert math.isclose(many, 10 * sbh, rel_tol=1e-6)  # what tensor ranks do not split
    all_split = gpt_layer_activations(**one, tensor=8, sequence_parallel=True)
    assert math.isclose(8 * all_split, gpt_layer_activations(**one))
    with pytest.raises(ModelError, match="expected recompute to be one of none, selective, full, found some"):
        gpt_layer_activations(**one, recompute="some")


def test_flash_attention_keeps_no_scores():
    model = gpt(hidden=1024, layers=1, heads=16)
    assert per_token(model, flash=True) == 34 * 1024
    assert per_token(replace(model, sequence=2**20), flash=True) == 34 * 1024


def test_a_gated_mlp_and_shared_key_value_heads_by_hand():
    """Llama 3 8B: norms 4 h and their results 4 h, Q 2 h, K and V 2 · 2 · h/4, attention 2 h, MLP 3 · 2 · 3.5 h."""
    h = 4096
    assert per_token(LLAMA_3_8B, flash=True, dropout=False) == (4 + 4 + 2 + 1 + 2 + 21) * h
    assert per_token(LLAMA_3_8B, flash=True) == (34 + 2) * h
    scores = per_token(LLAMA_3_8B, dropout=False) - per_token(LLAMA_3_8B, flash=True, dropout=False)
    assert scores == 2 * 32 * 8192


def test_key_value_heads_are_copied_beyond_one_a_rank():
    many = per_token(LLAMA_3_8B, Plan(tensor=32), flash=True, dropout=False)
    assert many == 8 * 4096 + (2 + 2 + 21) * 4096 / 32 + 4096 / 8


def test_one_norm_for_attention_and_mlp_side_by_side():
    model = gpt(hidden=1024, layers=1, heads=16)
    assert per_token(replace(model, norms=1), flash=True) == 30 * 1024


def test_experts_by_hand():
    """Mixtral, two of eight: the dense layer without its MLP, router 4 · 8, two tokens in and out, two gated MLPs."""
    h, f = 4096, 14336
    dense = (4 + 4 + 2 + 1 + 2) * h
    found = per_token(MIXTRAL_8X7B, experts=True, flash=True, dropout=False)
    assert found == dense + 4 * 8 + 2 * (2 * h + 2 * h) + 2 * 3 * 2 * f
    split = per_token(MIXTRAL_8X7B, Plan(tensor=8, sequence_parallel=True), experts=True, flash=True, dropout=False)
    assert split == (dense + 4 * 8 + 2 * 3 * 2 * f) / 8 + 2 * (2 * h + 2 * h)


def test_latent_attention_and_a_shared_expert_by_hand():
    h, a, f = 7168, 128, 2048
    latents = 2 * (2 * 1536 + 512 + 64 + 512)
    heads = 2 * a * ((128 + 64) + (128 + 64) + 128 + 128)
    experts = 4 * 256 + 8 * 2 * 2 * h + (8 + 1) * 3 * 2 * f
    assert per_token(DEEPSEEK_V3, experts=True, flash=True, dropout=False) == 8 * h + latents + heads + experts


def test_context_ranks_share_the_tokens():
    one, four = (layer_activations(model=LLAMA_3_8B, plan=Plan(context=c)) for c in (1, 4))
    assert one == 4 * four


def test_experts_are_not_asked_of_a_dense_model():
    with pytest.raises(ModelError, match="expected a model with experts, found a dense one"):
        kept_tensors(model=LLAMA_3_8B, experts=True)
