"""The ring drawn flat: its numbers, its shades, what moved."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from labs.parts.network.ring_steps import ring_steps
from labs.views.drawing import COLOURS, FONT
from labs.views.ring import DARKEST, HIGH, PITCH, ring_picture
from labs.views.words import TYPE
from tests.labs.views.drawn import SVG, clashes, figure, finite, picture, texts


def ring(ranks: int, step: int) -> dict[str, Any]:
    (series,) = ring_steps(ranks, step)["series"]
    return dict(series)


def numbers(series: dict[str, Any]) -> dict[float, list[str]]:
    """Return what each column shows below its rank, from the top, by where the column stands."""
    columns: dict[float, list[tuple[float, str]]] = {}
    for group in picture(series).findall(f"{SVG}g"):
        for text in group.findall(f"{SVG}text"):
            columns.setdefault(float(text.attrib["x"]), []).append((float(text.attrib["y"]), text.text or ""))
    return {x: [words for _, words in sorted(columns[x])] for x in sorted(columns)}


def bold(series: dict[str, Any]) -> int:
    groups = [group for group in picture(series).findall(f"{SVG}g") if group.get("font-weight")]
    return sum(len(group) for group in groups)


def frames(series: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the left top corner of each frame around a square that the step has changed."""
    (moving,) = [group for group in picture(series).findall(f"{SVG}g") if group.get("class") == "lab-moving"]
    (path,) = moving
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)", path.attrib["d"])]


# Two ranks that start with (1, 2) and (10, 20), once chunk 0 has gone to rank 1 and chunk 1 to rank 0.
TWO: dict[str, Any] = {
    "kind": "ring", "id": "ring", "title": "A ring", "step": 1, "steps": 2, "phase": "reduce-scatter",
    "buffers": [[1.0, 22.0], [11.0, 20.0]], "summed": [[1, 2], [2, 1]],
    "moves": [
        {"from": 0, "to": 1, "chunk": 0, "text": "chunk 0 from rank 0: 10 + 1 = 11"},
        {"from": 1, "to": 0, "chunk": 1, "text": "chunk 1 from rank 1: 2 + 20 = 22"},
    ],
}


def test_every_rank_is_a_column_of_its_numbers() -> None:
    assert list(numbers(TWO).values()) == [["1", "22"], ["11", "20"]]
    assert bold(TWO) == 2  # the two that are sums of both


def test_a_square_is_darker_the_more_ranks_are_in_its_sum() -> None:
    def shades(series: dict[str, Any]) -> dict[str, int]:
        """Return how many squares each shade has: a run of them is as many dashes."""
        found = {}
        for group in picture(series).findall(f"{SVG}g"):
            for path in group.findall(f"{SVG}path") if group.get("stroke-dasharray") else ():
                lengths = [float(run) for run in re.findall(r"v([\d.]+)", path.attrib["d"])]
                squares = sum(round((length + PITCH - HIGH) / PITCH) for length in lengths)
                found[path.attrib["stroke-opacity"]] = squares
        return found

    assert shades(TWO) == {f"{DARKEST:.2f}": 2}
    # After two steps of four ranks: of each rank one chunk with three numbers and one with two.
    assert shades(ring(4, 2)) == {f"{DARKEST / 3:.2f}": 4, f"{DARKEST * 2 / 3:.2f}": 4}
    assert shades(ring(4, 6)) == {f"{DARKEST:.2f}": 16}


def test_the_squares_that_a_step_has_changed_are_framed_and_come_from_the_left() -> None:
    first, second = sorted(frames(TWO))
    assert second[1] - first[1] == -PITCH  # chunk 1 on rank 0, chunk 0 on rank 1
    columns = list(numbers(TWO))
    (moving,) = [group for group in picture(TWO).findall(f"{SVG}g") if group.get("class") == "lab-moving"]
    assert moving.attrib["style"] == f"--lab-from: -{columns[1] - columns[0]:.1f}px"


def test_nothing_moves_before_the_first_step() -> None:
    html = ElementTree.tostring(figure(ring(4, 0)), encoding="unicode")
    assert "lab-moving" not in html
    assert picture(ring(4, 0)).attrib["aria-label"] == "The ring, step by step. Before the first of 6 steps."


def test_a_row_for_each_rank_says_what_it_receives_and_how_much_it_holds() -> None:
    rows = ring_picture(TWO).rows
    assert [row.texts for row in rows] == [
        ("0", "chunk 1 from rank 1: 2 + 20 = 22", "1 of 2 chunks"),
        ("1", "chunk 0 from rank 0: 10 + 1 = 11", "1 of 2 chunks"),
    ]
    left, top, wide, high = (float(value or 0) for value in rows[0].at)
    assert left < next(iter(numbers(TWO))) < left + wide
    assert high > 2 * HIGH and top > 0


@pytest.mark.parametrize("size", [FONT, TYPE], ids=["wide", "phone"])
@pytest.mark.parametrize("step", [0, 1, 30])
@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 8, 15, 16])
def test_no_words_touch_others_or_leave_the_picture_in_either_type(ranks: int, step: int, size: int) -> None:
    series = ring(ranks, step)
    assert finite(series)
    assert clashes(picture(series), size) == []
    assert len(texts(picture(series))) >= ranks * ranks


def test_marks_have_the_colours_of_the_page() -> None:
    colours = {node.get("stroke") for node in picture(TWO).iter()} - {None}
    assert colours <= {COLOURS[name] for name in ("accent", "muted", "grid", "surface", "data")}
