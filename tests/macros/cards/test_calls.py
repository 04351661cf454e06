"""Calls that a card makes: whatever its inputs, a number in words or a sentence that says what is wrong."""

from decimal import Decimal
from random import Random

import pytest

from macros.cards.calls import Refused, made
from macros.model_calls import functions

VALUES = tuple(map(Decimal, (-1, 0, 0.5, 1, 2, 7, 1e5, 1e15, 2**53 - 1, 1e30, 1e-30, 1e300, 1e-300)))


@pytest.mark.parametrize("name", functions())
def test_no_input_makes_a_traceback(name):
    function, chance = functions()[name], Random(name)
    fields = [field.name for field in function.fields] or [None]
    for _ in range(60):
        given = [a.name for a in function.arguments if a.name not in function.optional or chance.random() < 0.5]
        try:
            call = made(name, {argument: chance.choice(VALUES) for argument in given}, chance.choice(fields), ())
        except Refused as refused:
            assert all(finding.message.startswith("expected ") for finding in refused.findings), refused
        else:
            assert call.gives().endswith(f"from {call.text}")


@pytest.mark.parametrize(
    "name", ["pipeline_send_tasks", "ring_all_reduce_schedule", "sharded_parameter_tasks", "tensor_parallel_tasks"]
)
def test_a_function_without_a_number_is_not_run(name):
    # 10^15 tasks would take years.
    inputs = {argument.name: Decimal("1e15") for argument in functions()[name].arguments}
    with pytest.raises(Refused, match=r"^expected a call that gives a number, found that "):
        made(name, inputs, None, ())


def test_a_result_beyond_a_computers_numbers_is_told():
    inputs = {"ffn": Decimal(100_000), "compute": Decimal("1e-300"), "bandwidth": Decimal("1e300")}
    with pytest.raises(Refused, match=r"^expected inputs whose result is within a computer's numbers"):
        made("tensor_parallel_limit", inputs, None, ())


def test_a_function_that_no_card_can_call_is_told_apart_from_one_that_is_not_there():
    with pytest.raises(Refused, match=r'labs.model that takes numbers with units, found "collective"'):
        made("collective", {}, None, ())
    with pytest.raises(Refused, match=r'labs.model, found "colective"'):
        made("colective", {}, None, ())
