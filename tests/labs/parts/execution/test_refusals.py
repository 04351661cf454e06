"""The explorer refuses a plan with its reasons, and with buttons that mend it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from labs.model.quantities.errors import ModelError
from labs.model.transformers.transformer import Transformer
from labs.parts.execution.controls import DEGREES
from labs.parts.execution.models import OWN, SMALL
from tests.labs.model import published_configs as configs
from tests.labs.parts.execution.explored import (
    Inputs,
    actions,
    boxes,
    frame,
    metrics,
    pressed,
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put another model in the place of the small one."""

    def put(model: Transformer) -> None:
        monkeypatch.setitem(OWN, SMALL.name, model)

    return put


REFUSED: list[Inputs] = [
    {"tensor": 3},
    {"tensor": 16},
    {"tensor": 64},
    {"tensor": 5, "model": "Mixtral 8x7B"},
    {"pipeline": 3},
    {"pipeline": 16, "uneven": "on"},
    {"pipeline": 4, "interleave": 2, "accumulation": 3},
    {"pipeline": 2, "interleave": 2, "uneven": "on", "accumulation": 2},
    {"interleave": 2},
    {"expert": 2},
    {"data": 3, "expert": 2},
    {"data": 3, "expert": 3, "model": "Small mixture of experts"},
    {"context": 4, "sequence": 1028},
    {"sequence_parallel": "on", "sequence": 1023},
]


@pytest.mark.parametrize("inputs", REFUSED, ids=str)
def test_an_impossible_plan_is_told_with_buttons_that_mend_it(inputs: Inputs) -> None:
    shown = frame(**inputs)
    assert metrics(shown)["step_time"] is None
    assert shown["verdict"][0]["says"].startswith("This plan is impossible: ")
    assert shown["diagrams"][0]["arrows"] == []
    assert all(box["parts"] == box["copies"] == 1 for box in boxes(shown).values())
    for action in actions(shown):
        assert metrics(pressed(inputs, action))["step_time"], action
    json.dumps(shown, allow_nan=False)


def test_a_button_brings_up_no_other_reason(small: Any) -> None:
    """Next to 32, what divides 1,200 columns is 30 or 40, and neither divides 16 heads; 16 divides both."""
    small(replace(SMALL, ffn=1200, kv_heads=16))
    offered = actions(frame(tensor=32))
    assert [action["sets"] for action in offered] == [{"tensor": "16"}, {"tensor": "16"}]


TOO_LARGE: list[Inputs] = [
    {"model": "Llama 3 8B"},
    {"model": "Llama 3 70B", "data": 16},
    {"model": "GPT-3 175B", "tensor": 8, "data": 2, "zero": "1"},
    {"sequence": 131072, "microbatch": 8},
    {"microbatch": 131072},
]


@pytest.mark.parametrize("inputs", TOO_LARGE, ids=str)
def test_a_plan_that_does_not_fit_is_told_with_buttons_that_make_it_fit(inputs: Inputs) -> None:
    shown = frame(**inputs)
    assert metrics(shown)["memory"] > 80e9
    assert actions(shown)
    for action in actions(shown):
        fitting = pressed(inputs, action)
        assert metrics(fitting)["memory"] <= 80e9
        # The batch is no matter of memory: replicas learn from as many sequences as before.
        assert metrics(fitting)["global_batch"] == metrics(shown)["global_batch"]


@pytest.mark.parametrize("name", DEGREES)
def test_more_than_any_machine_has_is_refused_where_it_was_typed(name: str) -> None:
    with pytest.raises(ModelError, match=f"expected {name} <= 131072, found 131073") as refused:
        frame(**{name: 131073})
    assert refused.value.argument == name


LONG = json.dumps(configs.LLAMA_3_8B | {"max_position_embeddings": 131072})


def test_the_length_of_a_sequence_is_told_and_given_up_first_where_nobody_chose_it() -> None:
    shown = frame(config=LONG, tensor=8)
    assert "Sequences in training have 131,072 tokens: the longest that the config allows." in shown["notes"]
    first = actions(shown)[0]
    assert "with sequences of 131,072 tokens" in first["says"]
    assert first["sets"] == {"sequence": "32768"}
    # The largest power of two: the next one does not fit.
    assert metrics(frame(config=LONG, tensor=8, sequence=65536))["memory"] > 80e9
    assert metrics(frame(config=LONG, tensor=8, sequence=32768))["memory"] <= 80e9


def test_the_length_that_was_asked_for_is_given_up_last() -> None:
    shown = frame(config=LONG, tensor=8, sequence=131072)
    assert "Sequences in training have 131,072 tokens: the length that was asked for." in shown["notes"]
    assert [list(action["sets"]) for action in actions(shown)][-1] == ["sequence"]
    assert len(actions(shown)) > 1


def test_the_length_of_a_sequence_is_told_of_an_impossible_plan_too() -> None:
    notes = frame(tensor=16)["notes"]
    assert notes == ["Sequences in training have 1,024 tokens: the model's own length."]


def test_where_nothing_fits_it_is_said_what_was_tried() -> None:
    (says,) = (words for words in frame(model="DeepSeek-V3", tensor=1)["verdict"] if "does not fit" in str(words))
    assert isinstance(says, str)
    # One device: no replicas that ZeRO would split anything over; a node of 8 tensor ranks, and 2^8 = 8 · 32.
    tried = says.partition("Nothing that was tried makes it fit: ")[2]
    assert "ZeRO" not in tried
    for one in ("sequences down to 1,024 tokens", "full recomputation", "8 tensor ranks and up to 32 stages"):
        assert one in tried


def test_a_plan_larger_than_the_machine_is_told_and_shown() -> None:
    inputs = {"devices": 8, "data": 8}
    shown = frame(**inputs)
    (action,) = actions(shown)
    assert "takes 16 devices, and there are 8" in action["says"]
    assert action["sets"] == {"devices": "16"}
    assert metrics(shown)["step_time"] == metrics(pressed(inputs, action))["step_time"] > 0
    assert actions(pressed(inputs, action)) == []


def test_devices_that_fill_no_node_are_told() -> None:
    inputs = {"devices": 12}
    filled, reference = actions(frame(**inputs))
    assert filled["sets"] == {"devices": "16"}
    for action in (filled, reference):
        assert actions(pressed(inputs, action)) == []
