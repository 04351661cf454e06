"""The memory of a device: counts that are published, sums that are conserved, and what falls when."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.device_memory.budget import device_states, memory
from labs.model.device_memory.buffers import communication_buffers
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.device_memory.peak_activations import device_activations
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import gpt
from tests.labs.model.models import DEEPSEEK_V3, LLAMA_3_8B, MIXTRAL_8X7B

MIXED, BF16 = CONVENTIONS["mixed"], CONVENTIONS["megatron-bf16"]
SMALL = gpt(hidden=1024, layers=24, heads=16)
MODELS = st.sampled_from([SMALL, LLAMA_3_8B, MIXTRAL_8X7B, DEEPSEEK_V3, gpt(hidden=12288, layers=96, heads=96)])
CONVENTION = st.sampled_from(list(CONVENTIONS.values()))
RECOMPUTE = st.sampled_from(["none", "selective", "full"])


def states(model, plan, convention=MIXED):
    return [device_states(model=model, plan=plan, convention=convention, stage=at) for at in range(plan.pipeline)]


@pytest.mark.parametrize(
    ("model", "published", "tolerance"),
    [(LLAMA_3_8B, 8_030_261_248, 0), (MIXTRAL_8X7B, 46_702_792_704, 0), (DEEPSEEK_V3, 671e9, 1e-3)],
)
def test_one_device_holds_the_published_parameters(model, published, tolerance):
    (whole,) = states(model, Plan())
    assert math.isclose(whole.parameters / 2, published, rel_tol=tolerance)


@given(MODELS, CONVENTION, st.sampled_from([1, 2, 8, 64]), st.sampled_from([1, 2, 4]), st.sampled_from([1, 4, 11]))
def test_stage_3_over_all_devices_is_the_whole_model_once(model, convention, data, context, pipeline):
    model = replace(model, tied=False)
    (whole,) = states(model, Plan(), convention)
    plan = Plan(data=data, context=context, pipeline=pipeline, zero=3)
    total = sum(one.total for one in states(model, plan, convention))
    assert math.isclose(data * context * total, whole.total, rel_tol=1e-12)


@given(st.sampled_from([MIXTRAL_8X7B, DEEPSEEK_V3]), st.sampled_from([1, 2, 4, 8]), st.integers(1, 3))
def test_experts_are_there_once_however_ranks_share_them(model, expert, zero):
    """Over 8 ranks an optimizer is split 8 ways, or experts e ways and then 8 / e: the same."""
    (found,), (whole,) = states(model, Plan(data=8, expert=expert, zero=zero)), states(model, Plan())
    assert math.isclose(8 * found.optimizer, whole.optimizer, rel_tol=1e-12)


def test_expert_ranks_divide_experts_alone():
    (whole,), (split,) = states(MIXTRAL_8X7B, Plan()), states(MIXTRAL_8X7B, Plan(data=8, expert=8))
    experts = 2 * 32 * 8 * 3 * 4096 * 14336
    assert split.parameters == whole.parameters - experts * 7 / 8


def test_a_tied_embedding_is_on_both_ends_of_a_pipeline():
    table = 2 * 51200 * 1024
    (whole,) = states(SMALL, Plan())
    assert sum(one.parameters for one in states(SMALL, Plan(pipeline=4))) == whole.parameters + table


def test_tensor_ranks_divide_matrices_and_copy_norms():
    (whole,), (half,) = states(LLAMA_3_8B, Plan()), states(LLAMA_3_8B, Plan(tensor=2))
    norms = 2 * 4096 * (2 * 32 + 1)
    assert 2 * half.parameters == whole.parameters + norms
    (many,) = states(LLAMA_3_8B, Plan(tensor=32))
    keys_and_values = 2 * 2 * 8 * 128 * 4096 * 32
    assert many.parameters == (whole.parameters - norms - keys_and_values) / 32 + norms + keys_and_values / 8


@given(MODELS, CONVENTION, RECOMPUTE, st.sampled_from([2, 8, 64]), st.sampled_from([1, 8]), st.sampled_from([1, 2, 11]))
def test_memory_falls_with_each_zero_stage(model, convention, recompute, data, tensor, pipeline):
    def total(zero):
        plan = Plan(data=data, tensor=tensor, pipeline=pipeline, zero=zero, recompute=recompute, accumulation=16)
        return memory(model=model, plan=plan, convention=convention).total

    totals = [total(zero) for zero in range(4)]
    assert all(after <= before * (1 + 1e-12) for before, after in pairwise(totals))


@given(MODELS, RECOMPUTE, st.booleans(), st.integers(0, 3), st.sampled_from([1, 4]))
def test_memory_falls_with_tensor_ranks(model, recompute, along, zero, pipeline):
    def total(tensor):
        plan = Plan(tensor=tensor, data=8, zero=zero, pipeline=pipeline, recompute=recompute, sequence_parallel=along)
        return memory(model=model, plan=plan, convention=MIXED).total

    totals = [total(tensor) for tensor in (1, 2, 4, 8)]
    assert totals == sorted(totals, reverse=True)


@given(MODELS, st.sampled_from([1, 8]), st.integers(0, 3))
def test_states_fall_with_stages(model, tensor, zero):
    totals = [
        max(one.total for one in states(model, Plan(tensor=tensor, data=8, pipeline=stages, zero=zero)))
        for stages in (1, 2, 4, 8)
    ]
    assert totals == sorted(totals, reverse=True)


def test_a_pipeline_does_not_shrink_the_activations_of_its_first_stage():
    kept = {
        device_activations(model=SMALL, plan=Plan(pipeline=p, accumulation=24)).layers for p in (1, 2, 3, 4, 6, 8, 12)
    }
    assert len(kept) == 1
    of_last = device_activations(model=SMALL, plan=Plan(pipeline=8, accumulation=24), stage=7)
    assert math.isclose(8 * of_last.layers, kept.pop())


def test_gpipe_holds_every_microbatch_and_its_logits():
    plan = Plan(pipeline=2, accumulation=16)
    first, last = (device_activations(model=SMALL, plan=plan, stage=at, schedule="gpipe") for at in (0, 1))
    assert first.layers == last.layers == 16 * 12 * (34 * 1024 + 5 * 16 * 2048) * 2048
    assert last.head == 16 * 2048 * (4 * 1024 + 4 * 51200)


def test_the_ends_of_a_model_by_hand():
    """One microbatch: tokens of 8 bytes, a mask, inputs of the last norm and of the head, logits of 4 bytes."""
    found = device_activations(model=SMALL, plan=Plan(microbatch=3))
    assert found.embedding == 3 * 2048 * (8 + 1024)
    assert found.head == 3 * 2048 * (4 * 1024 + 4 * 51200)
    assert found.total == found.layers + found.embedding + found.head
    split = device_activations(model=SMALL, plan=Plan(microbatch=3, tensor=4, sequence_parallel=True))
    assert split.head == found.head / 4
    middle = device_activations(model=SMALL, plan=Plan(pipeline=3), stage=1)
    assert middle.embedding == middle.head == 0


def test_a_layer_that_is_recomputed_is_there_once_more():
    sbh = 2048 * 1024
    scores = 5 * 16 * 2048 * 2048
    full, selective = (device_activations(model=SMALL, plan=Plan(recompute=how)) for how in ("full", "selective"))
    assert (full.layers, full.recomputed) == (24 * 2 * sbh, 32 * sbh + scores)
    assert (selective.layers, selective.recomputed) == (24 * 34 * sbh, scores)
    assert device_activations(model=SMALL, plan=Plan(recompute="selective"), flash=True).recomputed == 0


def test_layers_without_and_with_experts_are_told_apart():
    plan = Plan(recompute="full", pipeline=61)
    dense, sparse = (device_activations(model=DEEPSEEK_V3, plan=plan, stage=at) for at in (2, 3))
    assert dense.layers == sparse.layers
    assert dense.recomputed != sparse.recomputed


def test_buffers_by_hand():
    h, s, layer, kv = 4096, 8192, 218_112_000, 2 * 8 * 128
    plan = Plan(data=4, zero=3)
    found = communication_buffers(model=LLAMA_3_8B, plan=plan, convention=BF16)
    table = 128256 * h
    assert found.gathered_parameters == 0.75 * 2 * (2 * table + h)  # the head goes with the last norm
    assert found.unreduced_gradients == 2 * found.gathered_parameters
    middle = communication_buffers(model=LLAMA_3_8B, plan=replace(plan, pipeline=4), convention=BF16, stage=1)
    assert middle.gathered_parameters == 0.75 * 2 * 2 * layer
    assert middle.exchanged == s * 4 * h
    assert communication_buffers(model=LLAMA_3_8B, plan=replace(plan, zero=1), convention=BF16).total == 0
    ring = communication_buffers(model=LLAMA_3_8B, plan=Plan(context=8), convention=BF16)
    assert ring.exchanged == s / 8 * 4 * kv
    along = communication_buffers(model=LLAMA_3_8B, plan=Plan(tensor=8, sequence_parallel=True), convention=BF16)
    assert along.exchanged == s * 4 * h


def test_buffers_of_experts_and_latents_by_hand():
    routed = communication_buffers(model=MIXTRAL_8X7B, plan=Plan(data=8, expert=8, zero=3), convention=MIXED)
    assert routed.exchanged == 4096 * 2 * 2 * 4096
    alone = communication_buffers(model=MIXTRAL_8X7B, plan=Plan(data=8, expert=1, zero=3), convention=MIXED)
    experts = 2 * 8 * 3 * 4096 * 14336
    assert math.isclose(alone.gathered_parameters - routed.gathered_parameters, 2 * 7 / 8 * experts)
    latent = communication_buffers(model=DEEPSEEK_V3, plan=Plan(context=2), convention=MIXED)
    assert latent.exchanged == 4096 / 2 * 4 * 128 * (128 + 64 + 128)


def test_it_fits_or_not_and_by_how_much():
    plan = Plan(data=64, zero=3, recompute="full")
    found = memory(model=SMALL, plan=plan, convention=MIXED)
    assert (found.spare, found.fits) == (None, None)
    parts = found.parameters + found.gradients + found.optimizer + found.activations + found.buffers
    assert math.isclose(found.total, parts)
    just = memory(model=SMALL, plan=plan, convention=MIXED, machine_memory=found.total)
    assert (just.spare, just.fits) == (0, True)
    lacking = memory(model=SMALL, plan=plan, convention=MIXED, machine_memory=found.total - 4096)
    assert (lacking.spare, lacking.fits) == (-4096, False)


@given(MODELS, st.sampled_from([1, 3, 4, 8, 10]), st.sampled_from([1, 2]), RECOMPUTE, st.sampled_from([1, 16]))
def test_the_fullest_stage_is_the_fullest_of_all(model, pipeline, interleave, recompute, accumulation):
    plan = Plan(
        pipeline=pipeline,
        interleave=interleave if pipeline > 1 else 1,
        recompute=recompute,
        accumulation=accumulation * pipeline,
    )
    every = [memory(model=model, plan=plan, convention=MIXED, stage=at).total for at in range(pipeline)]
    assert memory(model=model, plan=plan, convention=MIXED).total == max(every)


def test_layers_are_all_on_some_stage():
    for plan in (Plan(pipeline=5), Plan(pipeline=4, interleave=3), Plan(pipeline=7)):
        kept = [
            device_activations(model=SMALL, plan=replace(plan, recompute="full"), stage=at)
            for at in range(plan.pipeline)
        ]
        layers = [one.layers / one.in_flight / (2 * 2048 * 1024) for one in kept]
        assert math.isclose(sum(layers), 24)
        assert max(layers) - min(layers) <= plan.interleave


@pytest.mark.parametrize(
    ("model", "plan", "message"),
    [
        (LLAMA_3_8B, Plan(tensor=3), "expected tensor to divide heads, found 3 and 32"),
        (
            replace(LLAMA_3_8B, heads=36, kv_heads=6),
            Plan(tensor=4),
            "expected tensor to divide kv_heads or be a multiple",
        ),
        (LLAMA_3_8B, Plan(data=2, expert=2), "expected expert 1 for a model without experts, found 2"),
        (MIXTRAL_8X7B, Plan(data=3, expert=3), "expected expert to divide the experts, found 3 and 8"),
        (LLAMA_3_8B, Plan(pipeline=33), "expected pipeline stages to hold a layer each, found 33 and 32 layers"),
        (LLAMA_3_8B, Plan(pipeline=8, interleave=5), "found 8 × 5 and 32 layers"),
    ],
)
def test_what_the_model_makes_impossible_is_refused(model, plan, message):
    with pytest.raises(ModelError, match=message):
        memory(model=model, plan=plan, convention=MIXED)


def test_a_stage_that_is_not_there_is_refused():
    with pytest.raises(ModelError, match="expected stage <= 1, found 2"):
        memory(model=SMALL, plan=Plan(pipeline=2), convention=MIXED, stage=2)
