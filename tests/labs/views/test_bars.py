"""Bars: their lengths, their parts, their names."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.network import LAB, frame
from labs.views.bars import BAR, LEFT, RIGHT
from tests.labs.views.drawn import SVG, clashes, figure, finite, picture, texts

ROOM = RIGHT - LEFT


def chart(*rows: tuple[str, list[float]], parts: tuple[str, ...] = ("one", "other"), now: int = 0) -> dict[str, Any]:
    return {
        "kind": "bars",
        "id": "b",
        "title": "Bars",
        "row": "case",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "parts": [{"name": part, "label": part} for part in parts],
        "rows": [{"label": label, "values": values, "now": i == now} for i, (label, values) in enumerate(rows)],
    }


def rectangles(series: dict[str, Any]) -> list[tuple[float, float]]:
    """Return where each bar's part begins and how wide it is; its outline lies half a unit within."""
    found = [rect.attrib for rect in picture(series).iter(f"{SVG}rect") if rect.get("height") == f"{BAR - 1:.1f}"]
    return [(float(rect["x"]) - 0.5, float(rect["width"]) + 1) for rect in found]


def test_parts_stand_end_to_end_and_are_as_long_as_their_values() -> None:
    first, second, whole = rectangles(chart(("a", [1, 3]), ("b", [2, 0])))
    assert first == pytest.approx((LEFT, ROOM / 4), abs=0.2)
    assert second == pytest.approx((LEFT + ROOM / 4, ROOM * 3 / 4), abs=0.2)
    assert whole == pytest.approx((LEFT, ROOM / 2), abs=0.2)  # and nothing for the part that is zero


def test_bars_of_one_part_need_no_key_and_no_total() -> None:
    found = figure(chart(("a", [1]), ("b", [0.5]), parts=("only",)))
    assert [head.text for head in found.findall(".//thead//th")] == ["case", "only"]
    assert "only" not in [text.words for text in texts(picture(chart(("a", [1]), parts=("only",))))]


def test_each_bar_has_its_name_and_its_total() -> None:
    series = chart(("first", [0.001, 0.0025]), ("second", [0.002, 0]))
    words = [text.words for text in texts(picture(series))]
    assert {"first", "3.5 ms", "second", "2 ms", "one", "other"} <= set(words)
    rows = [[cell.text for cell in row] for row in figure(series).findall(".//tbody/tr")]
    assert rows == [["first", "1 ms", "2.5 ms", "3.5 ms"], ["second", "2 ms", "0 s", "2 ms"]]
    assert picture(series).attrib["aria-label"] == "Bars. first 3.5 ms; second 2 ms"


def test_the_axis_has_one_unit_beside_its_name() -> None:
    words = [text.words for text in texts(picture(chart(("a", [0.004, 0]))))]
    assert "Time T (ms)" in words
    assert {"0", "1", "2", "3", "4"} <= set(words)


def test_the_current_one_is_marked_in_the_picture_and_in_the_table() -> None:
    series = chart(("a", [1, 1]), ("b", [2, 1]), now=1)
    bold = [text.text for text in picture(series).iter(f"{SVG}text") if text.get("font-weight")]
    assert bold == ["b", "3 s"]
    assert [row.get("class") for row in figure(series).findall(".//tbody/tr")] == [None, "lab-now"]


def test_a_value_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="chart b: expected values >= 0"):
        picture(chart(("a", [1, -1])))


@pytest.mark.parametrize(
    "series", [chart(), chart(("a", [0, 0])), chart(("a", [0, 0]), ("b", [0, 0])), chart(("a", [0]), parts=("p",))]
)
def test_nothing_and_zeros_are_drawn(series: dict[str, Any]) -> None:
    assert finite(series)
    assert clashes(picture(series)) == []
    assert rectangles(series) == []


def test_the_ring_with_twice_the_bandwidth_has_half_the_bandwidth_term() -> None:
    (series,) = [one for one in frame(**LAB.defaults())["series"] if one["id"] == "changes"]  # type: ignore[arg-type]
    now, startup, bandwidth, payload, ranks = (row["values"] for row in series["rows"])
    # 14 · 5 µs and 1.75 · 100 MB / 50 GB/s; over 4 ranks 6 · 5 µs and 1.5 · 2 ms
    assert now == pytest.approx([70e-6, 3.5e-3], rel=1e-12)
    assert startup == pytest.approx([35e-6, 3.5e-3], rel=1e-12)
    assert bandwidth == pytest.approx([70e-6, 1.75e-3], rel=1e-12)
    assert payload == pytest.approx([70e-6, 1.75e-3], rel=1e-12)
    assert ranks == pytest.approx([30e-6, 3e-3], rel=1e-12)


LABELS = st.text(alphabet="abcdefghij klmnop", min_size=1, max_size=60)


@given(
    st.lists(LABELS, min_size=1, max_size=8, unique=True),
    st.lists(st.tuples(LABELS, st.floats(0, 1e307)), max_size=8),
)
@settings(max_examples=150, deadline=None)
def test_no_name_touches_another_or_leaves_the_picture(parts: list[str], rows: list[tuple[str, float]]) -> None:
    series = chart(*((label, [value / len(parts)] * len(parts)) for label, value in rows), parts=tuple(parts))
    assert finite(series)
    assert clashes(picture(series)) == []


def test_a_limit_is_a_line_at_its_value_with_its_name_even_beyond_all_bars() -> None:
    series = chart(("a", [1, 1])) | {"limit": {"label": "a device has", "value": 4}}
    drawn = picture(series)
    assert "a device has 4 s" in [text.words for text in texts(drawn)]
    (line,) = [path.attrib["d"] for path in drawn.iter(f"{SVG}path") if path.get("stroke-width") == "2"]
    assert [float(piece.split()[0]) for piece in line.split("M")[1:]] == pytest.approx([RIGHT, RIGHT], abs=0.1)
    assert rectangles(series)[0] == pytest.approx((LEFT, ROOM / 4), abs=0.2)


def test_a_press_on_a_bar_fills_what_its_row_sets() -> None:
    series = chart(("a", [1, 1]), ("b", [2, 1]))
    series["rows"][1]["sets"] = {"zero": "1"}
    first, second = figure(series).findall(".//tbody/tr")
    assert (first.get("data-sets"), second.get("data-sets")) == (None, '{"zero": "1"}')
