"""32 ranks, 5 µs, 100 GB/s: 62 steps take 310 µs, and M = p α B = 16 MB takes as long again."""

import re
from itertools import pairwise
from math import log10
from xml.etree import ElementTree

import pytest

from macros.figures import ring_all_reduce_time as module
from macros.figures.drawing import Figure
from macros.figures.style import WIDTH

RANKS, LATENCY, BANDWIDTH = 32, 5e-6, 100e9
EXACT = 1e-12
SVG = "{http://www.w3.org/2000/svg}"


def bandwidth_term(payload: float) -> float:
    return 2 * (RANKS - 1) / RANKS * payload / BANDWIDTH


@pytest.fixture(scope="module")
def root(figures: dict[str, Figure]) -> ElementTree.Element:
    return ElementTree.fromstring(figures[module.ID].svg)


def texts(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {element.text: element for element in root.iter(f"{SVG}text") if element.text}


def payload_at(root: ElementTree.Element, x: float) -> float:
    """Read the axis as a person does: between two of its labels, on a logarithmic scale."""
    left, right = (float(texts(root)[label].attrib["x"]) for label in ("100 kB", "1 GB"))
    return float(10 ** (5 + 4 * (x - left) / (right - left)))


def time_at(y: float) -> float:
    high = module.HEIGHT - module.TOP - module.BOTTOM
    up = module.HEIGHT - module.BOTTOM - y
    return float(10 ** (-5 + 5 * up / high))


def points(root: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    path = root.find(f".//*[@id='{module.ID}-{name}']//{SVG}path")
    assert path is not None
    pairs = re.findall(r"[ML] (-?[\d.]+) (-?[\d.]+)", path.attrib["d"])
    return [(payload_at(root, float(x)), time_at(float(y))) for x, y in pairs]


def test_the_curves_follow_the_closed_forms():
    drawn = module.series()
    assert (drawn.payload[0], drawn.payload[-1]) == pytest.approx((1e4, 1e10), rel=EXACT)
    assert all(right / left == pytest.approx(10 ** (1 / 20), rel=1e-9) for left, right in pairwise(drawn.payload))
    assert drawn.latency_term == pytest.approx([310e-6] * len(drawn.payload), rel=EXACT)
    assert drawn.bandwidth_term == pytest.approx([bandwidth_term(payload) for payload in drawn.payload], rel=EXACT)
    assert drawn.time == pytest.approx([310e-6 + bandwidth_term(payload) for payload in drawn.payload], rel=EXACT)


def test_at_the_crossover_the_terms_are_equal_and_nowhere_else():
    drawn = module.series()
    assert module.crossover() == pytest.approx(16e6, rel=EXACT)
    assert drawn.crossover.latency_term == pytest.approx(310e-6, rel=EXACT)
    assert drawn.crossover.bandwidth_term == pytest.approx(310e-6, rel=EXACT)
    assert drawn.crossover.time == pytest.approx(620e-6, rel=EXACT)
    for payload, latency, bandwidth in zip(drawn.payload, drawn.latency_term, drawn.bandwidth_term, strict=True):
        assert (latency > bandwidth) is (payload < 16e6)


def test_the_curve_tends_to_its_two_terms():
    drawn = module.series()
    assert drawn.time[0] == pytest.approx(drawn.latency_term[0], rel=1e-3)
    assert drawn.time[-1] == pytest.approx(drawn.bandwidth_term[-1], rel=2e-3)


@pytest.mark.parametrize(("name", "curve"), [
    ("time", lambda payload: 310e-6 + bandwidth_term(payload)),
    ("latency-term", lambda payload: 310e-6),
    ("bandwidth-term", bandwidth_term),
])
def test_what_is_drawn_lies_on_the_curve(root: ElementTree.Element, name: str, curve):
    drawn = points(root, name)
    assert len(drawn) >= 2
    for payload, time in drawn:  # within a fifth of a unit of the drawing, about 1 %
        assert time == pytest.approx(curve(payload), rel=0.01)
    assert drawn[-1][0] == pytest.approx(1e10, rel=0.005)


def test_the_crossover_is_marked_at_its_place(root: ElementTree.Element):
    marker = root.find(f".//*[@id='{module.ID}-crossover']//{SVG}use")
    assert marker is not None
    assert payload_at(root, float(marker.attrib["x"])) == pytest.approx(16e6, rel=0.005)
    assert time_at(float(marker.attrib["y"])) == pytest.approx(310e-6, rel=0.005)


def test_the_regions_lie_beside_the_crossover(root: ElementTree.Element):
    labels = texts(root)
    boundary = payload_at(root, float(labels["crossover 16 MB"].attrib["x"]))
    assert boundary == pytest.approx(16e6, rel=0.4)
    assert payload_at(root, float(labels["latency-bound"].attrib["x"])) < 16e6
    assert payload_at(root, float(labels["bandwidth-bound"].attrib["x"])) > 16e6


def test_every_decade_has_its_label(root: ElementTree.Element):
    words = texts(root)
    assert {"10 kB", "100 kB", "1 MB", "10 MB", "100 MB", "1 GB", "10 GB"} <= set(words)
    assert {"10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"} <= set(words)
    places = [float(words[label].attrib["x"]) for label in ("100 kB", "1 MB", "10 MB", "100 MB", "1 GB")]
    decade = (WIDTH - module.LEFT - module.RIGHT) / log10(1e10 / 1e4)
    assert [right - left for left, right in pairwise(places)] == pytest.approx([decade] * 4, abs=0.02)


def test_the_words_give_the_models_numbers(figures: dict[str, Figure]):
    figure = figures[module.ID]
    for text in (figure.alt, figure.caption):
        assert "16 MB" in text
        assert "310 µs" in text
        assert "32 ranks" in text
    for words in ("62 steps", "620 µs", "5 µs", "100 GB/s"):
        assert words in figure.caption


def test_no_number_is_typed(monkeypatch: pytest.MonkeyPatch):
    """Another ring: 8 ranks, 10 µs, 50 GB/s give 14 steps, 140 µs, p α B = 4 MB."""
    monkeypatch.setattr(module, "RANKS", 8)
    monkeypatch.setattr(module, "LATENCY", 10e-6)
    monkeypatch.setattr(module, "BANDWIDTH", 50e9)
    figure = module.draw()
    assert "crossover 4 MB" in figure.svg
    assert "each term 140 µs" in figure.svg
    for text in (figure.alt, figure.caption):
        assert all(words in text for words in ("4 MB", "140 µs", "8 ranks"))
    assert all(words in figure.caption for words in ("14 steps", "280 µs", "10 µs", "50 GB/s"))
    assert not re.search(r"\b(16 MB|310 µs|32 ranks)", figure.svg + figure.caption)
