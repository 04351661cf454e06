"""The plans lab: the fastest is the fastest, every row is a plan that can be opened, every refusal is counted."""

from typing import Any

import pytest

from labs import execution, plans
from labs.answer import read_inputs
from labs.cell import source
from labs.model.machines.named import named_machine
from labs.model.plans.plan import Plan
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.search import search_plans
from labs.model.steps.step import step_time
from labs.model.transformers.named import named_model
from labs.parts.plans.views import plan_name
from labs.plans import LAB, SHOWN, frame
from tests.labs.reader import Ran


def made(**inputs: Any) -> dict[str, Any]:
    return frame(**LAB.inputs(inputs))


def metrics(found: dict[str, Any]) -> dict[str, Any]:
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def table(found: dict[str, Any], name: str) -> list[list[Any]]:
    (rows,) = [each["rows"] for each in found["tables"] if each["id"] == name]
    return rows


def whole(model: str, devices: int, batch: int) -> Any:
    return search_plans(
        model=named_model(name=model), machine=named_machine(name="DGX H100", devices=devices), global_batch=batch
    )


def test_the_first_is_the_fastest_of_all_plans_and_the_others_follow() -> None:
    every = whole("Llama 3 8B", 16, 128)
    found = made()
    assert metrics(found)["time"] == every.feasible[0].step.time
    assert [row[7] for row in table(found, "plans")] == [each.step.time for each in every.feasible[:SHOWN]]
    assert metrics(found)["tried"] == len(every.feasible) + len(every.refused)


def test_without_recomputation_the_share_of_the_peak_is_the_efficiency_of_the_arithmetic() -> None:
    found = made()
    assert "recompute" not in found["verdict"][0]
    (bars,) = found["series"]
    values = dict(zip((part["name"] for part in bars["parts"]), bars["rows"][0]["values"], strict=True))
    assert metrics(found)["utilization"] == pytest.approx(EFFICIENCY * values["arithmetic"] / metrics(found)["time"])
    assert sum(values.values()) == pytest.approx(metrics(found)["time"])


def test_each_row_opens_the_plan_that_it_tells_of() -> None:
    model, machine = named_model(name="Llama 3 8B"), named_machine(name="DGX H100", devices=16)
    for row in table(made(), "plans"):
        inputs = dict(row[0]["inputs"])
        assert (row[0]["lab"], inputs.pop("model"), inputs.pop("machine")) == ("execution", model.name, machine.name)
        assert inputs.pop("convention") == "mixed"
        switches = {name: inputs.pop(name) == "on" for name in ("sequence_parallel", "uneven", "replicate_kv")}
        recompute = inputs.pop("recompute")
        assert (inputs.pop("devices"), inputs.pop("sequence")) == ("16", "0")
        degrees = {name: int(text) for name, text in inputs.items()}
        plan = Plan(**degrees, **switches, recompute=recompute)
        assert (plan.devices, plan.global_batch, row[0]["text"]) == (16, 128, plan_name(plan))
        assert step_time(model=model, plan=plan, machine=machine).time == row[7]


def test_refusals_are_counted_by_reason_with_an_example() -> None:
    found = made(model="GPT 1.3B", devices=64, batch=8)
    rows = table(found, "refused")
    assert sum(row[1] for row in rows) == metrics(found)["refused"] == len(whole("GPT 1.3B", 64, 8).refused)
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)
    assert all(row[3].startswith(row[0]) for row in rows)
    assert not any(mark.isdigit() for row in rows for mark in row[0] if "GB" not in row[0])


