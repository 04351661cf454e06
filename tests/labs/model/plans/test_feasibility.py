"""Why a plan is impossible: each reason in one sentence, all of them, and its remedy works."""

import re
from dataclasses import replace

import pytest

from labs.model.boundaries.training_step import crossings
from labs.model.plans.feasibility import padded_vocabulary, reasons, refusals
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import Experts, Transformer, gpt

LLAMA = Transformer(
    hidden=8192,
    layers=80,
    heads=64,
    kv_heads=8,
    head_width=128,
    ffn=28672,
    gated=True,
    vocabulary=128256,
    sequence=8192,
)
MIXTURE = replace(LLAMA, experts=Experts(count=8, chosen=2, ffn=1200, dense_layers=2))
CASES = [
    (LLAMA, Plan(tensor=16), "expected tensor to divide kv_heads, found 16 and 8 (take tensor 8, or replicate_kv)"),
    (LLAMA, Plan(pipeline=3), "expected pipeline to divide layers, found 3 and 80 (take pipeline 2 or 4, or uneven)"),
    (
        LLAMA,
        Plan(pipeline=4, interleave=3, accumulation=4),
        "expected pipeline × interleave to divide layers, found 12 and 80 (take interleave 2 or 4)",
    ),
    (
        LLAMA,
        Plan(pipeline=3, interleave=2, accumulation=3),
        "expected pipeline × interleave to divide layers, found 6 and 80 (take pipeline 2 and interleave 1)",
    ),
    (
        LLAMA,
        Plan(pipeline=128, uneven=True),
        "expected a layer or more on each stage, found 80 layers on 128 stages (take pipeline 80)",
    ),
    (
        LLAMA,
        Plan(pipeline=4, interleave=2, accumulation=6),
        "expected pipeline to divide accumulation, found 4 and 6 (take accumulation 8)",
    ),
    (
        LLAMA,
        Plan(expert=2, data=2),
        "expected expert 1 for a model without experts, found 2 (take expert 1)",
    ),
    (
        MIXTURE,
        Plan(expert=3, data=3),
        "expected expert to divide experts, found 3 and 8 (take expert 2 or 4)",
    ),
    (
        MIXTURE,
        Plan(tensor=32, replicate_kv=True),
        "expected tensor to divide ffn of experts, found 32 and 1200 (take tensor 30 or 40)",
    ),
    (
        replace(LLAMA, ffn=28670),
        Plan(tensor=4),
        "expected tensor to divide ffn, found 4 and 28670 (take tensor 2 or 5)",
    ),
    (
        replace(LLAMA, sequence=8190),
        Plan(context=4),
        "expected 2 · context to divide sequence, found 8 and 8190 (take sequence 8192)",
    ),
    (
        replace(LLAMA, sequence=1002),
        Plan(tensor=4, sequence_parallel=True),
        "expected tensor to divide sequence under sequence_parallel, found 4 and 1002 "
        "(take sequence 1004, or sequence_parallel off)",
    ),
    (
        replace(LLAMA, sequence=1020),
        Plan(tensor=4, context=2, sequence_parallel=True),
        "expected context × tensor to divide sequence under sequence_parallel, found 8 and 1020 "
        "(take sequence 1024, or sequence_parallel off)",
    ),
]


@pytest.mark.parametrize(("model", "plan", "message"), CASES)
def test_an_impossible_plan_is_refused_with_its_remedy(model, plan, message):
    assert refusals(model=model, plan=plan) == (message,)
    with pytest.raises(ModelError, match=re.escape(message)):
        crossings(model=model, plan=plan)


@pytest.mark.parametrize(
    ("model", "plan"),
    [
        (LLAMA, Plan(tensor=16, replicate_kv=True)),
        (LLAMA, Plan(pipeline=3, uneven=True)),
        (LLAMA, Plan(pipeline=4, interleave=4, accumulation=4)),
        (LLAMA, Plan(pipeline=80, uneven=True)),
        (LLAMA, Plan(pipeline=4, interleave=2, accumulation=8)),
        (MIXTURE, Plan(expert=4, data=4)),
        (replace(LLAMA, sequence=8192), Plan(context=4)),
        (replace(LLAMA, sequence=1024), Plan(tensor=4, context=2, sequence_parallel=True)),
        (replace(LLAMA, vocabulary=50257), Plan(tensor=8)),
    ],
)
def test_the_remedy_is_one(model, plan):
    assert refusals(model=model, plan=plan) == ()


@pytest.mark.parametrize(("model", "plan", "message"), CASES)
def test_each_change_that_is_offered_takes_the_reason_away(model, plan, message):
    (reason,) = reasons(model=model, plan=plan)
    assert reason.mends
    assert reason.why.endswith(".")
    for mend in reason.mends:
        changes = dict(mend)
        length = changes.pop("sequence", model.sequence)
        # Expert ranks are data ranks: there have to be as many.
        ranks = {"data": changes["expert"]} if "expert" in changes else {}
        left = reasons(model=replace(model, sequence=length), plan=replace(plan, **changes, **ranks))
        assert reason.why not in [other.why for other in left]


def test_every_reason_is_told():
    reasons = refusals(model=gpt(hidden=1024, layers=10, heads=16, sequence=2047), plan=Plan(tensor=3, pipeline=4))
    assert [reason.split(",")[0] for reason in reasons] == [
        "expected tensor to divide heads",
        "expected tensor to divide ffn",
        "expected pipeline to divide layers",
    ]


def test_far_more_stages_than_layers_are_mended_by_a_stage_for_each_layer():
    (reason,) = reasons(
        model=gpt(hidden=1024, layers=24, heads=16), plan=Plan(pipeline=10**15, interleave=2, accumulation=10**15)
    )
    assert reason.mends == ((("pipeline", 24), ("interleave", 1)),)


def test_megatron_pads_gpt_2s_vocabulary():
    """50257 tokens become 50304 on one rank and 51200 on eight: the vocabulary of the Megatron papers."""
    assert padded_vocabulary(vocabulary=50257, tensor=1, multiple=128) == 50304
    assert padded_vocabulary(vocabulary=50257, tensor=8, multiple=128) == 51200
    assert padded_vocabulary(vocabulary=50257, tensor=8) == 50264
    assert padded_vocabulary(vocabulary=51200, tensor=8) == 51200
