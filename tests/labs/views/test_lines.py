"""Line charts: where values stand, that names touch nothing, that text stays text."""

import json
from math import log10
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.model.quantities.errors import ModelError
from labs.network import LAB, frame
from labs.views.chart import chart_html
from labs.views.lines import BOTTOM, HEIGHT, LEFT, RIGHT, TOP
from tests.labs.views.drawn import SVG, clashes, curves, figure, finite, picture, points, texts

LINEAR = {"label": "X", "unit": "1", "scale": "linear"}
LOG = {"label": "Y", "unit": "s", "scale": "log"}


def chart(
    *lines: list[tuple[float, float]], x: dict[str, Any] = LINEAR, y: dict[str, Any] = LOG, **more: Any
) -> dict[str, Any]:
    named = [{"name": f"l{i}", "label": f"line {i}", "points": points} for i, points in enumerate(lines)]
    return {"kind": "lines", "id": "c", "title": "A chart", "x": x, "y": y, "lines": named} | more


def ring(which: int, **inputs: float) -> dict[str, Any]:
    found = frame(**LAB.defaults() | inputs)["series"]  # type: ignore[arg-type]
    lines: dict[str, Any] = [series for series in found if series["kind"] == "lines"][which]
    return lines


def test_values_stand_where_their_axes_say() -> None:
    (path,) = curves(picture(chart([(0, 1e-3), (5, 1e-2), (10, 1e-1)])))
    middle = (LEFT + RIGHT) / 2
    assert points(path) == [(LEFT, BOTTOM), (middle, (TOP + BOTTOM) / 2), (RIGHT, TOP)]


def test_a_linear_axis_of_values_begins_at_zero() -> None:
    (path,) = curves(picture(chart([(0, 1), (1, 3)], y={"label": "Y", "unit": "1", "scale": "linear"})))
    assert points(path) == [(LEFT, BOTTOM - (BOTTOM - TOP) / 3), (RIGHT, TOP)]