def test_a_machine_without_room_for_the_model_says_so() -> None:
    """671e9 parameters at 16 bytes are 10.7 TB; 16 devices have 1.28 TB."""
    found = made(model="DeepSeek-V3")
    assert metrics(found)["time"] is None and found["verdict"][0].startswith("None of the ")
    assert any("80 GB on a device" in row[3] for row in table(found, "refused"))
    (offer,) = found["verdict"][1:]
    devices = int(offer["sets"]["devices"])
    assert devices * 80e9 > 10.7e12
    assert metrics(made(model="DeepSeek-V3", devices=devices))["time"]
    assert metrics(made(model="DeepSeek-V3", devices=devices // 2))["time"] is None


def test_devices_that_do_not_fill_racks_are_refused_with_those_that_do() -> None:
    found = made(machine="GB200 NVL72", devices=128)
    assert "expected devices in whole groups of 72 on GB200 NVL72, found 128" in found["verdict"][0]
    assert [said["sets"]["devices"] for said in found["verdict"][1:]] == ["72", "144"]


def test_a_batch_that_replicas_do_not_share_is_refused_with_one_that_they_do() -> None:
    """72 devices make 1, 2, 3, … replicas with 9 in some degree, and 9 divides neither 128 nor 32 layers."""
    found = made(machine="GB200 NVL72", devices=72)
    assert metrics(found)["time"] is None
    assert [said["sets"] for said in found["verdict"][1:]] == [{"batch": "144"}]  # more racks would not help
    assert metrics(made(machine="GB200 NVL72", devices=72, batch=144))["time"]


@pytest.mark.parametrize("over", [{"devices": 1000}, {"model": "Llama 3 405B", "devices": 16}, {"devices": 1}])
def test_what_is_offered_where_no_plan_is_possible_leads_to_one(over) -> None:
    found = made(**over)
    assert metrics(found)["time"] is None
    for offer in found["verdict"][1:]:
        assert metrics(made(**over | {name: int(text) for name, text in offer["sets"].items()}))["time"]


def test_a_sequence_of_another_length_is_searched_and_said() -> None:
    """Half as long a sequence is half as many tokens, and less than half the work: attention grows with its square."""
    whole, half = made(), made(sequence=4096)
    assert metrics(half)["time"] < metrics(whole)["time"] / 2
    assert whole["notes"][-1] == "Sequences are of 8,192 tokens."
    assert half["notes"][-1] == "Sequences are of 4,096 tokens."


def test_what_a_plan_is_called() -> None:
    assert plan_name(Plan(tensor=8, pipeline=4, data=2)) == "t8 p4 d2"
    assert plan_name(Plan(pipeline=16, data=2, uneven=True)) == "p16 d2, uneven"
    assert plan_name(Plan()) == "one device"


def test_uneven_stages_are_among_the_plans_where_layers_are_a_prime() -> None:
    """61 layers have no divisor; the explorer shows that 16 stages are possible, and what they take."""
    asked = {"model": "DeepSeek-V3", "devices": 2048, "batch": 15360, "convention": "megatron-bf16"}
    found = made(**asked)
    uneven = [row for row in table(found, "plans") if row[0]["text"].endswith(", uneven")]
    for row in uneven[:3]:
        explorer = metrics(execution.frame(**read_inputs(execution, row[0]["inputs"])))
        assert (explorer["memory"], explorer["step_time"]) == (row[6], row[7])
    other = uneven[0][0]["inputs"] | {
        "tensor": "1", "sequence_parallel": "off", "pipeline": "16", "data": "128", "expert": "8", "zero": "1",
        "microbatch": "1", "accumulation": "120", "recompute": "full",
    }  # fmt: skip
    explorer = metrics(execution.frame(**read_inputs(execution, other)))
    assert explorer["memory"] < 80e9 and metrics(found)["time"] <= explorer["step_time"]
    assert any(note.startswith("Uneven stages are timed as if") for note in found["notes"])


def test_it_is_said_what_was_tried_and_no_more() -> None:
    found = made()
    tried = metrics(found)["tried"]
    assert found["verdict"][0].startswith(f"The fastest of the {tried} plans tried is ")
    assert "16 sequences" in found["notes"][0] and "selective recomputation would spare nothing" in found["notes"][0]
    left = tried - SHOWN - metrics(found)["refused"]
    assert f"{left} of them are no faster than these, whether they fit or not." in found["notes"]


def test_a_plan_with_copied_heads_opens_as_it_is() -> None:
    """Llama 3 8B has 8 key and value heads. One sequence leaves 16 devices nothing but tensor ranks and stages."""
    rows = table(made(devices=16, batch=1), "plans")
    copied = [row for row in rows if row[0]["inputs"]["replicate_kv"] == "on"]
    assert {row[0]["inputs"]["tensor"] for row in copied} == {"16"}
    for row in copied:
        assert metrics(execution.frame(**read_inputs(execution, row[0]["inputs"])))["step_time"] == row[7]


def test_the_code_finds_the_same_plan() -> None:
    assert f"time={metrics(made())['time']!r}" in Ran(source(plans, LAB.defaults())).value


def test_the_convention_is_in_the_time_and_what_it_does_not_change_is_said() -> None:
    """Gradients of 4 byte take no less time than those of 2, and a note says that the arithmetic stays of 16 bits."""
    wide, narrow = (made(convention=name) for name in ("fp32", "bf16"))
    assert any("16-bit arithmetic" in note for note in wide["notes"])
    assert not any("16-bit arithmetic" in note for note in narrow["notes"])
    assert metrics(wide)["time"] > metrics(narrow)["time"]
