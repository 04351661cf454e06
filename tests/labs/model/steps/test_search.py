"""Plans compared: every one possible or refused with its reason, the fastest first."""

from dataclasses import replace

import pytest

from labs.model.configs.huggingface import read_config
from labs.model.device_memory.budget import memory
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.machines.named import named_machine
from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.steps.least import least_step_time
from labs.model.steps.search import search_plans
from labs.model.steps.step import step_time
from labs.model.transformers.named import named_model
from labs.model.transformers.transformer import gpt
from tests.labs.model.models import LLAMA_3_8B, MIXTRAL_8X7B
from tests.labs.model.published_configs import DEEPSEEK_V2_LITE

NODE = named_machine(name="DGX H100", devices=8)
CLUSTER = named_machine(name="DGX H100", devices=64)
GPT = gpt(hidden=4096, layers=32, heads=32)
GROUPED, MIXTURE = LLAMA_3_8B, MIXTRAL_8X7B


@pytest.fixture(scope="module", params=[GPT, GROUPED, MIXTURE], ids=["dense", "grouped", "mixture"])
def found(request):
    return request.param, search_plans(model=request.param, machine=CLUSTER, global_batch=256)


def test_what_is_feasible_uses_all_devices_runs_the_batch_and_fits(found):
    model, search = found
    assert len(search.feasible) > 20
    for candidate in search.feasible:
        plan = candidate.plan
        assert (plan.devices, plan.global_batch) == (64, 256)
        assert refusals(model=model, plan=plan) == ()
        held = memory(
            model=model,
            plan=plan,
            convention=CONVENTIONS["mixed"],
            machine_memory=CLUSTER.memory,
            flash=True,
            dropout=False,
        )
        assert held == candidate.memory and held.total <= 80e9
        assert candidate.step == step_time(model=model, plan=plan, machine=CLUSTER)


def test_the_fastest_comes_first_and_no_plan_twice(found):
    _, search = found
    times = [candidate.step.time for candidate in search.feasible]
    assert times == sorted(times)
    plans = [candidate.plan for candidate in search.feasible] + [refused.plan for refused in search.refused]
    assert len(set(plans)) == len(plans)


def fits(model, plan, machine):
    mixed = CONVENTIONS["mixed"]
    held = memory(
        model=model, plan=plan, convention=mixed, machine_memory=machine.memory, flash=True, dropout=False
    )
    return held.fits


def test_no_other_way_to_fit_is_faster(found):
    model, search = found
    for candidate in search.feasible[:40]:
        for zero in (1, 2, 3) if candidate.plan.data > 1 else ():
            other = replace(candidate.plan, zero=zero)
            if fits(model, other, CLUSTER):
                least = step_time(model=model, plan=other, machine=CLUSTER).time
                assert candidate.step.time <= least * (1 + 1e-9)


def test_zero_3_is_taken_where_it_hides_more_though_less_would_fit():
    """DeepSeek-V2-Lite on few sequences: gathers hide behind the forward pass, and reductions cannot."""
    machine = named_machine(name="DGX A100 80GB", devices=256)
    model = replace(read_config(config=DEEPSEEK_V2_LITE), sequence=4096)
    best = search_plans(model=model, machine=machine, global_batch=512, most=1).feasible[0]
    for zero in (1, 2, 3):
        plan = Plan(data=256, zero=zero, microbatch=2)
        if fits(model, plan, machine):
            assert best.step.time <= step_time(model=model, plan=plan, machine=machine).time


def test_each_refusal_is_of_a_plan_that_is_impossible_and_says_why(found):
    model, search = found
    assert search.refused
    for refused in search.refused:
        assert refused.reason.startswith("expected ")
        uneven = refused.plan.global_batch != 256
        too_large = "80 GB" in refused.reason
        lopsided = "as many layers as the average" in refused.reason
        assert uneven or too_large or lopsided or refused.reason in refusals(model=model, plan=refused.plan)


def test_a_model_too_large_for_the_machine_has_no_plan_and_memory_is_the_reason():
    search = search_plans(model=gpt(hidden=12288, layers=96, heads=96), machine=NODE, global_batch=64)
    assert search.feasible == ()
    # 175e9 parameters at 16 bytes are 2.8 TB, and eight devices have 640 GB.
    assert any("80 GB on a device" in refused.reason for refused in search.refused)


