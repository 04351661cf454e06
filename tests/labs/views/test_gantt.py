"""Schedules of many operations: boxes at their times in their rows, words where they have room."""

import re
from typing import Any

import pytest

from labs.views.csv import csv_text
from labs.views.gantt import BOX, LEFT, PITCH, RIGHT, SHADES
from tests.labs.views.drawn import SVG, figure, picture


def chart(*rows: list[tuple[str, str, float, float]]) -> dict[str, Any]:
    return {
        "kind": "gantt",
        "id": "g",
        "title": "A schedule",
        "row": "stage",
        "x": {"label": "Time", "unit": "s"},
        "parts": [
            {"name": "F", "label": "forward", "shade": "light"},
            {"name": "W", "label": "weights", "shade": "dark"},
        ],
        "columns": [{"label": "idle", "unit": "s"}],
        "rows": [{"label": f"stage {i}", "values": [i], "spans": spans} for i, spans in enumerate(rows)],
    }


def boxes(series: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Return left, top and width of each box."""
    paths = [path.attrib["d"] for path in picture(series).iter(f"{SVG}path")]
    found = re.findall(rf"M([\d.]+) ([\d.]+)h([\d.]+)v{BOX}h-[\d.]+z", "".join(paths))
    return [(float(x), float(y), float(width)) for x, y, width in found]


def test_boxes_stand_at_their_times_and_in_their_rows() -> None:
    room = RIGHT - LEFT
    one, two, three = boxes(chart([("F", "0", 0, 4), ("W", "0", 5, 10)], [("F", "0", 4, 8)]))
    assert one == (LEFT, pytest.approx(30 + PITCH - BOX), pytest.approx(0.4 * room, abs=0.1))
    assert two == (pytest.approx(LEFT + room / 2, abs=0.1), one[1], pytest.approx(room / 2, abs=0.1))
    assert three == (pytest.approx(LEFT + 0.4 * room, abs=0.1), one[1] + PITCH, one[2])


def test_words_stand_only_where_they_have_room() -> None:
    found = picture(chart([("F", "10", 0, 1), ("F", "11", 1, 1.001), ("F", "12", 2, 100)]))
    words = [text.text for text in found.iter(f"{SVG}text")]
    assert "12" in words and "11" not in words


def test_words_on_dark_boxes_are_light() -> None:
    groups = picture(chart([("F", "1", 0, 5), ("W", "2", 5, 10)])).findall(f".//{SVG}g[@text-anchor]")
    assert ["surface" in group.attrib["fill"] for group in groups] == [False, True]


def test_the_readout_tells_of_rows() -> None:
    rows = [[cell.text for cell in row] for row in figure(chart([], [("F", "0", 0, 1)])).findall(".//tbody/tr")]
    assert rows == [["stage 0", "0 s"], ["stage 1", "1 s"]]
    assert len({shade for _, shade in SHADES.values()}) == len(SHADES)


def test_nothing_to_draw_is_drawn() -> None:
    assert boxes(chart([])) == [] and boxes(chart()) == []


def test_its_operations_are_in_the_csv() -> None:
    from labs.network import LAB

    frame = {"metrics": [], "tables": [], "series": [chart([("F", "3", 0, 2.5)])]}
    assert csv_text(LAB, LAB.defaults(), frame).endswith(
        "A schedule\nstage,part,label,from [s],to [s]\nstage 0,F,3,0,2.5\n"
    )
