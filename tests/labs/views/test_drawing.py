"""Colours, dashes, hatches and widths."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.views.drawing import COLOURS, KINDS, PLAIN, area, hatch, key, styles, width_of
from macros.figures.style import PALETTE
from tests.labs.views.drawn import real_width

CSS = (Path(__file__).parents[3] / "docs/assets/stylesheets/colours.css").read_text(encoding="utf-8")


def test_the_fallbacks_are_the_light_scheme_of_pages_and_figures() -> None:
    light = dict(re.findall(r"--atlas-(\w+): (#\w+);", CSS.split("}")[0]))
    for name, colour in COLOURS.items():
        assert colour == f"var(--atlas-{name}, {light[name]})"
        assert PALETTE.get(name, light[name]) == light[name]


def test_no_two_styles_differ_by_colour_alone() -> None:
    for family in (list(KINDS.values()), list(PLAIN)):
        for i, one in enumerate(family):
            for other in family[i + 1 :]:
                assert one.hatch != other.hatch or one.colour != other.colour
                assert (one.dash, one.width) != (other.dash, other.width) or one.colour != other.colour
    assert len({style.dash for style in KINDS.values()}) == len({style.hatch for style in KINDS.values()}) == len(KINDS)


def test_a_kind_of_parallelism_keeps_its_style_and_others_take_the_plain_ones_in_order() -> None:
    found = styles([{"kind": "tensor"}, {}, {"kind": None}, {"kind": "data"}])
    assert found == [KINDS["tensor"], PLAIN[0], PLAIN[1], KINDS["data"]]


def lines_of(path: str) -> list[tuple[float, float, float, float]]:
    """Return a path's lines, from where to where."""
    lines, x, y = [], 0.0, 0.0
    for move, right, down in re.findall(r"([MmLl])([-\d.]+) ([-\d.]+)", path):
        before = (x, y)
        x, y = (float(right), float(down)) if move in "ML" else (x + float(right), y + float(down))
        if move in "Ll":
            lines.append((*before, x, y))
    return lines


@pytest.mark.parametrize("kind", ["rising", "falling", "upright", "level", "cross"])
@given(st.floats(0.5, 300), st.floats(0.5, 60))
def test_a_hatch_stays_within_its_rectangle(kind: str, width: float, height: float) -> None:
    x, y = 40.0, 70.0
    for left, top, right, bottom in lines_of(hatch(x, y, width, height, kind)):
        assert x - 0.11 <= min(left, right) and max(left, right) <= x + width + 0.11
        assert y - 0.11 <= min(top, bottom) and max(top, bottom) <= y + height + 0.11


@given(st.floats(0.5, 300), st.floats(0.5, 60))
def test_the_diagonals_of_a_hatch_go_from_side_to_side_a_gap_apart(width: float, height: float) -> None:
    found = sorted((line[0] + line[1], *line) for line in lines_of(hatch(0, 0, width, height, "rising", 6)))
    assert len(found) >= (width + height) // 6 - 2
    for (place, *_), (after, *_) in pairwise(found):
        assert after - place == pytest.approx(6, abs=0.35)
    for place, left, top, right, bottom in found:
        assert right + bottom == pytest.approx(place, abs=0.25)
        assert min(left, height - top) == pytest.approx(0, abs=0.11)
        assert min(width - right, bottom) == pytest.approx(0, abs=0.11)


def test_rising_and_falling_are_each_others_mirror() -> None:
    # A square of 6 has one diagonal at its own corners.
    assert hatch(0, 0, 6, 6, "rising", 6) == "M0.0 6.0l6 -6"
    assert hatch(0, 0, 6, 6, "falling", 6) == "M0.0 0.0l6 6"


def test_a_rectangle_of_no_size_is_no_error() -> None:
    for style in (*KINDS.values(), *PLAIN):
        assert 'width="0.0"' in area(0, 0, 0.2, 10, style)
        assert key(style, line=True).startswith("<svg")


@given(
    st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:()-−µαβ·×/+%½—", max_size=30)
)
def test_a_text_is_never_wider_than_it_is_taken_for(words: str) -> None:
    assert real_width(words) <= width_of(words) + 1e-9


@pytest.mark.parametrize(
    "words", ["bandwidth term", "latency-bound", "100 GB/s", "999.99 µs", "none, as set", "Time T (ms)"]
)
def test_what_our_charts_say_is_taken_for_a_little_too_wide(words: str) -> None:
    assert real_width(words) <= width_of(words) <= 1.3 * real_width(words)
