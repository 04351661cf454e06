"""The predicted step: its parts add up, equal hand counts at limits, and never move the wrong way."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.model.boundaries.training_step import crossings
from labs.model.device_memory.conventions import convention
from labs.model.machines.machine import Level, Machine
from labs.model.machines.named import named_machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.steps.crossing_times import timed_crossings
from labs.model.steps.step import step_time
from labs.model.transformers.transformer import gpt

MODEL = gpt(hidden=4096, layers=32, heads=32)
A100 = named_machine(name="DGX A100 80GB", devices=64)
PARTS = ("arithmetic", "traffic", "tensor", "context", "expert", "bubble", "data")
PLANS = [
    Plan(),
    Plan(tensor=8, data=8, accumulation=4),
    Plan(tensor=8, data=8, accumulation=4, sequence_parallel=True, zero=1),
    Plan(tensor=2, pipeline=8, data=4, accumulation=16, interleave=2, recompute="full"),
    Plan(data=64, zero=3, microbatch=2),
    Plan(context=4, data=16, accumulation=2),
]


def instant(machine: Machine) -> Machine:
    """The same devices with links that take no time, and memory that takes none."""
    levels = tuple(replace(level, bandwidth=1e30, latency=0.0) for level in machine.levels)
    return replace(machine, levels=levels, memory_bandwidth=1e30)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("overlap", [True, False])
def test_the_parts_add_up_and_nothing_is_faster_than_the_arithmetic(plan, overlap):
    step = step_time(model=MODEL, plan=plan, machine=A100, overlap=overlap)
    assert sum(getattr(step, part) for part in PARTS) == pytest.approx(step.time)
    assert all(getattr(step, part) >= -1e-12 * step.time for part in PARTS)
    assert step.utilization < 0.64
    assert step.tokens_per_second == pytest.approx(plan.global_batch * MODEL.sequence / step.time)


def test_one_device_with_instant_memory_does_only_arithmetic():
    # A GPT layer multiplies by 12 h² parameters: 6 FLOP each and token; attention 4 s h a token and layer, three times.
    step = step_time(model=MODEL, plan=Plan(), machine=instant(A100), efficiency=0.5)
    h, layers, s, v = 4096, 32, 2048, 51200
    work = s * (6 * 12 * h * h * layers + 12 * s * h * layers + 6 * v * h)
    assert step.time == pytest.approx(work / (0.5 * 312e12), rel=1e-3)
    assert step.utilization == pytest.approx(0.5, rel=1e-3)


def test_a_pipeline_on_instant_links_has_the_published_bubble():
    plan = Plan(pipeline=8, data=8, accumulation=32)
    step = step_time(model=MODEL, plan=plan, machine=instant(A100))
    assert step.bubble / (step.arithmetic + step.traffic) == pytest.approx(7 / 32)
    halved = step_time(model=MODEL, plan=replace(plan, interleave=2), machine=instant(A100))
    assert halved.bubble == pytest.approx(step.bubble / 2)


def test_gradients_of_replicas_hide_behind_the_last_backward_pass_or_not_at_all():
    plan = Plan(data=64)
    hidden, shown = (step_time(model=MODEL, plan=plan, machine=A100, overlap=on) for on in (True, False))
    assert shown.hidden == 0
    assert shown.data == pytest.approx(hidden.data + hidden.hidden)


def test_tensor_ranks_across_nodes_cost_what_the_slower_links_cost():
    inside, across = (step_time(model=MODEL, plan=Plan(tensor=t), machine=A100, overlap=False) for t in (8, 16))
    # Within a node 7/8 of M twice at 300 GB/s, then an eighth of M between two nodes at 25 GB/s: 1.86 times as long.
    assert across.tensor / inside.tensor == pytest.approx(1.86, abs=0.15)


@pytest.mark.parametrize("plan", PLANS)
def test_overlap_is_never_slower(plan):
    times = [step_time(model=MODEL, plan=plan, machine=A100, overlap=on).time for on in (True, False)]
    assert times[0] <= times[1]


@settings(max_examples=40, deadline=None)
@given(
    plan=st.sampled_from(PLANS),
    factor=st.floats(1, 100),
    latency=st.floats(0, 1e-4),
    which=st.integers(0, 1),
)
def test_better_links_are_never_slower(plan, factor, latency, which):
    levels = list(A100.levels)
    levels[which] = replace(levels[which], bandwidth=levels[which].bandwidth * factor)
    worse = tuple(replace(level, latency=level.latency + latency) for level in A100.levels)
    times = [
        step_time(model=MODEL, plan=plan, machine=replace(A100, levels=given)).time
        for given in (tuple(levels), A100.levels, worse)
    ]
    assert times[0] <= times[1] * (1 + 1e-12)
    assert times[1] <= times[2] * (1 + 1e-12)


@pytest.mark.parametrize("efficiency", [0, -1, 1.5, float("nan")])
def test_an_efficiency_that_is_no_share_is_refused(efficiency):
    with pytest.raises(ModelError, match="efficiency"):
        step_time(model=MODEL, plan=Plan(), machine=A100, efficiency=efficiency)


def test_an_impossible_plan_and_one_larger_than_the_machine_are_refused():
    with pytest.raises(ModelError, match="expected tensor to divide heads, found 64 and 32"):
        step_time(model=MODEL, plan=Plan(tensor=64), machine=A100)
    small = Machine(
        name="one node",
        peak=1e12,
        memory=1e9,
        memory_bandwidth=1e12,
        levels=(Level(name="node", devices=8, bandwidth=1e11, latency=0.0),),
    )
    with pytest.raises(ModelError, match="expected a plan of at most 8 devices, found 16"):
        step_time(model=MODEL, plan=Plan(data=16), machine=small)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("overlap", [True, False])
def test_what_each_crossing_hides_adds_up_to_what_the_step_hides(plan, overlap):
    """But for sends between stages, and for ends: of the first and the last stage only one sets the pace."""
    step = step_time(model=MODEL, plan=plan, machine=A100, overlap=overlap)
    found = timed_crossings(model=MODEL, plan=plan, machine=A100, overlap=overlap)
    assert [one.crossing for one in found] == list(crossings(model=MODEL, plan=plan))
    for one in found:
        assert one.time == pytest.approx(one.each * one.crossing.times)
        assert 0 <= one.hidden <= one.time * (1 + 1e-12)
        assert overlap or not one.hidden
        assert one.crossing.hidden_by or not one.hidden
    paced = [one for one in found if one.crossing.where == "every stage"]
    assert sum(one.hidden for one in paced) <= step.hidden * (1 + 1e-9) + 1e-15
    if plan.tensor == 1 and plan.pipeline == 1:
        assert sum(one.hidden for one in found) == pytest.approx(step.hidden)


def test_one_exchange_hides_as_long_as_the_compute_beside_it_lasts():
    """Gradients of 8 replicas on slow links: the backward pass takes 2 of 3 parts of a step without traffic."""
    slow = tuple(replace(level, bandwidth=1e6, latency=0.0) for level in A100.levels)
    machine = replace(A100, levels=slow, memory_bandwidth=1e30)
    (one,) = timed_crossings(model=MODEL, plan=Plan(data=8), machine=machine)
    step = step_time(model=MODEL, plan=Plan(data=8), machine=machine)
    assert one.hidden == pytest.approx(2 / 3 * step.arithmetic)
    # An all-reduce among 8 in a ring sends 2 · 7/8 of its payload.
    assert one.time == pytest.approx(2 * 7 / 8 * one.crossing.payload / 1e6)


@pytest.mark.parametrize(
    ("name", "gathered", "summed"), [("mixed", 2, 2), ("fp32", 4, 4), ("megatron-bf16", 2, 4), ("mixed-fsdp", 2, 4)]
)
@pytest.mark.parametrize("zero", [1, 2, 3])
def test_weights_and_gradients_cross_as_wide_as_the_convention_has_them(name, gathered, summed, zero):
    found = timed_crossings(
        model=MODEL, plan=Plan(data=8, zero=zero), machine=A100, convention=convention(name=name)
    )
    widths = {one.crossing.operation: one.crossing.width for one in found}
    assert widths == {"all-gather": gathered, "reduce-scatter": summed}


def test_wider_gradients_take_longer_by_their_width():
    times = {
        name: step_time(
            model=MODEL,
            plan=Plan(data=8),
            machine=replace(A100, levels=tuple(replace(level, latency=0.0) for level in A100.levels)),
            convention=convention(name=name),
            overlap=False,
        ).data
        for name in ("mixed", "megatron-bf16", "fp32")
    }
    assert times["megatron-bf16"] == times["fp32"] == pytest.approx(2 * times["mixed"])
