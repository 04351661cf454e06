"""Microbatches in flight: against the order of work of each schedule, walked through."""

import math

import pytest

from labs.model.errors import ModelError
from labs.model.inflight import interleaving_factor, microbatches_in_flight


def test_one_forward_one_backward_holds_what_is_still_behind_a_stage():
    held = [microbatches_in_flight(pipeline=8, accumulation=64, stage=stage) for stage in range(8)]
    assert held == [8, 7, 6, 5, 4, 3, 2, 1]
    assert microbatches_in_flight(pipeline=8, accumulation=3) == 3


def test_gpipe_holds_all():
    assert microbatches_in_flight(pipeline=4, accumulation=32, stage=3, schedule="gpipe") == 32


@pytest.mark.parametrize(("p", "v"), [(8, 3), (2, 2), (4, 5), (35, 3)])
def test_the_first_stage_interleaved_holds_the_papers_factor_more(p, v):
    held = microbatches_in_flight(pipeline=p, accumulation=4 * p, interleave=v)
    assert math.isclose(held, p * interleaving_factor(pipeline=p, interleave=v))
    assert microbatches_in_flight(pipeline=p, accumulation=p, interleave=v) == p


def test_without_interleaving_the_factor_is_one():
    assert interleaving_factor(pipeline=64, interleave=1) == 1
    assert math.isclose(interleaving_factor(pipeline=8, interleave=3), 1 + 7 / 24)


def test_an_unknown_schedule_and_stage_are_refused():
    with pytest.raises(ModelError, match='expected schedule to be one of 1f1b, gpipe, found "pipedream"'):
        microbatches_in_flight(pipeline=4, accumulation=4, schedule="pipedream")
    with pytest.raises(ModelError, match="expected stage <= 3, found 4"):
        microbatches_in_flight(pipeline=4, accumulation=4, stage=4)
