"""The explorer where a device is looked at that the plan does not have: what is drawn, told and downloaded is one."""

import csv

from labs import execution
from labs.views.csv import csv_text
from tests.labs.parts.execution.explored import LAB, boxes, frame, table


def test_a_device_that_is_not_there_gives_the_last_one() -> None:
    inputs = LAB.inputs({"device": 16384})
    shown = execution.frame(**inputs)
    first, *_ = shown["verdict"]
    says = "Device 16,384 was asked for, and this plan has 2 devices, 0 to 1: shown is device 1, the last one."
    assert (first["says"], first["sets"]) == (says, {"device": "1"})
    assert boxes(shown)["mlp.up"]["mine"] == [1, 0, 0]
    assert table(shown, "device")["caption"].startswith("What device 1 holds")
    heads, numbers = csv.reader(csv_text(LAB, inputs, shown).splitlines()[1:3])
    assert numbers[heads.index("Device [1]")] == "1"
    assert shown | {"verdict": shown["verdict"][1:]} == frame(device=1)


def test_of_one_device_the_only_one_is_shown() -> None:
    first, *_ = frame(device=3, tensor=1)["verdict"]
    assert first["says"] == "Device 3 was asked for, and this plan has one device, 0: shown is device 0."


def test_of_an_impossible_plan_the_device_downloaded_is_the_one_drawn() -> None:
    inputs = LAB.inputs({"device": 5, "tensor": 3})
    shown = execution.frame(**inputs)
    heads, numbers = csv.reader(csv_text(LAB, inputs, shown).splitlines()[1:3])
    assert numbers[heads.index("Device [1]")] == "0"
    assert boxes(shown)["mlp.up"]["says"].startswith("Device 0: all of it")
    assert shown["notes"][0] == "Device 5 was asked for: shown is device 0, with the whole model."
