"""Timelines: hand-drawn steps, the laws of any schedule, and what must be refused, each for its reason."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.model.timelines.overlap import exposed_communication, exposed_gradient_reduction, exposed_prefetch
from labs.model.timelines.run import simulate_timeline
from labs.model.timelines.step_tasks import (
    gradient_reduction_tasks,
    pipeline_send_tasks,
    sharded_parameter_tasks,
    tensor_parallel_tasks,
)
from labs.model.timelines.tasks import Read, Task

STREAMS = ("compute", "network", "copy")
TIMES = st.integers(0, 9).map(float)


def task(name, stream="compute", duration=1.0, **more):
    return Task(name=name, stream=stream, duration=duration, **more)


def without_wait(tasks, name):
    return tuple(replace(each, after=()) if each.name == name else each for each in tasks)


@st.composite
def schedules(draw):
    tasks = []
    for number in range(draw(st.integers(1, 12))):
        after = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set()
        tasks.append(
            task(f"t{number}", draw(st.sampled_from(STREAMS)), draw(TIMES), after=tuple(f"t{other}" for other in after))
        )
    return tuple(tasks)


@given(tasks=schedules())
def test_a_step_lies_between_its_busiest_stream_and_the_sum_of_its_tasks(tasks):
    step = simulate_timeline(tasks=tasks)
    busy = [sum(each.duration for each in tasks if each.stream == stream) for stream in STREAMS]
    assert max(busy) <= step.step_time <= sum(busy)
    assert (step.compute, step.communication) == (busy[0], busy[1] + busy[2])
    assert step.exposed == step.step_time - step.compute
    assert step.exposed <= step.communication


@given(tasks=schedules())
def test_waits_are_kept_and_a_stream_runs_one_task_at_a_time(tasks):
    timed = {each.name: each for each in simulate_timeline(tasks=tasks).tasks}
    assert list(timed) == [each.name for each in tasks]
    last = {}
    for each in tasks:
        run = timed[each.name]
        ends = [timed[other].end for other in each.after] + [last.get(each.stream, 0.0)]
        assert run.start == max(ends)
        assert run.end == run.start + each.duration
        last[each.stream] = run.end


def test_a_collective_beside_a_millisecond_of_compute():
    """The collective of 2.02 ms: independent of the computation, needed by it, or its sum."""
    compute, collective = task("compute", duration=1e-3), task("collective", "network", 2.02e-3)
    beside = simulate_timeline(tasks=(compute, collective))
    before = simulate_timeline(tasks=(replace(compute, after=("collective",)), collective))
    behind = simulate_timeline(tasks=(compute, replace(collective, after=("compute",))))
    assert beside.exposed == pytest.approx(1.02e-3)
    assert beside.exposed == pytest.approx(exposed_communication(communication=2.02e-3, hiding=1e-3))
    assert before.exposed == behind.exposed == pytest.approx(2.02e-3)
    assert before.step_time == pytest.approx(3.02e-3)


def test_nothing_to_do_takes_no_time():
    step = simulate_timeline(tasks=())
    assert (step.step_time, step.compute, step.communication, step.exposed) == (0, 0, 0, 0)


def test_communication_alone_is_exposed():
    assert simulate_timeline(tasks=(task("gather", "network", 2.0),)).exposed == 2


@given(layers=st.integers(1, 8), backward=TIMES, reduce=st.integers(1, 9))
def test_gradient_reduction_exposes_what_the_closed_form_says(layers, backward, reduce):
    """Two ranks send each gradient once: bytes over bandwidth."""
    tasks = gradient_reduction_tasks(
        backward=(backward,) * layers,
        gradients=(float(reduce),) * layers,
        ranks=2,
        latency=0.0,
        bandwidth=1.0,
        bucket=1,
        first_bucket=1,
    )
    step = simulate_timeline(tasks=tasks)
    expected = exposed_gradient_reduction(communication=layers * reduce, backward=layers * backward, buckets=layers)
    assert step.exposed == pytest.approx(expected)


def test_gradients_are_reduced_in_buckets_from_the_last_layer_on():
    tasks = gradient_reduction_tasks(
        backward=(1.0, 2.0, 3.0),
        gradients=(8.0, 8.0, 8.0),
        ranks=2,
        latency=0.5,
        bandwidth=4.0,
        bucket=16,
        first_bucket=1,
    )
    told = [(run.name, run.start, run.end) for run in simulate_timeline(tasks=tasks).tasks]
    assert told == [
        ("backward 2", 0, 3),
        ("reduce 0", 3, 6),
        ("backward 1", 3, 5),
        ("backward 0", 5, 6),
        ("reduce 1", 6, 11),
    ]


@given(layers=st.integers(1, 6), compute=TIMES, gather=TIMES, buffers=st.integers(1, 4))
def test_prefetch_exposes_what_the_closed_form_says(layers, compute, gather, buffers):
    tasks = sharded_parameter_tasks(
        layers=layers, forward=compute, backward=compute, gather=gather, scatter=0.0, buffers=buffers
    )
    expected = exposed_prefetch(gather=gather, compute=compute, layers=2 * layers, buffers=buffers)
    assert simulate_timeline(tasks=tasks).exposed == pytest.approx(expected)


def test_gradients_are_scattered_behind_the_backward():
    """Long computation: the first gather and the last scatter alone stay exposed."""
    tasks = sharded_parameter_tasks(layers=4, forward=9.0, backward=18.0, gather=2.0, scatter=1.0)
    step = simulate_timeline(tasks=tasks)
    assert (step.step_time, step.communication, step.exposed) == (2 + 4 * 27 + 1, 8 * 2 + 4, 3)


@given(blocks=st.integers(1, 9), compute=TIMES, exchange=TIMES)
def test_tensor_parallel_exchanges_cannot_hide(blocks, compute, exchange):
    step = simulate_timeline(tasks=tensor_parallel_tasks(blocks=blocks, compute=compute, exchange=exchange))
    assert step.exposed == step.communication == blocks * exchange


@given(microbatches=st.integers(1, 9), compute=TIMES, send=TIMES)
def test_pipeline_sends_hide_but_for_the_last_and_with_one_buffer_not_at_all(microbatches, compute, send):
    one, two = (
        simulate_timeline(
            tasks=pipeline_send_tasks(microbatches=microbatches, compute=compute, send=send, buffers=buffers)
        )
        for buffers in (1, 2)
    )
    assert one.exposed == microbatches * send
    assert two.exposed == send + (microbatches - 1) * max(0, send - compute)


GRADIENTS = gradient_reduction_tasks(
    backward=(1.0, 1.0), gradients=(1.0, 1.0), ranks=2, latency=0.0, bandwidth=1.0, bucket=2, first_bucket=2
)
SHARDED = sharded_parameter_tasks(layers=4, forward=1.0, backward=2.0, gather=0.5, scatter=0.5)
TENSOR = tensor_parallel_tasks(blocks=2, compute=1.0, exchange=1.0)
SENDS = pipeline_send_tasks(microbatches=3, compute=1.0, send=0.5)


@pytest.mark.parametrize(
    ("tasks", "refusal"),
    [
        (
            tuple(replace(each, after=("backward 1",)) if each.name == "reduce 0" else each for each in GRADIENTS),
            "expected reduce 0 to wait for backward 0, which writes gradient 0 that it reads",
        ),
        (
            without_wait(SHARDED, "gather 2"),
            "expected gather 2 to wait for forward 0, which reads parameters 0 that it overwrites",
        ),
        (
            without_wait(SHARDED, "forward 3"),
            "expected forward 3 to wait for gather 3, which writes parameters 1 that it reads",
        ),
        (
            without_wait(SHARDED, "scatter 0"),
            "expected scatter 0 to wait for backward 0, which writes gradient 0 that it reads",
        ),
        (without_wait(TENSOR, "block 1"), "expected block 1 to wait for exchange 0, which writes sum 0 that it reads"),
        (
            without_wait(SENDS, "compute 2"),
            "expected compute 2 to wait for send 0, which reads output 0 that it overwrites",
        ),
        (
            (task("optimizer", writes=("weights",)), task("forward", "copy", reads=(Read("weights"),))),
            "expected optimizer to wait for forward, which reads weights that it overwrites",
        ),
        (
            (task("one", writes=("sum",)), task("two", "network", writes=("sum",))),
            "expected two to wait for one, as both write sum",
        ),
    ],
)
def test_a_missing_wait_is_named_with_the_buffer_that_needs_it(tasks, refusal):
    with pytest.raises(ModelError) as refused:
        simulate_timeline(tasks=tasks)
    assert str(refused.value) == f"{refusal}, found no such wait"


def test_a_quick_schedule_is_refused_even_where_the_times_would_forgive_it():
    """The gather would end long after the layer before has: no wait says so, and nothing else keeps it so."""
    slow = tuple(replace(each, duration=100.0) if each.stream == "network" else each for each in SHARDED)
    simulate_timeline(tasks=slow)
    with pytest.raises(ModelError, match="expected gather 2 to wait for forward 0"):
        simulate_timeline(tasks=without_wait(slow, "gather 2"))


def test_what_the_step_began_with_may_be_read_before_it_is_written():
    forward = task("forward", reads=(Read("weights"),))
    optimizer = task("optimizer", reads=(Read("weights"),), writes=("weights",))
    assert simulate_timeline(tasks=(forward, optimizer)).step_time == 2


@pytest.mark.parametrize(
    ("tasks", "refusal"),
    [
        ((task("a"), task("a")), "expected each task once, found a again"),
        ((task("a", after=("b",)),), "expected a to wait for a task, found no b"),
        (
            (task("a", after=("b",)), task("b", "network", after=("a",))),
            "expected waits that can end, found that a waits for b waits for a",
        ),
        (
            (task("a", after=("b",)), task("b")),
            "expected waits that can end, found that a waits for b waits for a",
        ),
        (
            (task("a", reads=(Read("x", "b"),)), task("b")),
            "expected a to read x of a task that writes it, found b",
        ),
    ],
)
def test_tasks_that_make_no_schedule_are_refused(tasks, refusal):
    with pytest.raises(ModelError) as refused:
        simulate_timeline(tasks=tasks)
    assert str(refused.value) == refusal


def test_layers_without_gradients_and_negative_times_are_refused():
    with pytest.raises(ModelError, match="expected gradients of 2 layers, found 1"):
        gradient_reduction_tasks(backward=(1, 1), gradients=(1,), ranks=2, latency=0, bandwidth=1)
    with pytest.raises(ModelError, match="expected duration of send 0 >= 0 s, found -1 s"):
        pipeline_send_tasks(microbatches=1, compute=1, send=-1)
