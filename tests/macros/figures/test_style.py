"""The drawings' palette and the site's are one, and can be read: WCAG 2.2, success criteria 1.4.3 and 1.4.11."""

import re
from pathlib import Path

import pytest

from macros.figures.style import PALETTE

COLOURS = Path(__file__).parents[3] / "docs" / "assets" / "stylesheets" / "colours.css"


def scheme(name: str) -> dict[str, str]:
    """Return the site's variables in the first block for a colour scheme."""
    text = COLOURS.read_text(encoding="utf-8")
    block = re.search(rf'\[data-md-color-scheme="{name}"\] \{{([^}}]*)\}}', text)
    assert block
    return dict(re.findall(r"--atlas-([a-z]+):\s*(#[0-9a-f]{6});", block[1]))


SCHEMES = {"light": scheme("default"), "dark": scheme("slate")}


def channels(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(values: list[float]) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[float], other: list[float]) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def tinted(surface: str, colour: str, opacity: float) -> list[float]:
    return [
        under * (1 - opacity) + over * opacity
        for under, over in zip(channels(surface), channels(colour), strict=True)
    ]


def test_contrast_agrees_with_the_ends_of_its_scale():
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#777777"), channels("#ffffff")) == pytest.approx(4.48, abs=0.005)  # WebAIM's example


def test_the_fallbacks_are_the_light_scheme_of_the_site():
    assert {name: SCHEMES["light"][name] for name in PALETTE} == PALETTE


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", sorted(set(PALETTE) - {"surface", "grid"}))
def test_every_colour_can_set_text(scheme: str, name: str):
    colours = SCHEMES[scheme]
    assert contrast(channels(colours[name]), channels(colours["surface"])) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("region", ["muted", "accent"])
@pytest.mark.parametrize("name", ["ink", "muted", "accent"])
def test_text_on_a_tinted_region_can_be_read(scheme: str, region: str, name: str):
    colours = SCHEMES[scheme]
    behind = tinted(colours["surface"], colours[region], 0.1)
    assert contrast(channels(colours[name]), behind) >= 4.5
