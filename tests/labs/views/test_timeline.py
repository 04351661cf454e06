"""Timelines: spans stand at their times, in their rows."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.views.csv import csv_text
from labs.views.drawing import WIDTH
from labs.views.timeline import BOX, LEFT, PITCH, RIGHT
from tests.labs.views.drawn import SVG, clashes, figure, finite, picture, texts


def chart(
    *rows: tuple[str, list[tuple[float, float, str]]], parts: tuple[str, ...] = ("forward", "backward")
) -> dict[str, Any]:
    return {
        "kind": "timeline",
        "id": "t",
        "title": "A schedule",
        "row": "stage",
        "x": {"label": "Time", "unit": "s"},
        "parts": [
            {"name": part, "label": part, "kind": kind} for part, kind in zip(parts, ("pipeline", "data"), strict=False)
        ],
        "rows": [
            {"label": label, "spans": [{"part": parts[0], "label": words, "from": a, "to": b} for a, b, words in spans]}
            for label, spans in rows
        ],
    }


def boxes(series: dict[str, Any]) -> list[dict[str, float]]:
    found = [rect.attrib for rect in picture(series).iter(f"{SVG}rect") if rect.get("height") == f"{BOX - 1:.1f}"]
    return [{name: float(rect[name]) for name in ("x", "y", "width")} for rect in found]


def test_spans_stand_at_their_times_and_in_their_rows() -> None:
    one, other = boxes(chart(("stage 0", [(0, 4, "F1")]), ("stage 1", [(5, 10, "F1")])))
    room = RIGHT - LEFT
    assert (one["x"] - 0.5, one["width"] + 1) == pytest.approx((LEFT, room * 0.4), abs=0.2)
    assert (other["x"] - 0.5, other["width"] + 1) == pytest.approx((LEFT + room / 2, room / 2), abs=0.2)
    assert other["y"] - one["y"] == PITCH


def test_a_name_stands_in_its_span_where_there_is_room() -> None:
    words = [text.words for text in texts(picture(chart(("stage 0", [(0, 9.9, "F1"), (9.9, 10, "F2")]))))]
    assert "F1" in words
    assert "F2" not in words


def test_rows_of_numbers_say_which_from_and_to() -> None:
    found = figure(chart(("stage 0", [(0, 4e-3, "F1"), (4e-3, 5e-3, "")])))
    assert [head.text for head in found.findall(".//thead//th")] == ["stage", "part", "from", "to", "takes"]
    rows = [[cell.text for cell in row] for row in found.findall(".//tbody/tr")]
    assert rows == [["stage 0", "F1", "0 s", "4 ms", "4 ms"], ["stage 0", "forward", "4 ms", "5 ms", "1 ms"]]
    assert picture(chart(("stage 0", [(0, 4e-3, "F1")]))).attrib["aria-label"] == "A schedule. 1 rows, until 4 ms."


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="expected spans that end after they begin"):
        picture(chart(("stage 0", [(2, 1, "")])))


@pytest.mark.parametrize("series", [chart(), chart(("stage 0", [])), chart(("stage 0", [(3, 3, "F")]))])
def test_nothing_and_an_instant_are_drawn(series: dict[str, Any]) -> None:
    assert finite(series)
    assert clashes(picture(series)) == []


def test_its_numbers_are_csv_too() -> None:
    from labs.lab import Lab

    lab = Lab(id="l", title="L", scope="", controls=())
    text = csv_text(lab, {}, {"metrics": [], "tables": [], "series": [chart(("stage 0", [(0, 4e-3, "F1")]))]})
    assert "A schedule\nstage,part,label,from [s],to [s]\nstage 0,forward,F1,0,0.004\n" in text


SPANS = st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6), st.sampled_from(["", "F1", "B12", "W"])), max_size=6)


@given(st.lists(st.tuples(st.text(alphabet="abc 0123456789", min_size=1, max_size=30), SPANS), max_size=8))
@settings(max_examples=150, deadline=None)
def test_no_name_touches_another_or_leaves_the_picture(rows: list[tuple[str, Any]]) -> None:
    # Rows one after another in time, so that spans of a row do not lie on each other.
    apart = [(label, sorted((min(a, b), max(a, b), words) for a, b, words in spans)[:1]) for label, spans in rows]
    series = chart(*apart)
    assert finite(series)
    assert clashes(picture(series)) == []


def test_a_wide_one_has_twice_the_width_and_the_readout_its_own_words() -> None:
    series = chart(("compute", [(0, 10, "7")])) | {"wide": True}
    series["rows"][0]["spans"][0]["says"] = "backward 7"
    drawn = picture(series)
    assert float(drawn.attrib["viewBox"].split()[2]) == 2 * WIDTH
    (box,) = boxes(series)
    assert box["x"] + box["width"] == pytest.approx(RIGHT + WIDTH, abs=1)
    (row,) = figure(series).findall(".//tbody/tr")
    assert [cell.text for cell in row][:2] == ["compute", "backward 7"]