def test_the_ring_bends_as_the_formula_does() -> None:
    # T = 70 µs + 35 ps/byte · M, from 1 kB to 100 GB
    time, latency, bandwidth = curves(picture(ring(0)))
    low, high = -8, 1  # whole decades around 35 ns and 3.5 s

    def up(seconds: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (log10(seconds) - low) / (high - low)

    assert points(latency)[0][1] == points(latency)[-1][1] == pytest.approx(up(70e-6), abs=0.06)
    assert points(bandwidth)[0] == pytest.approx((LEFT, up(35e-9)), abs=0.06)
    assert points(time)[-1] == pytest.approx((RIGHT, up(3.50007)), abs=0.06)


def test_the_current_point_stands_where_its_values_are() -> None:
    circle = picture(ring(0)).find(f"{SVG}circle")
    assert circle is not None
    # payload 100 MB on an axis from 1 kB to 100 GB: five of eight decades
    assert float(circle.attrib["cx"]) == pytest.approx(LEFT + (RIGHT - LEFT) * 5 / 8, abs=0.06)
    assert TOP < float(circle.attrib["cy"]) < BOTTOM


def test_ranks_double_along_the_axis() -> None:
    svg = picture(ring(1))
    named = [text.words for text in texts(svg) if abs(text.bottom - (BOTTOM + 22 + 2.8)) < 0.1]
    assert named == ["8", "64", "512", "4096", "32768"]
    circle = svg.find(f"{SVG}circle")
    assert circle is not None
    # 8 ranks on an axis from 2 to 65,536: two of fifteen doublings
    assert float(circle.attrib["cx"]) == pytest.approx(LEFT + (RIGHT - LEFT) * 2 / 15, abs=0.06)


def test_regions_meet_at_the_crossover_and_have_names() -> None:
    svg = picture(ring(0))
    wash = svg.find(f"{SVG}rect")
    assert wash is not None
    # p α B = 2 MB: 3.301 of eight decades
    assert float(wash.attrib["width"]) == pytest.approx((RIGHT - LEFT) * (log10(2e6) - 3) / 8, abs=0.1)
    boxes = {text.words: text for text in texts(svg)}
    edge = LEFT + float(wash.attrib["width"])
    assert boxes["latency-bound"].right < edge < boxes["bandwidth-bound"].left


def test_it_is_named_with_the_value_at_the_point() -> None:
    svg = picture(ring(0))
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s = 70 µs + 3.5 ms
    assert svg.attrib["aria-label"] == "Time against payload. At payload 100 MB: 3.57 ms."
    assert svg.attrib["role"] == "img"


def test_the_picture_has_one_size_whatever_it_shows() -> None:
    assert {picture(series).attrib["viewBox"] for series in (ring(0), ring(1, ranks=3), chart(), chart([(1, 1)]))} == {
        f"0 0 480 {HEIGHT}"
    }


def test_the_table_holds_what_is_drawn_and_says_where_it_stands() -> None:
    found = figure(chart([(0, 1e-3), (10, 1e-1)], [(0, 0.0), (5, 1e-2)]))
    rows = [[cell.text for cell in row] for row in found.findall(".//tbody/tr")]
    assert rows == [["0", "1 ms", "0 s"], ["5", "—", "10 ms"], ["10", "100 ms", "—"]]
    places = [row.attrib["data-at"] for row in found.findall(".//tbody/tr")]
    middle, half = f"{(LEFT + RIGHT) / 2:.1f}", f"{(TOP + BOTTOM) / 2:.1f}"
    assert places == [f"{LEFT}.0 {BOTTOM}.0 -", f"{middle} - {half}", f"{RIGHT}.0 {TOP}.0 -"]


def test_the_readout_and_the_cursor_rest_at_the_current_point() -> None:
    found = figure(ring(0))
    assert [value.text for value in found.findall(".//p/span/strong")] == ["100 MB", "3.57 ms", "70 µs", "3.5 ms"]
    cursor = found.find(".//input")
    assert cursor is not None
    assert cursor.attrib["aria-valuetext"] == "Payload 100 MB, time 3.57 ms, latency term 70 µs, bandwidth term 3.5 ms"
    now = found.findall(".//tbody/tr")[int(cursor.attrib["value"])]
    assert (now[0].text, now.attrib["class"]) == ("100 MB", "lab-now")


@pytest.mark.parametrize(
    "series",
    [chart(), chart([]), chart([(1, 1)]), chart([(1, 0)]), chart([(1, 0), (2, 0)]), chart([(3, 5), (3, 5)])],
    ids=["no line", "no point", "one point", "one zero", "zeros", "twice the same"],
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_next_to_nothing_is_drawn_as_well(series: dict[str, Any], scale: str) -> None:
    for way in (series, series | {"y": LOG | {"scale": scale}, "x": LINEAR | {"scale": scale}}):
        assert finite(way)
        assert clashes(picture(way)) == []


def test_zeros_on_a_log_axis_are_said_in_words() -> None:
    assert "nothing above zero to draw" in [text.words for text in texts(picture(ring(0, ranks=1)))]


def test_text_is_escaped() -> None:
    hostile = '<script>"&'
    series = chart([(1, 1), (2, 2)], id=hostile, title=hostile, regions=[{"label": hostile, "from": 1, "to": 2}])
    series["lines"][0]["label"] = series["x"] = LINEAR | {"label": hostile}
    series["lines"][0]["label"] = hostile
    assert "<script" not in chart_html(series)
    assert figure(series).find("figcaption").text == hostile  # type: ignore[union-attr]


def test_a_kind_of_parallelism_has_its_colour() -> None:
    series = chart([(1, 1), (2, 2)])
    series["lines"][0]["kind"] = "expert"
    (path,) = curves(picture(series))
    assert path.attrib["stroke"] == "var(--atlas-expert, #7f6640)"


INPUTS = st.fixed_dictionaries(
    {
        "ranks": st.integers(1, 2_000_000),
        "payload": st.one_of(st.just(0.0), st.floats(-3, 18).map(lambda power: 10**power)),
        "bandwidth": st.floats(0, 18).map(lambda power: 10**power),
        "latency": st.one_of(st.just(0.0), st.floats(-12, 4).map(lambda power: 10**power)),
    }
)


@given(INPUTS)
@settings(max_examples=150, deadline=None)
def test_no_name_touches_another_or_leaves_the_picture(inputs: dict[str, Any]) -> None:
    for series in frame(**inputs)["series"]:
        assert finite(series)
        assert clashes(picture(series)) == [], (series["id"], inputs)


ANY_SIZE = st.floats(-323, 308).map(lambda power: 10**power)


@given(ANY_SIZE, ANY_SIZE, ANY_SIZE, st.one_of(st.integers(1, 10**6), st.integers(1, 10**300)))
@settings(max_examples=300, deadline=None)
def test_what_the_model_takes_is_drawn(payload: float, bandwidth: float, latency: float, ranks: int) -> None:
    try:
        found = frame(ranks=ranks, payload=payload, bandwidth=bandwidth, latency=latency)
    except ModelError:
        return
    for series in found["series"]:
        assert finite(series)
        json.dumps(series, allow_nan=False)


@given(
    st.lists(st.lists(st.tuples(st.floats(0, 1e308), st.floats(0, 1e308)), max_size=6), max_size=6),
    st.sampled_from(["linear", "log"]),
    st.sampled_from(["linear", "log"]),
)
@settings(max_examples=150, deadline=None)
def test_nor_do_they_in_any_other_chart(lines: list[list[tuple[float, float]]], across: str, along: str) -> None:
    series = chart(*map(sorted, lines), x=LINEAR | {"scale": across}, y=LOG | {"scale": along})
    assert finite(series)
    assert clashes(picture(series)) == []


def test_a_long_name_is_set_smaller_and_stays_inside() -> None:
    series = chart([(1, 1), (2, 2)])
    series["lines"][0]["label"] = "a name of a line that is much longer than its room"
    assert clashes(picture(series)) == []
