"""Closed forms of pipelines: published tables, limits and refusals. The simulation is tried against them elsewhere."""

import pytest

from labs.model.pipelines.bubble import (
    bubble_overhead,
    bubble_share,
    bubble_time,
    dual_pipe_bubble_time,
    zero_bubble_time,
)
from labs.model.pipelines.forms import (
    interleaving_factor,
    layers_per_virtual_stage,
    microbatches_in_flight,
    pipeline_step_time,
)
from labs.model.quantities.errors import ModelError


@pytest.mark.parametrize("p", [1, 2, 8, 64])
@pytest.mark.parametrize("m", [1, 8, 512])
def test_overhead_and_share_are_two_ratios_of_the_same_times(p, m):
    overhead, share = bubble_overhead(stages=p, microbatches=m), bubble_share(stages=p, microbatches=m)
    assert share == pytest.approx(overhead / (1 + overhead))
    assert share < 1
    assert (overhead == 0) == (p == 1)


def test_the_published_bubbles_shrink_from_one_schedule_to_the_next():
    """DualPipe, README: with F = W = 1, B = 2 and F&B = 3 on eight stages 21, 7 and 6."""
    times = {"stages": 8, "backward": 2, "weight": 1}
    published = (zero_bubble_time(**times, forward=1), dual_pipe_bubble_time(**times, overlapped=3))
    assert (bubble_time(stages=8, forward=1, backward=2), *published) == (21, 7, 6)


def test_without_weight_gradients_to_move_zero_bubble_is_1f1b():
    assert zero_bubble_time(stages=5, forward=1, backward=2, weight=0) == bubble_time(stages=5, forward=1, backward=2)


def test_interleaving_holds_the_share_more_that_megatron_states():
    """Narayanan et al., section 2.2, by way of Korthikanti et al., section 4.2.3: 1 + (p − 1) / (p v) times 1F1B."""
    held = microbatches_in_flight(schedule="interleaved", stages=8, microbatches=64, chunks=4)
    assert held == 8 * (1 + 7 / 32)


def test_few_microbatches_are_all_in_flight():
    assert microbatches_in_flight(schedule="1f1b", stages=8, microbatches=3) == 3
    assert microbatches_in_flight(schedule="interleaved", stages=4, microbatches=4, chunks=2) == 4


def test_delay_of_the_fill_and_the_drain():
    """One microbatch passes each boundary once there and once back."""
    for chunks in (1, 3):
        step = pipeline_step_time(
            stages=4, microbatches=4 if chunks > 1 else 1, forward=3, backward=3, chunks=chunks, delay=0.5
        )
        still = pipeline_step_time(stages=4, microbatches=4 if chunks > 1 else 1, forward=3, backward=3, chunks=chunks)
        assert step - still == pytest.approx(2 * (4 * chunks - 1) * 0.5)


def test_one_stage_waits_for_nobody():
    assert pipeline_step_time(stages=1, microbatches=5, forward=1, backward=2, chunks=2, delay=9) == 15


@pytest.mark.parametrize(
    ("call", "inputs", "refusal"),
    [
        (
            dual_pipe_bubble_time,
            {"stages": 7, "overlapped": 3, "backward": 2, "weight": 1},
            "expected stages to be even, found 7",
        ),
        (
            zero_bubble_time,
            {"stages": 8, "forward": 1, "backward": 2, "weight": 2},
            "expected weight to leave some of 3 s idle, found 2 × 2 s",
        ),
        (
            layers_per_virtual_stage,
            {"layers": 80, "stages": 8, "chunks": 3},
            "expected stages × chunks to divide layers, found 24 and 80",
        ),
        (
            microbatches_in_flight,
            {"schedule": "1f1b", "stages": 4, "microbatches": 4, "stage": 4},
            "expected stage <= 3, found 4",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, inputs, refusal):
    with pytest.raises(ModelError) as refused:
        call(**inputs)
    assert str(refused.value) == refusal


@pytest.mark.parametrize(("p", "v"), [(8, 3), (2, 2), (4, 5), (35, 3)])
def test_the_first_stage_interleaved_holds_the_papers_factor_more(p, v):
    held = microbatches_in_flight(schedule="interleaved", stages=p, microbatches=4 * p, chunks=v)
    assert held == pytest.approx(p * interleaving_factor(pipeline=p, interleave=v))
    assert interleaving_factor(pipeline=p, interleave=1) == 1
