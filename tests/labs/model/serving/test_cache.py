"""The cache of served models: published bytes a token, and room by hand."""

import pytest

from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.serving.cache import cache_per_token, device_cache, sequences_that_fit, serving_weights
from labs.model.transformers.transformer import gpt
from tests.labs.model.models import DEEPSEEK_V3, LLAMA_3_8B, MIXTRAL_8X7B


@pytest.mark.parametrize(
    ("model", "published"),
    [
        (DEEPSEEK_V3, 70_272),  # Zhao et al., Insights into DeepSeek-V3 (arXiv 2505.09343), table 1
        (LLAMA_3_8B, 128 * 1024),
        (gpt(hidden=12288, layers=96, heads=96), 4 * 96 * 12288),
    ],
)
def test_bytes_a_token(model, published):
    assert cache_per_token(model=model) == published
    assert cache_per_token(model=model, width=1) == published / 2


def test_tensor_ranks_share_key_and_value_heads_and_copy_them_beyond_one_each():
    per_device = [device_cache(model=LLAMA_3_8B, plan=Plan(tensor=t), tokens=8192) for t in (1, 2, 8, 16, 32)]
    assert [per_device[0] / one for one in per_device] == [1, 2, 8, 8, 8]


def test_a_latent_is_on_every_tensor_rank():
    one, eight = (device_cache(model=DEEPSEEK_V3, plan=Plan(tensor=t), tokens=4096) for t in (1, 8))
    assert one == eight == 4096 * 70_272


def test_stages_share_layers_and_context_ranks_tokens():
    whole = device_cache(model=LLAMA_3_8B, plan=Plan(), tokens=8192, sequences=3)
    assert whole == 3 * 2**30
    assert whole == 4 * device_cache(model=LLAMA_3_8B, plan=Plan(context=4), tokens=8192, sequences=3)
    plan = Plan(pipeline=5)
    stages = [device_cache(model=LLAMA_3_8B, plan=plan, tokens=8192, sequences=3, stage=at) for at in range(5)]
    assert sum(stages) == whole
    assert device_cache(model=LLAMA_3_8B, plan=plan, tokens=0) == 0


def test_weights_while_serving():
    assert serving_weights(model=LLAMA_3_8B, plan=Plan()) == 2 * 8_030_261_248
    assert serving_weights(model=LLAMA_3_8B, plan=Plan(), width=1) == 8_030_261_248
    whole, shared = (serving_weights(model=MIXTRAL_8X7B, plan=Plan(data=8, expert=e)) for e in (1, 8))
    assert whole - shared == 2 * 32 * 7 * 3 * 4096 * 14336


def test_room_for_sequences_to_the_last_byte():
    weights, one = 2 * 8_030_261_248, 2**30
    room = {"model": LLAMA_3_8B, "plan": Plan(), "tokens": 8192}
    assert sequences_that_fit(**room, machine_memory=weights + 7 * one) == 7
    assert sequences_that_fit(**room, machine_memory=weights + 7 * one - 1) == 6
    assert sequences_that_fit(**room, machine_memory=weights + 7 * one, reserve=one) == 6
    assert sequences_that_fit(**room, machine_memory=weights / 2) == 0


def test_the_stage_with_least_room_decides():
    """The last stage of Llama 3 has the head; the first has the embedding of the same size."""
    plan = Plan(pipeline=4)
    stage = 2 * (8 * 218_112_000 + 128256 * 4096 + 4096)
    fit = sequences_that_fit(model=LLAMA_3_8B, plan=plan, machine_memory=stage + 2**30, tokens=8192)
    assert fit == 4
    assert sequences_that_fit(model=LLAMA_3_8B, plan=plan, machine_memory=stage + 2**30 - 1, tokens=8192) == 3


def test_what_cannot_be_is_refused():
    with pytest.raises(ModelError, match="expected width > 0 byte"):
        cache_per_token(model=LLAMA_3_8B, width=0)
    with pytest.raises(ModelError, match="expected tokens >= 1, found 0"):
        sequences_that_fit(model=LLAMA_3_8B, plan=Plan(), machine_memory=80e9, tokens=0)
    with pytest.raises(ModelError, match="expected tensor to divide heads"):
        device_cache(model=LLAMA_3_8B, plan=Plan(tensor=5), tokens=1)
