"""Simulated pipelines against closed forms, hand-drawn steps, and the laws that any schedule obeys."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.pipelines.bubble import bubble_overhead, bubble_share, bubble_time, zero_bubble_time
from labs.model.pipelines.forms import microbatches_in_flight, pipeline_step_time
from labs.model.pipelines.orders import SCHEDULES, Operation, pipeline_order
from labs.model.pipelines.run import simulate_pipeline
from labs.model.quantities.errors import ModelError

TIMES = st.integers(1, 9)
DELAYS = st.sampled_from([0.0, 0.25, 1.0, 7.0])


@st.composite
def shapes(draw, schedules=SCHEDULES):
    schedule = draw(st.sampled_from(schedules))
    stages = draw(st.integers(1, 7))
    chunks = draw(st.integers(1, 4)) if schedule == "interleaved" else 1
    rounds = draw(st.integers(1, 3))
    microbatches = stages * rounds if schedule == "interleaved" else draw(st.integers(1, 16))
    return {"schedule": schedule, "stages": stages, "microbatches": microbatches, "chunks": chunks}


def without_w(shape):
    return {name: value for name, value in shape.items() if name != "schedule"}


def place(run, stages):
    return run.chunk * stages + run.stage


@given(shape=shapes(("gpipe", "1f1b", "interleaved")), f=TIMES, b=TIMES)
def test_equal_stages_without_delay_are_as_idle_as_the_closed_forms_say(shape, f, b):
    p, m, v = shape["stages"], shape["microbatches"], shape["chunks"]
    run = simulate_pipeline(order=pipeline_order(**shape), forward=float(f), backward=float(b))
    assert math.isclose(run.step_time, m * (f + b) + (p - 1) * (f + b) / v)
    assert math.isclose(run.bubble_overhead, bubble_overhead(**without_w(shape)), abs_tol=1e-12)
    assert math.isclose(run.bubble_share, bubble_share(**without_w(shape)), abs_tol=1e-12)
    idle = bubble_time(stages=p, forward=f, backward=b, chunks=v)
    assert run.idle == pytest.approx([idle] * p, abs=1e-9)


@given(shape=shapes(("zb-h1",)), w=TIMES, more_f=TIMES, more_b=TIMES)
def test_zero_bubble_is_as_idle_as_the_closed_form_says(shape, w, more_f, more_b):
    p, m = shape["stages"], shape["microbatches"]
    f, b = w + more_f - 1, 2 * w + more_b - 1
    run = simulate_pipeline(order=pipeline_order(**shape), forward=f, backward=b, weight=w)
    expected = zero_bubble_time(stages=p, forward=f, backward=b, weight=w)
    missing = max(0, p - m) * w  # with fewer microbatches than stages there is less W to fill with
    assert run.idle == pytest.approx([expected + (missing if p > 1 else 0)] * p)


@given(shape=shapes(), f=TIMES, b=TIMES)
def test_a_stage_holds_as_many_microbatches_as_the_closed_form_says(shape, f, b):
    run = simulate_pipeline(order=pipeline_order(**shape), forward=f, backward=b, weight=b / 2)
    assert list(run.in_flight) == [microbatches_in_flight(**shape, stage=s) for s in range(shape["stages"])]


@given(shape=shapes(), data=st.data(), delay=DELAYS)
def test_dependencies_are_respected_and_work_is_conserved_on_uneven_stages(shape, data, delay):
    p, m, v = shape["stages"], shape["microbatches"], shape["chunks"]
    uneven = st.tuples(*[st.tuples(*[TIMES] * v)] * p)
    f, b = data.draw(uneven), data.draw(uneven)
    w = tuple(tuple(time / 2 for time in stage) for stage in b)
    run = simulate_pipeline(order=pipeline_order(**shape), forward=f, backward=b, weight=w, delay=delay)

    at = {(r.kind, r.microbatch, place(r, p)): r for r in run.operations}
    split = shape["schedule"] == "zb-h1"
    assert len(at) == len(run.operations) == m * p * v * (3 if split else 2)
    for r in run.operations:
        here = place(r, p)
        if r.kind == "F" and here > 0:
            before = at["F", r.microbatch, here - 1]
            assert r.start >= before.end + (delay if before.stage != r.stage else 0)
        if r.kind == "B":
            assert r.start >= at["F", r.microbatch, here].end
            if here < p * v - 1:
                before = at["B", r.microbatch, here + 1]
                assert r.start >= before.end + (delay if before.stage != r.stage else 0)
        if r.kind == "W":
            assert r.start >= at["B", r.microbatch, here].end
    for stage in range(p):
        mine = [r for r in run.operations if r.stage == stage]
        assert all(one.end <= other.start for one, other in itertools.pairwise(mine))
        working = sum(r.end - r.start for r in mine)
        assert working == pytest.approx(m * (sum(f[stage]) + sum(b[stage])))
        assert working + run.idle[stage] == pytest.approx(run.step_time)
    longest = max(m * (sum(f[s]) + sum(b[s])) for s in range(p))
    assert run.step_time >= longest - 1e-9


@given(shape=shapes(), f=TIMES, b=TIMES, delay=DELAYS)
def test_something_runs_as_soon_as_it_can(shape, f, b, delay):
    """Every operation starts at 0, at the end of the one before it on its stage, or as what it needs arrives."""
    p = shape["stages"]
    run = simulate_pipeline(order=pipeline_order(**shape), forward=f, backward=b, weight=b / 2, delay=delay)
    ends = {r.end for r in run.operations}
    starts = {0.0} | ends | {end + delay for end in ends}
    assert all(any(math.isclose(r.start, start, abs_tol=1e-9) for start in starts) for r in run.operations)
    assert p > 1 or run.bubble_share == 0


@given(shape=shapes(("1f1b", "interleaved")), f=TIMES, b=TIMES, delay=DELAYS)
def test_the_step_without_simulation_is_that_of_the_simulation(shape, f, b, delay):
    v = shape["chunks"]
    step = simulate_pipeline(order=pipeline_order(**shape), forward=f, backward=b, delay=delay).step_time
    quick = pipeline_step_time(**without_w(shape), forward=f, backward=b, delay=delay)
    if v == 1 or delay <= min(f, b) / v:
        assert step == pytest.approx(quick)
    else:
        assert step <= quick * (1 + 1e-12)
        assert quick <= 2 * step


def test_two_stages_and_two_microbatches_drawn_by_hand():
    """0: F0 F1 .. B0 B0 .. B1 B1 with half a second from stage to stage.

    Stage 1 begins at 1.5, B0 ends at 4.5, stage 0 has it at 5; B1 waits for F1 at 4.5 and runs 5.5 to 7.5.
    """
    run = simulate_pipeline(
        order=pipeline_order(schedule="1f1b", stages=2, microbatches=2), forward=1.0, backward=2.0, delay=0.5
    )
    told = [(r.stage, f"{r.kind}{r.microbatch}", r.start, r.end) for r in run.operations]
    assert told == [
        (0, "F0", 0.0, 1.0),
        (0, "F1", 1.0, 2.0),
        (0, "B0", 5.0, 7.0),
        (0, "B1", 8.0, 10.0),
        (1, "F0", 1.5, 2.5),
        (1, "B0", 2.5, 4.5),
        (1, "F1", 4.5, 5.5),
        (1, "B1", 5.5, 7.5),
    ]
    assert (run.step_time, run.idle) == (10.0, (4.0, 4.0))
    assert (run.bubble_overhead, run.bubble_share, run.in_flight) == (8 / 12, 8 / 20, (2.0, 1.0))


def test_a_slow_stage_sets_the_pace():
    """Stage 1 takes twice as long: it works from 1 on without a gap, then stage 0 ends with its last backward."""
    order = pipeline_order(schedule="1f1b", stages=2, microbatches=10)
    run = simulate_pipeline(order=order, forward=(1.0, 2.0), backward=(2.0, 4.0))
    assert run.step_time == 1 + 10 * 6 + 2
    assert run.idle == (63 - 30, 63 - 60)


def test_each_hop_has_a_delay_of_its_own():
    """One microbatch through three stages and back: each hop counts twice."""
    order = pipeline_order(schedule="gpipe", stages=3, microbatches=1)
    assert simulate_pipeline(order=order, forward=1, backward=1, delay=(0.25, 3.0)).step_time == 6 + 2 * 3.25


def test_with_chunks_the_last_stage_hands_back_to_the_first():
    order = pipeline_order(schedule="interleaved", stages=2, microbatches=2, chunks=2)
    near, far = (
        simulate_pipeline(order=order, forward=2, backward=2, delay=delay).step_time
        for delay in ((0.0, 0.0), (0.0, 50.0))
    )
    assert far == near + 100  # once there, once back


def test_interleaved_order_is_megatron_s():
    """Four stages, two chunks, eight microbatches: figure 4 of Narayanan et al. (microbatches from 1 there)."""
    first, *_, last = pipeline_order(schedule="interleaved", stages=4, microbatches=8, chunks=2)
    told = [" ".join(f"{kind}{m}{'ab'[c]}" for kind, m, c in stage) for stage in (first, last)]
    assert told[0].startswith("F0a F1a F2a F3a F0b F1b F2b F3b F4a F5a F6a B0b F7a B1b F4b B2b F5b B3b F6b B0a F7b B1a")
    assert told[1].startswith("F0a F1a F2a F3a F0b B0b F1b B1b F2b B2b F3b B3b F4a B0a")
    assert Counter(first) == Counter(last)


def test_zero_bubble_keeps_w_behind_on_later_stages():
    first, _, last = pipeline_order(schedule="zb-h1", stages=3, microbatches=4)
    told = [" ".join(f"{kind}{m}" for kind, m, _ in stage) for stage in (first, last)]
    assert told == ["F0 F1 F2 B0 W0 F3 B1 W1 B2 W2 B3 W3", "F0 B0 F1 B1 F2 B2 W0 F3 B3 W1 W2 W3"]


F, B, W = (lambda m, c=0, kind=kind: Operation(kind, m, c) for kind in "FBW")
TURNED = ((F(0), B(0), F(1), B(1)), (F(0), F(1), B(0), B(1)))


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (((B(0), F(0)),), "expected F of microbatch 0 on stage 0 before B of microbatch 0 on stage 0, found it after"),
        (
            ((F(0), W(0), B(0)),),
            "expected B of microbatch 0 on stage 0 before W of microbatch 0 on stage 0, found it after",
        ),
        (
            TURNED,
            "expected an order without a circle of waits, found that B of microbatch 0 on stage 0 needs "
            "B of microbatch 0 on stage 1, and F of microbatch 1 on stage 1 needs F of microbatch 1 on stage 0",
        ),
        (
            ((F(0, 1), F(0, 0), B(0, 1), B(0, 0)),),
            "expected F of microbatch 0, chunk 0 on stage 0 before F of microbatch 0, chunk 1 on stage 0, "
            "found it after",
        ),
        (((F(0), B(0)), (F(0),)), "expected B of microbatch 0 on stage 1 once in the order, found it 0 times"),
        (((F(0), F(0), B(0)),), "expected F of microbatch 0 on stage 0 once in the order, found it 2 times"),
        (((F(0), F(10**12)),), "expected F of microbatch 1 on stage 0 once in the order, found it 0 times"),
        (((), ()), "expected an order of one operation or more, found none"),
        (
            ((("X", 0, 0),),),
            "expected operations such as ('F', 0, 0): F, B or W, a microbatch and a chunk, found another",
        ),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_with_the_dependency(order, refusal):
    with pytest.raises(ModelError) as refused:
        simulate_pipeline(order=order, forward=1.0, backward=1.0, weight=0.5)
    assert (str(refused.value), refused.value.argument) == (refusal, "order")


@pytest.mark.parametrize(
    ("times", "refusal"),
    [
        ({"forward": 0, "backward": 1}, "expected forward and backward > 0 s on each stage, found 0 s"),
        ({"forward": -1, "backward": 1}, "expected forward >= 0 s, found -1 s"),
        ({"forward": (1,), "backward": 1}, "expected forward of 2 stages, found 1"),
        ({"forward": ((1, 1), 1), "backward": 1}, "expected forward of 1 chunks on each stage, found another number"),
        ({"forward": 1, "backward": 1, "weight": 0, "delay": (1, 1)}, "expected delay of 1 hops, found 2"),
        ({"forward": 1, "backward": 1}, "expected weight, as the order has W, found none"),
        ({"forward": 1, "backward": 1, "weight": 2}, "expected weight to be a part of backward, found it longer"),
    ],
)
def test_times_that_do_not_fit_are_refused(times, refusal):
    order = pipeline_order(schedule="zb-h1", stages=2, microbatches=2)
    with pytest.raises(ModelError) as refused:
        simulate_pipeline(order=order, **times)
    assert str(refused.value) == refusal


@pytest.mark.parametrize(
    ("shape", "refusal"),
    [
        (("2f2b", 2, 2, 1), 'expected schedule to be one of gpipe, 1f1b, interleaved, zb-h1, found "2f2b"'),
        (("1f1b", 2, 2, 2), "expected chunks 1 in schedule 1f1b, found 2"),
        (("interleaved", 4, 6, 2), "expected microbatches to be a multiple of stages, found 6 and 4"),
        (("gpipe", 1000, 1000, 1), "expected 200000 operations or fewer, found 2000000"),
    ],
)
def test_a_schedule_that_is_not_there_is_refused(shape, refusal):
    names = ("schedule", "stages", "microbatches", "chunks")
    with pytest.raises(ModelError) as refused:
        pipeline_order(**dict(zip(names, shape, strict=True)))
    assert str(refused.value) == refusal
