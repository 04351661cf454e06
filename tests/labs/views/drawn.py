"""A chart read back from its SVG text: where its texts stand, by the widths of the font that the pages carry."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fontTools.ttLib import TTFont

from labs.views.chart import chart_html
from labs.views.drawing import FONT, WIDTH

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parent.parent.parent.parent
INTER = ROOT / "node_modules/@fontsource-variable/inter/files"
ASCENT, DESCENT = 0.73, 0.2  # of letters, in the size of the type


@dataclass(frozen=True)
class Words:
    """A text of a chart and the box of its letters."""

    words: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Words") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@cache
def _advances() -> dict[str, float]:
    """Return each character's width in Inter, for a size of one."""
    widths: dict[str, float] = {}
    for name in ("greek", "latin-ext", "latin"):
        font = TTFont(INTER / f"inter-{name}-wght-normal.woff2")
        size, metrics = font["head"].unitsPerEm, font["hmtx"]
        widths |= {chr(code): metrics[glyph][0] / size for code, glyph in font.getBestCmap().items()}
    # Tabular figures, as the page sets them, are as wide as the widest digit.
    return widths | dict.fromkeys("0123456789", max(widths[digit] for digit in "0123456789"))


def real_width(words: str, size: float = FONT) -> float:
    """Return how wide Inter sets a text."""
    return sum(_advances()[mark] for mark in words) * size


def figure(series: dict[str, Any]) -> ElementTree.Element:
    """Return the chart's figure; text that is not well-formed as XML fails here."""
    return ElementTree.fromstring(chart_html(series))


def picture(series: dict[str, Any]) -> ElementTree.Element:
    found = figure(series).find(f"div/{SVG}svg")
    assert found is not None
    return found


def texts(svg: ElementTree.Element, size: float = FONT) -> list[Words]:
    """Return every text of the picture with its box, where the page sets type of this size."""
    return [_words(text, size, "start") for text in svg.findall(f"{SVG}text")] + [
        _words(text, _size(group, size), group.get("text-anchor", "start"))
        for group in svg.iter(f"{SVG}g")
        for text in group.findall(f"{SVG}text")
    ]


def _size(node: ElementTree.Element, outer: float) -> float:
    """Return the size of type that a node sets, as a number or as a share of what is set around it."""
    own = node.get("font-size", "1em")
    return float(own.removesuffix("em")) * (outer if own.endswith("em") else 1)


def _words(text: ElementTree.Element, outer: float, anchor: str) -> Words:
    words = text.text or ""
    size = _size(text, outer)
    wide = real_width(words, size)
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", anchor)]
    return Words(words, left, left + wide, y - ASCENT * size, y + DESCENT * size)


def clashes(svg: ElementTree.Element, size: float = FONT) -> list[str]:
    """Return each pair of texts that touch, and each text that leaves the picture."""
    found = texts(svg, size)
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    assert width == WIDTH
    outside = [
        f"outside: {text}"
        for text in found
        if text.left < -0.5 or text.right > width + 0.5 or text.top < 0 or text.bottom > height
    ]
    return outside + [f"{one} | {other}" for i, one in enumerate(found) for other in found[i + 1 :] if one.meets(other)]


def points(path: ElementTree.Element) -> list[tuple[float, float]]:
    """Return the corners of a path made of M and L."""
    pairs = path.attrib["d"].replace("M", " ").replace("L", " ").split()
    return [(float(x), float(y)) for x, y in zip(pairs[::2], pairs[1::2], strict=True)]


def curves(svg: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the lines that stand for data: those that are joined round."""
    return [path for path in svg.iter(f"{SVG}path") if path.get("stroke-linejoin") == "round"]


def finite(series: dict[str, Any]) -> bool:
    """Return whether every place in the picture is a number."""
    names = ("d", "x", "y", "cx", "cy", "width", "height", "viewBox", "font-size")
    places = " ".join(node.get(name, "") for node in picture(series).iter() for name in names)
    return not any(word in places for word in ("nan", "inf"))
