"""The Python text that gives a lab's frame: what it shows is what the lab shows."""

import doctest

import pytest

from labs import snippet
from labs.answer import compute
from labs.catalog import LABS
from labs.cell import source
from labs.model.collectives.ring import ring_all_reduce_time
from labs.snippet import literal
from tests.labs.reader import Ran


def time_of(frame):
    (time,) = [metric["value"] for metric in frame["metrics"] if metric["name"] == "time"]
    return time


@pytest.mark.parametrize("lab_id", LABS)
def test_the_code_of_every_frame_runs_and_shows_something(lab_id):
    lab = LABS[lab_id].LAB
    for changed in ({}, *(preset.inputs for preset in lab.presets)):
        ran = Ran(source(LABS[lab_id], lab.defaults() | dict(changed)))
        assert ran.reply["ok"], ran.reply["error"]
        assert ran.value or ran.text("stdout")


def test_the_code_of_the_ring_gives_its_time():
    lab = LABS["network"].LAB
    for changed in ({}, *(preset.inputs for preset in lab.presets)):
        inputs = lab.defaults() | dict(changed)
        frame = compute(LABS["network"], inputs)
        code = source(LABS["network"], inputs)
        result = code.rstrip("\n").rsplit("\n", 1)[1]
        assert Ran(f"{code}\n{result}.time").value == repr(time_of(frame))


def test_the_code_of_the_ring_is_a_call_of_the_model():
    code = source(LABS["network"], {"ranks": 32, "payload": 1e9, "bandwidth": 100e9, "latency": 5e-6})
    assert "from labs.model import " in code
    assert "    payload=1e9,  # M [byte]: 1 GB, buffer on each rank\n" in code
    ran = Ran(code)
    assert ran.value.startswith("RingAllReduce(steps=62, ")
    assert ran.text("stdout") == "62 steps in 19.685 ms\n"


@pytest.mark.parametrize(
    "inputs",
    [
        {"ranks": 1, "payload": 0, "bandwidth": 1e8, "latency": 0},
        {"ranks": 7, "payload": 1234567.5 * 1024, "bandwidth": 313e9 / 8, "latency": 1.7e-6},
        {"ranks": 65536, "payload": 1e12, "bandwidth": 1e13, "latency": 1e-2},
    ],
)
def test_the_code_holds_the_very_inputs(inputs):
    result = Ran(source(LABS["network"], inputs) + "\nring.time").value
    assert result == repr(ring_all_reduce_time(**inputs))


def test_a_lab_without_code_of_its_own_shows_the_call_of_its_frame(monkeypatch):
    monkeypatch.delattr(LABS["network"], "code")
    inputs = LABS["network"].LAB.defaults()
    code = source(LABS["network"], inputs)
    assert code.startswith("from labs.network import frame\n\nframe(\n    ranks=8,")
    assert repr(time_of(compute(LABS["network"], inputs))) in Ran(code).value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e8, "100e6"), (5e10, "50e9"), (5e-6, "5e-6"), (1e-7, "1e-7"), (67108864.0, "67108864.0"), (0.25, "0.25"),
        (8, "8"), (0.0, "0.0"), (1e12, "1e12"), (1 / 3, "0.3333333333333333"), (-2e9, "-2e9"), (1.7e-6, "1.7e-6"),
    ],
)  # fmt: skip
def test_numbers_are_short_and_exact(value, text):
    assert literal(value) == text
    assert eval(text) == value


def test_a_long_text_is_cut_and_says_so():
    code = source(LABS["calibrate"], LABS["calibrate"].LAB.defaults() | {"log": "8 " * 50_000})
    assert len(code) < 21_000 and "cut: 100,000 characters" in code
    assert Ran(code).value


def test_examples_are_true():
    result = doctest.testmod(snippet)
    assert result.attempted > 0 and result.failed == 0