def test_more_tensor_ranks_than_key_and_value_heads_hold_copies_of_them():
    """Llama 3 8B has 8 of them and 32 heads: 16 and 32 ranks hold copies, and 64 would cut heads."""
    search = search_plans(model=GROUPED, machine=CLUSTER, global_batch=256)
    copied = {candidate.plan.tensor: candidate.plan.replicate_kv for candidate in search.feasible}
    assert copied == {1: False, 2: False, 4: False, 8: False, 16: True, 32: True}
    assert all("heads" in refused.reason for refused in search.refused if refused.plan.tensor == 64)


def test_stages_are_uneven_where_layers_do_not_divide_and_differ_little():
    """32 layers on 3 stages: 11 at most, 10.67 on average; on 12 stages 3 and 2.67, an eighth more."""
    rack = named_machine(name="GB200 NVL72", devices=72)
    search = search_plans(model=GPT, machine=rack, global_batch=72)
    stages = {(each.plan.pipeline, each.plan.uneven) for each in search.feasible}
    assert {(1, False), (2, False), (3, True), (4, False), (8, False)} <= stages
    assert not any(stage in {12, 18, 24} for stage, _ in stages)
    reasons = {refused.reason for refused in search.refused if refused.plan.pipeline == 12}
    expected = "expected the fullest stage to hold about as many layers as the average, found 3 and 2.67 on 12 stages"
    assert expected in reasons


def test_microbatches_of_sixteen_are_tried():
    search = search_plans(model=gpt(hidden=1024, layers=24, heads=16, sequence=512), machine=NODE, global_batch=128)
    assert {candidate.plan.microbatch for candidate in search.feasible} == {1, 2, 4, 8, 16}


@pytest.mark.parametrize("model", [GPT, MIXTURE], ids=["dense", "mixture"])
def test_selective_recomputation_would_spare_nothing_where_no_scores_are_kept(model):
    plan = Plan(tensor=2, pipeline=2, data=16, accumulation=8)
    kept = [
        memory(model=model, plan=replace(plan, recompute=each), convention=CONVENTIONS["mixed"], flash=True).total
        for each in ("none", "selective")
    ]
    assert kept[0] == kept[1]


def test_experts_are_split_where_a_model_has_them():
    degrees = {plan.plan.expert for plan in search_plans(model=MIXTURE, machine=CLUSTER, global_batch=256).feasible}
    assert degrees == {1, 2, 4, 8}
    assert {plan.plan.expert for plan in search_plans(model=GPT, machine=NODE, global_batch=64).feasible} == {1}


def test_memory_is_saved_only_where_it_is_short():
    small = search_plans(model=gpt(hidden=1024, layers=24, heads=16), machine=NODE, global_batch=8)
    assert {candidate.plan.recompute for candidate in small.feasible} == {"none"}
    assert max(candidate.plan.zero for candidate in small.feasible) <= 1


def test_no_batch_is_refused():
    with pytest.raises(ModelError, match="expected global_batch >= 1, found 0"):
        search_plans(model=GPT, machine=NODE, global_batch=0)


def test_the_fastest_few_are_those_of_the_whole_search(found):
    model, search = found
    few = search_plans(model=model, machine=CLUSTER, global_batch=256, most=10)
    assert [each.step.time for each in few.feasible] == [each.step.time for each in search.feasible[:10]]
    every = [*(each.plan for each in few.feasible), *(each.plan for each in few.refused), *few.slower]
    assert len(every) == len(set(every)) == len(search.feasible) + len(search.refused)
    assert search.slower == ()


@pytest.mark.parametrize(
    ("name", "machine", "devices", "batch"),
    [
        ("DeepSeek-V3", "DGX H100", 1024, 1024),
        ("Llama 3 405B", "DGX H100", 2048, 512),
        ("Llama 3 70B", "GB200 NVL72", 144, 288),
    ],
)
def test_no_plan_is_left_out_that_would_be_among_the_fastest(name, machine, devices, batch):
    """Of experts, copied heads, uneven stages and recomputation."""
    asked = {"model": named_model(name=name), "machine": named_machine(name=machine, devices=devices)}
    few, every = (search_plans(**asked, global_batch=batch, most=most) for most in (20, None))
    assert [each.step.time for each in few.feasible] == [each.step.time for each in every.feasible[:20]]
    assert len(few.slower) > len(every.feasible) / 2


def test_no_step_is_shorter_than_its_least_time(found):
    model, search = found
    for candidate in search.feasible:
        least = least_step_time(model=model, plan=candidate.plan, machine=CLUSTER)
        assert least <= candidate.step.time * (1 + 1e-12)
    # On one device there is nothing but arithmetic and traffic.
    alone = Plan(accumulation=4)
    whole = step_time(model=model, plan=alone, machine=CLUSTER)
    assert least_step_time(model=model, plan=alone, machine=CLUSTER) == pytest.approx(whole.time)
