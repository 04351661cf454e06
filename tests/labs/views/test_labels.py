"""Names that give way: places at least a gap apart, as near as can be, and none on a line."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.views.labels import Box, crosses, free_place, spread

PLACES = st.lists(st.floats(-50, 350), max_size=12)


def test_names_with_room_stay_where_they_are() -> None:
    assert spread([200, 50, 100], 20, 0, 300) == [200, 50, 100]


def test_two_that_meet_part_evenly() -> None:
    assert spread([100, 100], 20, 0, 300) == [90, 110]
    assert spread([110, 104], 20, 0, 300) == [117, 97]  # about their middle, in their order


def test_at_an_edge_they_move_inwards() -> None:
    assert spread([2, 0], 20, 0, 300) == [20, 0]
    assert spread([300, 300, 299], 20, 0, 300) == [280, 300, 260]


def test_more_than_fit_share_the_room() -> None:
    assert spread([5, 5, 5], 20, 0, 30) == [0, 15, 30]


@given(PLACES)
def test_they_are_apart_within_and_in_order(wanted: list[float]) -> None:
    places = spread(wanted, 20, 0, 300)
    assert all(b - a >= 20 - 1e-6 for a, b in pairwise(sorted(places)))
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in places)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert [places[i] for i in order] == sorted(places)


@given(PLACES)
def test_no_small_move_of_one_brings_it_nearer(wanted: list[float]) -> None:
    places = spread(wanted, 20, 0, 300)

    def cost(found: list[float]) -> float:
        return sum((a - b) ** 2 for a, b in zip(found, wanted, strict=True))

    for i in range(len(places)):
        for step in (-0.5, 0.5):
            moved = [*places[:i], places[i] + step, *places[i + 1 :]]
            allowed = all(b - a >= 20 for a, b in pairwise(sorted(moved))) and 0 <= moved[i] <= 300
            assert not allowed or cost(moved) >= cost(places) - 1e-6


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ([(0, 0), (100, 100)], True),  # through it
        ([(0, 50), (100, 50)], True),
        ([(50, 50), (51, 51)], True),  # within
        ([(0, 0), (100, 0), (100, 100)], False),  # around it
        ([(0, 70), (70, 0)], False),  # past its corner at 40, 40
        ([(0, 0), (39, 39)], False),  # ends before it
        ([(50, 0), (50, 39)], False),
        ([(50, 50)], False),  # one point is no line
        ([], False),
    ],
)
def test_a_line_that_passes_a_box(line: list[tuple[float, float]], passes: bool) -> None:
    assert crosses(line, Box(40, 40, 60, 60)) is passes


def test_the_first_free_box_is_taken() -> None:
    boxes = [Box(0, 0, 10, 10), Box(20, 0, 30, 10), Box(40, 0, 50, 10)]
    assert free_place(boxes, [[(5, -5), (5, 5)]]) == boxes[1]
    assert free_place(boxes, [[(-5, 5), (60, 5)]]) is None
    assert free_place(boxes, []) == boxes[0]
