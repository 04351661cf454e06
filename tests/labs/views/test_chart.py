"""The chart as SVG text: where values stand, what ticks say, and that text stays text."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from labs.network import LAB, frame
from labs.views.chart import BOTTOM, LEFT, RIGHT, TOP, chart_html
from labs.views.scale import Axis

SVG = "{http://www.w3.org/2000/svg}"


def drawn(**inputs: float) -> ElementTree.Element:
    html = chart_html(frame(**LAB.defaults() | inputs)["series"][0])
    return ElementTree.fromstring(html)


def test_a_log_axis_gives_each_decade_the_same_room() -> None:
    axis = Axis(1, 1000, 0, 300, log=True, unit="byte")
    assert [axis.place(v) for v in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])
    assert axis.ticks() == [(1, "1 byte"), (10, "10 byte"), (100, "100 byte"), (1000, "1 kB")]


def test_a_linear_axis_has_round_steps() -> None:
    axis = Axis(0, 10, 0, 100, log=False, unit="1")
    assert [label for _, label in axis.ticks()] == ["0", "2", "4", "6", "8", "10"]
    assert axis.place(5) == 50


def test_the_current_point_stands_where_its_values_are() -> None:
    circle = drawn().find(f".//{SVG}circle")
    assert circle is not None
    # payload 100 MB on an axis from 1 kB to 100 GB: five of eight decades
    assert float(circle.attrib["cx"]) == pytest.approx(LEFT + (RIGHT - LEFT) * 5 / 8, abs=0.1)
    assert TOP < float(circle.attrib["cy"]) < BOTTOM


def test_it_is_named_with_the_value_at_the_point() -> None:
    svg = drawn().find(f"{SVG}svg")
    assert svg is not None
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s = 70 µs + 3.5 ms
    assert svg.attrib["aria-label"] == "Time against payload. At payload 100 MB: 3.57 ms."


@pytest.mark.parametrize("inputs", [{"ranks": 1}, {"payload": 0}, {"latency": 0}, {"ranks": 1, "latency": 0}])
def test_degenerate_inputs_still_draw(inputs: dict[str, float]) -> None:
    for path in drawn(**inputs).iter(f"{SVG}path"):
        assert "nan" not in path.attrib["d"] and "inf" not in path.attrib["d"]


def test_names_of_lines_do_not_touch() -> None:
    for inputs in ({}, {"latency": 0}, {"latency": 1e-2}, {"ranks": 65536}):
        heights = sorted(
            float(text.attrib["y"]) for text in drawn(**inputs).iter(f"{SVG}text") if float(text.attrib["x"]) > RIGHT
        )
        assert all(b - a >= 19 for a, b in pairwise(heights))


def test_text_is_escaped() -> None:
    series = frame(**LAB.defaults())["series"][0] | {"title": '<script>"&'}
    assert "<script>" not in chart_html(series)
    ElementTree.fromstring(chart_html(series))
