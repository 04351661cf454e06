"""What the labs are tried with when the quick engine is made: enough of everything, and the same each time."""

import json

from labs.answer import answer
from labs.catalog import LABS
from labs.model.quantities.units import KINDS
from labs.parts.engineering.equation import OPERATIONS
from macros.tries import more_requests, requests


def test_tries_are_the_same_each_time() -> None:
    assert list(more_requests()) == list(more_requests())


def test_each_lab_answers_and_refuses_some_of_them() -> None:
    tries = list(more_requests())
    for lab in LABS:
        replies = [json.loads(answer(json.dumps(request)) or "") for request in tries if request["lab"] == lab]
        answered = sum(reply["ok"] for reply in replies)
        assert answered >= 20, lab
        assert len(replies) - answered >= 20, lab


def test_calculators_are_tried_with_every_operation_and_solved_for_each_symbol() -> None:
    texts = [json.dumps(request) for request in more_requests() if "equation" in request]
    assert all(any(f'["{sign}", ' in text for text in texts) for sign in OPERATIONS)
    solved = {json.loads(text)["inputs"]["solve_for"] for text in texts}
    assert solved == {"y", "x", "z", "t", "p", "a", "m", "b", "n", "whole", "part", "rest"}


def test_calculators_are_tried_with_quantities_of_every_kind() -> None:
    tries = [request for request in more_requests() if "whole" in json.dumps(request)]
    replies = [json.loads(answer(json.dumps(request)) or "") for request in tries]
    assert sum(reply["ok"] for reply in replies) >= 2 * len(KINDS)
    found = {symbol["unit"] for request in tries for symbol in json.loads(json.dumps(request))["equation"]["symbols"]}
    assert found == set(KINDS)


def test_what_must_agree_everywhere_is_among_the_labs() -> None:
    assert {request["lab"] for request in requests()} == set(LABS)
