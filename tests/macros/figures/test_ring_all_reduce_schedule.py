import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from labs.model.collectives.ring_schedule import ring_all_reduce_schedule
from macros.figures import ring_all_reduce_schedule as module
from macros.figures.drawing import Figure

RANKS = 4
SVG = "{http://www.w3.org/2000/svg}"
MODEL = {
    (step, transfer.source): transfer
    for step, transfers in enumerate(ring_all_reduce_schedule(ranks=RANKS), start=1)
    for transfer in transfers
}


@pytest.fixture(scope="module")
def root(figures: dict[str, Figure]) -> ElementTree.Element:
    return ElementTree.fromstring(figures[module.ID].svg)


def part(root: ElementTree.Element, name: str, tag: str) -> ElementTree.Element:
    found = root.find(f".//*[@id='{module.ID}-{name}']//{SVG}{tag}")
    assert found is not None
    return found


def squares(root: ElementTree.Element, step: int, rank: int) -> list[float]:
    path = part(root, f"step-{step}-rank-{rank}-parts", "path")
    return [float(x) for x in re.findall(r"M (-?[\d.]+) ", path.attrib["d"])]


def test_it_is_the_models_schedule():
    assert {
        (send.step, send.source): (send.source, send.destination, send.chunk, send.phase) for send in module.sends()
    } == MODEL
    assert len(module.sends()) == 2 * (RANKS - 1) * RANKS


def test_following_it_sums_every_chunk_on_every_rank():
    """Powers of ten as values: a part added twice or left out shows as a digit that is not 1."""
    held = [[10**rank for _ in range(RANKS)] for rank in range(RANKS)]
    sends = module.sends()
    for step in range(1, 2 * (RANKS - 1) + 1):
        before = [list(row) for row in held]
        for send in (send for send in sends if send.step == step):
            sent = before[send.source][send.chunk]
            assert sent == sum(10**rank for rank in send.parts)
            own = before[send.destination][send.chunk] if send.phase == "reduce-scatter" else 0
            held[send.destination][send.chunk] = own + sent
    assert held == [[1111] * RANKS] * RANKS


def test_a_sum_grows_by_one_part_a_step_until_complete():
    for send in module.sends():
        assert len(send.parts) == min(send.step, RANKS)
        assert send.complete is (send.phase == "all-gather")


def test_every_cell_shows_the_models_chunk(root: ElementTree.Element):
    letters = {place: part(root, f"step-{place[0]}-rank-{place[1]}", "text").text for place in MODEL}
    assert letters == {place: "ABCD"[transfer.chunk] for place, transfer in MODEL.items()}


def test_cells_stand_in_columns_of_steps_and_rows_of_ranks(root: ElementTree.Element):
    places = {
        place: tuple(float(part(root, f"step-{place[0]}-rank-{place[1]}", "text").attrib[axis]) for axis in "xy")
        for place in MODEL
    }
    columns = [{places[step, rank][0] for rank in range(RANKS)} for step in range(1, 7)]
    rows = [{places[step, rank][1] for step in range(1, 7)} for rank in range(RANKS)]
    for lines in (columns, rows):
        assert all(len(line) == 1 for line in lines)
        assert all(max(before) < min(after) for before, after in pairwise(lines))


def test_every_cell_has_the_squares_of_its_parts(root: ElementTree.Element):
    """In step 1 rank r sends its own part alone, which gives the place of square r in a cell."""
    middle = float(part(root, "step-1-rank-0", "text").attrib["x"])
    offsets = [squares(root, 1, rank)[0] - middle for rank in range(RANKS)]
    assert all(left < right for left, right in pairwise(offsets))
    for send in module.sends():
        middle = float(part(root, f"step-{send.step}-rank-{send.source}", "text").attrib["x"])
        expected = [middle + offsets[rank] for rank in sorted(send.parts)]
        assert squares(root, send.step, send.source) == pytest.approx(expected, abs=0.02)


def test_complete_is_said_without_colour_too(root: ElementTree.Element):
    assert [len(squares(root, step, 0)) for step in range(1, 7)] == [1, 2, 3, 4, 4, 4]
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert "complete: the sum over all ranks" in words
    assert {"reduce-scatter", "all-gather", "rank 0", "rank 3", "step 1", "step 6", "end"} <= set(words)


def test_alt_tells_the_whole_schedule(figures: dict[str, Figure]):
    alt = figures[module.ID].alt
    for (step, rank), transfer in MODEL.items():
        sentence = re.search(rf"Step {step}, {transfer.phase}: [^.]*\.", alt)
        assert sentence
        assert f"rank {rank} sends {'ABCD'[transfer.chunk]}" in sentence[0]
        assert f"each with {min(step, RANKS)} of 4 parts" in sentence[0]


def test_caption_counts_the_steps(figures: dict[str, Figure]):
    caption = figures[module.ID].caption
    assert "4 ranks" in caption
    assert "For 3 steps" in caption
    assert "3 steps of all-gather" in caption
