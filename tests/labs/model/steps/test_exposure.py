"""What compute hides: a second of communication for each second of compute at the most, and nothing at the ends."""

from dataclasses import replace
from math import prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labs.execution import LAB
from labs.model.boundaries.weight_exchanges import LAST_BACKWARD, NEXT_FORWARD
from labs.model.machines.machine import Level, Machine
from labs.model.machines.named import MACHINES, named_machine
from labs.model.plans.feasibility import refusals
from labs.model.plans.plan import Plan
from labs.model.steps.compute import compute
from labs.model.steps.crossing_times import timed_crossings
from labs.model.steps.least import least_step_time
from labs.model.steps.step import step_time
from labs.model.transformers.named import named_model
from labs.model.transformers.transformer import gpt
from labs.parts.execution.presets import PRESETS
from labs.parts.execution.scenario import scenario
from tests.labs.model.models import DEEPSEEK_V3, LLAMA_3_8B, MIXTRAL_8X7B

MODELS = (gpt(hidden=2048, layers=24, heads=16), LLAMA_3_8B, MIXTRAL_8X7B, DEEPSEEK_V3)
SLOW = Machine(
    name="links that nothing hides",
    peak=1e15,
    memory=80e9,
    memory_bandwidth=1e30,
    levels=(Level(name="node", devices=64, bandwidth=1e6, latency=0.0),),
)


def holds(model, plan, machine, flash=True, efficiency=0.64):
    """Hold every second of a pass against what it hides, and the ends against what there is to hide them."""
    own = compute(model, plan, machine, efficiency, flash)
    given = {"model": model, "plan": plan, "machine": machine, "flash": flash, "efficiency": efficiency}
    step, bare = step_time(**given), step_time(**given, overlap=False)
    found = timed_crossings(**given)
    slack = 1e-9 * step.time
    hidden = {"forward": 0.0, "backward": 0.0}
    weights = {"forward": 0.0, "backward": 0.0}
    for one in found:
        crossing = one.crossing
        phase = {LAST_BACKWARD: "backward", NEXT_FORWARD: "forward"}.get(crossing.hidden_by, crossing.phase)
        assert 0 <= one.hidden <= one.time - crossing.alone * one.each + slack
        if one.hidden:
            hidden[phase] += one.hidden
        if crossing.hidden_by in (LAST_BACKWARD, NEXT_FORWARD):
            weights[phase] += one.hidden
    assert hidden["forward"] <= own.forward + slack
    assert hidden["backward"] <= own.backward + slack
    # What waits for one microbatch has no more than that one to run behind.
    assert weights["forward"] <= own.forward / plan.accumulation + slack
    assert weights["backward"] <= own.backward / plan.accumulation + slack
    assert step.hidden <= own.forward + own.backward + slack
    assert least_step_time(model=model, plan=plan, machine=machine, efficiency=efficiency) <= step.time + slack
    assert step.time <= bare.time + slack
    lone = sum(one.crossing.alone * one.each for one in found)
    assert step.data >= lone - slack


@pytest.mark.parametrize("preset", [one for one in PRESETS if one.id != "refused"], ids=lambda one: one.id)
def test_the_presets_hide_no_more_than_their_compute(preset):
    scene = scenario(LAB.inputs(preset.inputs))
    holds(scene.model, scene.plan, scene.machine, flash=scene.flash)


DEGREES = st.sampled_from((1, 2, 4, 8))


@settings(max_examples=300, deadline=None)
@given(
    model=st.sampled_from(MODELS),
    degrees=st.tuples(DEGREES, DEGREES, DEGREES, DEGREES),
    expert=DEGREES,
    zero=st.integers(0, 3),
    microbatch=st.sampled_from((1, 2)),
    accumulation=st.sampled_from((1, 8, 32)),
    recompute=st.sampled_from(("none", "selective", "full")),
    split=st.booleans(),
    machine=st.sampled_from(MACHINES),
    speed=st.sampled_from((1e-3, 0.1, 1.0, 10.0)),
)
def test_no_plan_hides_more_than_its_compute(
    model, degrees, expert, zero, microbatch, accumulation, recompute, split, machine, speed
):
    t, c, p, d = degrees
    plan = Plan(
        tensor=t,
        context=c,
        pipeline=p,
        data=d,
        expert=min(expert, c * d) if model.experts else 1,
        zero=zero if c * d > 1 else 0,
        microbatch=microbatch,
        accumulation=accumulation,
        recompute=recompute,
        sequence_parallel=split and t > 1,
        uneven=model.layers % p != 0,
    )
    assume(not refusals(model=model, plan=plan))
    whole = named_machine(name=machine, devices=-(-prod(degrees) // 72) * 72)
    levels = tuple(replace(level, bandwidth=level.bandwidth * speed) for level in whole.levels)
    holds(model, plan, replace(whole, levels=levels))


def test_the_tensor_exchanges_take_the_compute_from_those_of_gradients():
    """Both want more than there is: together they hide as long as the backward pass, 2 of 3 parts of a step."""
    plan = Plan(tensor=2, data=2)
    model = gpt(hidden=4096, layers=32, heads=32)
    step = step_time(model=model, plan=plan, machine=SLOW)
    assert step.hidden == pytest.approx(2 / 3 * step.arithmetic)
    alone = step_time(model=model, plan=Plan(data=4), machine=SLOW)
    assert alone.hidden == pytest.approx(2 / 3 * alone.arithmetic)


@pytest.mark.parametrize("zero", [0, 1, 2])
def test_the_last_layers_gradients_are_exposed_on_links_that_are_as_fast_as_you_like(zero):
    """24 layers: a 24th of the gradients comes when the backward pass is over, of each of 4 microbatches or of all."""
    model = named_model(name="GPT 1.3B")
    machine = named_machine(name="DGX H100", devices=8)
    plan = Plan(data=8, zero=zero, accumulation=4, microbatch=8)
    step = step_time(model=model, plan=plan, machine=machine)
    bare = step_time(model=model, plan=plan, machine=machine, overlap=False)
    found = timed_crossings(model=model, plan=plan, machine=machine)
    assert step.data == pytest.approx(sum(one.each for one in found) / 24)
    assert 0 < step.data < bare.data


def test_zero_3_waits_for_the_first_weights_and_the_last_gradients():
    model = named_model(name="GPT 7.5B")
    machine = named_machine(name="DGX H100", devices=64)
    plan = Plan(data=64, zero=3, microbatch=8)
    found = timed_crossings(model=model, plan=plan, machine=machine)
    waited = {one.crossing.name: one.time - one.hidden for one in found if one.time - one.hidden > 1e-12}
    each = {one.crossing.name: one.each for one in found}
    assert set(waited) == {
        "weights of the embedding",
        "weights of a layer",
        "gradients of the embedding",
        "gradients of a layer",
    }
    assert all(wait == pytest.approx(each[name]) for name, wait in waited.items())
