"""The memory lab: published numbers of states and caches, what fits, and what it says to change."""

from typing import Any

import pytest

from labs import memory
from labs.answer import read_inputs
from labs.catalog import LABS
from labs.cell import source
from labs.memory import LAB, frame
from labs.model.transformers.named import named_model
from labs.model.transformers.parameter_count import parameters
from labs.parts.memory.plan import SHARED
from tests.labs.reader import Ran


def made(**inputs: Any) -> dict[str, Any]:
    return frame(**LAB.inputs(inputs))


def preset(name: str) -> dict[str, Any]:
    (inputs,) = [dict(each.inputs) for each in LAB.presets if each.id == name]
    return inputs


def metrics(found: dict[str, Any]) -> dict[str, float]:
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def series(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    (rows,) = [each["rows"] for each in found["series"] if each["id"] == name]
    return rows


def buttons(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [said for said in found["verdict"] if "sets" in said]


def test_states_by_zero_stage_are_those_of_the_paper() -> None:
    """Figure 1 of ZeRO has 7.5 billion parameters; the model of that name has 0.4 % fewer."""
    share = 7.5e9 / parameters(model=named_model(name="GPT 7.5B")).total
    rows = series(made(**preset("zero")), "zero")
    states = [sum(row["values"][:3]) * share / 1e9 for row in rows]
    assert [round(state, digits) for state, digits in zip(states, (0, 1, 1, 1), strict=True)] == [120, 31.4, 16.6, 1.9]
    assert [row.get("now") for row in rows] == [False, False, False, True]


@pytest.mark.parametrize("name", ["megatron", "llama"])
def test_what_ran_fits(name: str) -> None:
    found = made(**preset(name))
    assert found["verdict"][0].startswith("It fits.")
    assert 0 < metrics(found)["spare"] < 80e9


def test_scores_alone_computed_again_let_the_megatron_run_fit() -> None:
    by = {row["sets"]["recompute"]: sum(row["values"]) for row in series(made(**preset("megatron")), "recompute")}
    assert by["none"] > 80e9 > by["selective"] > by["full"]


def test_the_cache_of_a_token_is_as_published() -> None:
    """Zhao et al. 2025, table 1: 70.272 kB and, of Llama 3.1 405B, 516.096 kB."""
    assert metrics(made(**preset("cache")))["token"] == 70272
    assert metrics(made(use="serving", model="Llama 3 405B"))["token"] == 516096


def test_what_does_not_fit_lacks_what_is_said_and_every_change_named_makes_it_fit() -> None:
    found = made()
    total = metrics(found)["total"]
    assert total > 80e9 and "It does not fit" in found["verdict"][0]
    assert metrics(found)["spare"] == pytest.approx(80e9 - total)
    names = [set(button["sets"]) - {"data"} for button in buttons(found)]
    assert {"zero"} in names and {"tensor"} in names
    for button in buttons(found):
        typed = {control.name: str(LAB.defaults()[control.name]) for control in LAB.controls} | button["sets"]
        assert metrics(frame(**read_inputs(LABS["memory"], typed)))["spare"] >= 0


@pytest.mark.parametrize("use", ["training", "serving"])
def test_an_offer_that_splits_otherwise_says_how_many_devices_it_takes(use: str) -> None:
    """By hand: t · c · d · p of the inputs once the button has set them."""
    given = {"use": use, "model": "Llama 3 70B", "data": 2, "tensor": 2}
    found = [button for button in buttons(made(**given)) if {"tensor", "context", "pipeline"} & set(button["sets"])]
    assert found
    for button in found:
        taken = LAB.defaults() | given | {name: int(text) for name, text in button["sets"].items() if text.isdigit()}
        devices = taken["tensor"] * taken["context"] * taken["data"] * taken["pipeline"]
        assert f", on {devices} devices, and needs " in button["says"]


def test_an_offer_on_the_same_devices_says_nothing_of_them() -> None:
    (zero,) = [button for button in buttons(made()) if set(button["sets"]) == {"zero"}]
    assert " devices" not in zero["says"]


def test_the_next_zero_stage_that_fits_is_the_one_named() -> None:
    rows = series(made(), "zero")
    fits = [row["sets"]["zero"] for row in rows if sum(row["values"]) <= 80e9]
    (button,) = [button for button in buttons(made()) if "zero" in button["sets"]]
    assert button["sets"]["zero"] == fits[0]


def test_where_no_single_change_is_enough_several_are_named_together() -> None:
    """The weights of 405 billion parameters on one device: no single input has them fit."""
    found = made(model="Llama 3 405B", data=1)
    (button,) = buttons(found)
    assert {"zero", "recompute", "tensor", "pipeline"} <= set(button["sets"])
    assert metrics(frame(**LAB.inputs({"model": "Llama 3 405B", "data": 1} | numbers(button["sets"]))))["spare"] >= 0


def numbers(sets: dict[str, str]) -> dict[str, Any]:
    return {name: text if name in ("zero", "recompute") else int(text) for name, text in sets.items()}


def test_an_impossible_plan_says_why_and_each_change_named_mends_it() -> None:
    for inputs in ({"tensor": 64}, {"expert": 4}, {"interleave": 2}, {"pipeline": 64}, {"context": 3, "tensor": 64}):
        found = made(**inputs)
        assert found["verdict"][0] == "This plan is impossible." and found["series"] == []
        assert metrics(found)["total"] is None
        assert buttons(found)
        for button in buttons(found):
            assert metrics(made(**inputs | numbers(button["sets"])))["total"] is not None


def test_serving_holds_weights_and_cache_alone() -> None:
    """Llama 3 70B on 8 tensor ranks: 70.6e9 · 2 / 8 bytes of weights; 8 kv heads of 128, 80 layers, 2 · 2 bytes."""
    found = metrics(made(use="serving", model="Llama 3 70B", tensor=8, tokens=8192, sequences=16))
    assert found["weights"] == pytest.approx(70.55e9 * 2 / 8, rel=0.001)
    assert found["cache"] == 2 * 2 * 8 * 128 * 80 * 8192 * 16 / 8
    assert found["room"] == (80e9 - found["weights"]) // (found["cache"] / 16)


def test_too_many_sequences_are_cut_to_those_that_fit() -> None:
    found = made(use="serving", sequences=4096)
    room = metrics(found)["room"]
    (button,) = [button for button in buttons(found) if "sequences" in button["sets"]]
    assert button["sets"] == {"sequences": str(room)}
    assert metrics(made(use="serving", sequences=room))["spare"] >= 0
    assert metrics(made(use="serving", sequences=room + 1))["spare"] < 0


def test_the_explorer_gets_the_plan() -> None:
    (link,) = [said for said in made(tensor=2)["verdict"] if "lab" in said]
    assert link["lab"] == "execution" and set(link["inputs"]) == {*SHARED, "uneven"}
    assert link["inputs"]["tensor"] == "2" and link["inputs"]["sequence_parallel"] == "on"
    assert link["inputs"]["uneven"] == "off"
    (link,) = [said for said in made(**preset("llama"))["verdict"] if "lab" in said]
    assert link["inputs"]["uneven"] == "on"  # 126 layers on 16 stages
    assert link["inputs"]["devices"] == "16384"  # and a DGX H100's reference cluster has 1,024


def test_the_code_gives_the_same_bytes() -> None:
    for inputs in ({}, *(dict(each.inputs) for each in LAB.presets if each.id != "cache")):
        ran = Ran(source(memory, LAB.inputs(inputs)))
        assert f"total={metrics(made(**inputs))['total']!r}" in ran.value
    assert Ran(source(memory, LAB.inputs(preset("cache")))).value == repr(metrics(made(**preset("cache")))["room"])


def test_serving_reads_nothing_of_training() -> None:
    serving = {"use": "serving", "pipeline": 1}
    assert made(**serving, interleave=2, accumulation=7) == made(**serving)
