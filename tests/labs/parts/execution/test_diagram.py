"""The diagram of plans that combine all splits: a note for each thing that ranks do at a place, beside that place."""

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from labs import execution
from labs.views.drawing import FONT
from labs.views.model import model_picture
from labs.views.words import TYPE
from tests.labs.views.drawn import SVG, Words, clashes, picture, texts

COMBINED: dict[str, dict[str, Any]] = {
    "DeepSeek-V3": {
        "model": "DeepSeek-V3", "tensor": 4, "sequence_parallel": "on", "context": 2, "data": 16, "zero": "3",
        "pipeline": 8, "expert": 16, "recompute": "full", "accumulation": 16, "uneven": "on",
    },
    "GPT 1T": {
        "model": "GPT 1T", "tensor": 8, "sequence_parallel": "on", "context": 2, "data": 2, "zero": "3",
        "pipeline": 16, "accumulation": 16, "interleave": 8, "recompute": "full",
    },
    "Small mixture of experts": {
        "model": "Small mixture of experts", "tensor": 2, "sequence_parallel": "on", "context": 2, "data": 2,
        "zero": "3", "pipeline": 2, "expert": 2, "recompute": "full", "accumulation": 2,
    },
}  # fmt: skip


def series(name: str, **more: Any) -> dict[str, Any]:
    (found,) = execution.frame(**execution.LAB.inputs(COMBINED[name] | more))["diagrams"]
    return dict(found)


def notes(svg: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the element of each mark that its note is in: of the first of its arrows."""
    return [g for g in svg.iter(f"{SVG}g") if g.get("data-arrow") and g.findall(f"{SVG}text")]


def said(drawn: dict[str, Any]) -> list[list[str | None]]:
    """Return the lines of each note."""
    return [[text.text for text in note.findall(f"{SVG}text")] for note in notes(picture(drawn))]


def ends(note: ElementTree.Element) -> tuple[float, float, float]:
    """Return the height of a note's mark, where its leader turns, and the height at which it ends."""
    (leader,) = (path.attrib["d"] for path in note.iter(f"{SVG}path") if path.get("stroke-width") == "0.7")
    _, start, turn, _, end = map(float, re.findall(r"[\d.]+", leader))
    return start, turn, end


def loss(svg: ElementTree.Element, size: float) -> Words:
    (found,) = (words for words in texts(svg, size) if words.words == "loss" and words.left < 200)
    return found


@pytest.mark.parametrize("size", [FONT, TYPE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", COMBINED)
def test_notes_end_where_the_flow_ends_and_touch_nothing(name: str, size: int) -> None:
    svg = picture(series(name))
    assert clashes(svg, size) == []
    lowest = max(float(text.attrib["y"]) for note in notes(svg) for text in note.findall(f"{SVG}text"))
    assert lowest <= loss(svg, size).bottom + 40
    assert float(svg.attrib["viewBox"].split()[3]) <= loss(svg, size).bottom + 40


@pytest.mark.parametrize("name", COMBINED)
def test_a_note_stands_beside_its_mark_and_no_leader_meets_another(name: str) -> None:
    svg = picture(series(name))
    placed = sorted(map(ends, notes(svg)))
    far = [abs(start - end) for start, _, end in placed]
    assert max(far) < float(svg.attrib["viewBox"].split()[3]) / 6
    for (start, turn, end), (below, other, last) in combinations(placed, 2):
        assert turn == other and start < below and end + 30 < last


@pytest.mark.parametrize("name", COMBINED)
def test_each_crossing_has_one_element_and_one_row(name: str) -> None:
    drawn = series(name)
    keys = sorted(arrow["key"] for arrow in drawn["arrows"])
    svg = picture(drawn)
    assert sorted(g.attrib["data-arrow"] for g in svg.iter(f"{SVG}g") if g.get("data-arrow")) == keys
    # Each has something to light up, once: none is within another.
    for g in svg.findall(f".//{SVG}g[@data-arrow]"):
        assert g.findall(f".//{SVG}path")
        assert not g.findall(".//*[@data-arrow]")
    rows = model_picture(drawn).rows
    assert sorted(row.key for row in rows if row.key in keys) == keys
    assert len({row.at for row in rows}) == len(rows)


def test_what_is_done_alike_at_a_place_is_one_mark() -> None:
    words = said(series("GPT 1T"))
    # MLP input: gathered forward, computed again, gathered again; the gradient is scattered.
    assert words.count(["all-gather ×3", "52.4 MB × 128"]) == 2  # of attention and MLP
    assert ["send ×4", "13.1 MB × 128"] in words
    assert ["all-gather ×9", "up to 235 MB"] in said(series("DeepSeek-V3"))


def test_a_mark_is_selected_with_any_of_its_arrows() -> None:
    selected = "attention input, gathered again"
    bold = [
        [text.text for text in note.findall(f"{SVG}text") if text.get("font-weight")]
        for note in notes(picture(series("GPT 1T", selected=selected)))
    ]
    assert [words for words in bold if words] == [["all-gather ×3"]]


def test_where_there_is_room_a_note_names_what_crosses() -> None:
    (drawn,) = execution.frame(**execution.LAB.defaults())["diagrams"]
    assert ["attention output", "all-reduce", "2.1 MB × 8"] in said(drawn)
    assert {len(lines) for lines in said(series("GPT 1T"))} == {2}
