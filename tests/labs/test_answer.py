"""The one door between page and Python: JSON text in, JSON text out."""

import json

import pytest

from labs.answer import answer, shown_input
from labs.catalog import LABS
from labs.lab import Control

TYPED = {"ranks": "32", "payload": "1 GB", "bandwidth": "100 GB/s", "latency": "5 µs"}


def asked(lab: object = "network", **inputs: object) -> dict:
    return json.loads(answer(json.dumps({"id": 7, "lab": lab, "inputs": TYPED | inputs, "numbers": True})) or "")


def metric(reply: dict, name: str) -> object:
    return next(m["value"] for m in reply["frame"]["metrics"] if m["name"] == name)


def test_the_published_case() -> None:
    # 2(p−1)(α + M/(pB)) = 62 · (5 µs + 1 GB / (32 · 100 GB/s)) = 62 · 317.5 µs
    reply = asked()
    assert (reply["id"], reply["ok"]) == (7, True)
    assert metric(reply, "time") == pytest.approx(0.019685, rel=1e-12)
    assert 'data-metric="time" data-value="0.019685" data-unit="s">19.685 ms</output>' in reply["html"]
    assert reply["summary"].startswith("Time 19.685 ms;")


def test_typed_units_are_read_and_shown() -> None:
    reply = asked(payload="64 MiB", bandwidth="400 Gb/s", latency="5us")
    assert reply["inputs"]["payload"]["value"] == 64 * 2**20
    assert reply["inputs"]["bandwidth"]["value"] == 50e9
    assert reply["inputs"]["bandwidth"]["text"] == "50 GB/s"
    assert reply["inputs"]["latency"] == {"value": pytest.approx(5e-6, rel=1e-15), "text": "5 µs"}
    assert reply["inputs"]["ranks"] == {"value": 32, "text": "32"}


def test_one_rank_sends_nothing_and_has_no_bandwidth() -> None:
    reply = asked(ranks="1")
    assert metric(reply, "time") == 0
    assert metric(reply, "algorithm_bandwidth") is None
    assert 'data-metric="time" data-value="0.0" data-unit="s">0 s</output>' in reply["html"]


@pytest.mark.parametrize(
    ("inputs", "control", "message"),
    [
        ({"ranks": "0"}, "ranks", "expected ranks >= 1, found 0"),
        ({"bandwidth": "0"}, "bandwidth", "expected bandwidth > 0 byte/s, found 0 byte/s"),
    ],
)
def test_a_refused_input_names_its_control(inputs: dict, control: str, message: str) -> None:
    reply = asked(**inputs)
    assert reply == {"id": 7, "lab": "network", "ok": False, "control": control, "message": message}


@pytest.mark.parametrize("typed", ["", "two", "5 GB", "nan", "1e999", "<b>8</b>", "8 ranks too many", "2.5"])
def test_ranks_that_are_no_count_are_refused_at_the_control(typed: str) -> None:
    reply = asked(ranks=typed)
    assert (reply["ok"], reply["control"]) == (False, "ranks")
    assert reply["message"].startswith("expected ")


def test_unknown_names_are_refused() -> None:
    assert asked("nework")["message"] == f"expected one of the labs {', '.join(LABS)}, found nework"
    assert asked(size="3")["message"] == "expected one of ranks, payload, bandwidth, latency, step, compare, found size"


@pytest.mark.parametrize(
    "typed",
    [
        *({"ranks": "1"}, {"payload": "0"}, {"latency": "0"}, {"payload": "0", "latency": "0"}),
        *({"ranks": "1000000"}, {"payload": "1e15"}, {"bandwidth": "1"}, {"latency": "1000 s"}),
    ],
)
def test_the_ends_of_the_range_still_draw_a_whole_frame(typed: dict) -> None:
    html = asked(**typed)["html"]
    assert html.count("<output") == 6
    assert "NaN" not in html and "inf" not in html.replace("info", "")


def test_the_page_gets_the_numbers_once_as_it_shows_them() -> None:
    reply = json.loads(answer(json.dumps({"id": 7, "lab": "network", "inputs": TYPED})))
    assert "frame" not in reply
    assert {name: value for name, value in asked().items() if name != "frame"} == reply


def test_a_name_that_is_no_name_is_refused_at_its_field() -> None:
    request = {"id": 1, "lab": "execution", "inputs": {"selected": "x" * 201}}
    reply = json.loads(answer(json.dumps(request)) or "")
    assert (reply["ok"], reply["control"]) == (False, "selected")
    assert reply["message"] == "expected at most 200 characters, found 201"


def test_a_time_that_minutes_do_not_hold_is_shown_in_seconds() -> None:
    control = Control(name="t", label="Time", symbol="t", unit="s", default=1000.0, stops=(60.0, 1000.0, 7200.0))
    assert [shown_input(control, stop) for stop in control.stops] == ["60 s", "1000 s", "120 min"]
