"""Colours, dashes, hatches and widths."""

import re
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


@pytest.mark.parametrize("kind", ["rising", "falling", "upright", "level", "cross"])
@given(st.floats(0.5, 300), st.floats(0.5, 60))
def test_a_hatch_stays_within_its_rectangle(kind: str, width: float, height: float) -> None:
    x, y = 40.0, 70.0
    for place, step in re.findall(
        r"M([\d.]+ [\d.]+)((?:L[\d.]+ [\d.]+)|(?:[vh][\d.]+))", hatch(x, y, width, height, kind)
    ):
        ends = [tuple(map(float, place.split()))]
        a, b = ends[0]
        ends.append(
            tuple(map(float, step[1:].split()))
            if step[0] == "L"
            else (a + float(step[1:]), b)
            if step[0] == "h"
            else (a, b + float(step[1:]))
        )
        for left, top in ends:
            assert x - 0.06 <= left <= x + width + 0.06
            assert y - 0.06 <= top <= y + height + 0.06


def test_rising_and_falling_are_each_others_mirror() -> None:
    # A square of 6 has one diagonal at its own corners.
    assert hatch(0, 0, 6, 6, "rising", 6) == "M0.0 6.0L6.0 0.0"
    assert hatch(0, 0, 6, 6, "falling", 6) == "M0.0 0.0L6.0 6.0"


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
