"""States by ZeRO stage: the paper's figure, and what holds whatever the numbers are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.device_memory.states import zero_states
from labs.model.quantities.errors import ModelError

CONVENTION = st.sampled_from(list(CONVENTIONS.values()))
RANKS = st.integers(1, 4096)
PARAMETERS = st.floats(1, 1e13)


@pytest.mark.parametrize(("stage", "gigabytes"), list(enumerate([120, 31.4, 16.6, 1.88])))
def test_figure_1_of_the_zero_paper(stage, gigabytes):
    states = zero_states(parameters=7.5e9, ranks=64, zero=stage, convention=CONVENTIONS["mixed"])
    assert math.isclose(states.total / 1e9, gigabytes, abs_tol=0.05)


@given(PARAMETERS, RANKS, CONVENTION)
def test_each_stage_needs_no_more_than_the_one_before(parameters, ranks, convention):
    totals = [
        zero_states(parameters=parameters, ranks=ranks, zero=zero, convention=convention).total for zero in range(4)
    ]
    assert totals == sorted(totals, reverse=True)


@given(PARAMETERS, RANKS, CONVENTION)
def test_stage_3_over_all_ranks_is_exactly_the_whole(parameters, ranks, convention):
    states = zero_states(parameters=parameters, ranks=ranks, zero=3, convention=convention)
    assert math.isclose(ranks * states.total, parameters * convention.total, rel_tol=1e-12)


@given(PARAMETERS, RANKS, CONVENTION, st.integers(0, 3))
def test_the_parts_add_up_and_what_is_split_is_there_once(parameters, ranks, convention, zero):
    states = zero_states(parameters=parameters, ranks=ranks, zero=zero, convention=convention)
    assert math.isclose(states.total, states.parameters + states.gradients + states.optimizer)
    once = [states.optimizer, states.gradients, states.parameters][:zero]
    whole = [convention.optimizer, convention.gradients, convention.parameters][:zero]
    assert all(math.isclose(ranks * part, parameters * bytes_) for part, bytes_ in zip(once, whole, strict=True))


def test_one_rank_gains_nothing():
    totals = {
        zero_states(parameters=1e9, ranks=1, zero=zero, convention=CONVENTIONS["mixed"]).total for zero in range(4)
    }
    assert totals == {16e9}


@pytest.mark.parametrize("wrong", [{"zero": 4}, {"zero": -1}, {"ranks": 0}, {"parameters": -1}])
def test_out_of_range_is_refused(wrong):
    (argument,) = wrong
    with pytest.raises(ModelError, match=f"expected {argument}"):
        zero_states(**{"parameters": 1e9, "ranks": 8, "zero": 1, "convention": CONVENTIONS["mixed"]} | wrong)
