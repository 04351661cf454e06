"""From a matplotlib canvas to an SVG that stands inside a page.

Matplotlib writes a file of its own: a prolog, a style for `*`, ids such as `figure_1`, fixed colours. Inside a page the
first is an error, the second would restyle the page, the third clash and the fourth cannot follow a dark scheme.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure as Canvas

from macros.figures.style import INK, PALETTE, SETTINGS, WIDTH

_NAMESPACE = re.compile(r"\{[^}]*\}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
_NUMBER = re.compile(r"-?\d+\.\d+")
_LOCAL_URL = re.compile(r"url\(#([^)]+)\)")
_VARIABLES = {colour: f"var(--atlas-{name}, {colour})" for name, colour in PALETTE.items()}
_SANS = "var(--atlas-sans, Inter, sans-serif)"
_ROUNDED = ("d", "points", "x", "y", "width", "height", "transform")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a page needs of a figure: `svg` goes in as it is, `alt` and `caption` are plain text."""

    svg: str
    alt: str
    caption: str


@contextmanager
def canvas(height: float) -> Iterator[Canvas]:
    """Yield a transparent canvas, `height` units high; draw on it and call `svg_of` inside the block."""
    with matplotlib.rc_context(SETTINGS):
        drawn = Canvas(figsize=(WIDTH / 72, height / 72))
        drawn.patch.set_visible(False)
        yield drawn


def svg_of(drawn: Canvas, figure: str, *, title: str, alt: str) -> str:
    """Return the drawing as SVG text for a page: named, scalable, coloured by the page's variables.

    Artists that were given an id (`set_gid`) keep it, with the figure's id before it.

    Raises:
        ValueError: a colour that is not in the palette
    """
    text = io.StringIO()
    drawn.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ElementTree.fromstring(text.getvalue())
    named = {gid for artist in drawn.findobj() if (gid := artist.get_gid())}
    _clean(root, figure, named | _targets(root))
    return ElementTree.tostring(_page_root(root, figure, title, alt), encoding="unicode")


def _page_root(root: ElementTree.Element, figure: str, title: str, alt: str) -> ElementTree.Element:
    page = ElementTree.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "atlas-figure",
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "aria-labelledby": f"{figure}-title {figure}-desc",
        # Matplotlib leaves these out where they are its default, or had them in the style for all.
        "style": "; ".join((
            f"fill: {_VARIABLES[INK]}",
            "stroke-linejoin: round",
            _declaration("stroke-width: 1"),
            f"font-family: {_SANS}",
        )),
    })
    for tag, words in (("title", title), ("desc", alt)):
        ElementTree.SubElement(page, tag, {"id": f"{figure}-{tag}"}).text = words
    page.extend(root)
    return page


def _targets(root: ElementTree.Element) -> set[str]:
    """Ids that something in the drawing points to."""
    found: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            found.update(_LOCAL_URL.findall(value))
            if name.endswith("href"):
                found.add(value.removeprefix("#"))
    return found


def _clean(element: ElementTree.Element, figure: str, ids: set[str]) -> None:
    """Rewrite an element and all below it in place: names, ids, colours, type, precision."""
    element.tag = _NAMESPACE.sub("", element.tag)
    element.tail = None
    if element.tag != "text":
        element.text = None
    attributes = {_NAMESPACE.sub("", name): value for name, value in element.attrib.items()}
    if attributes.get("id") not in ids:
        attributes.pop("id", None)
    element.attrib.clear()
    for name, value in attributes.items():
        if value := _attribute(name, value, figure):
            element.set(name, value)
    kept: list[ElementTree.Element] = []
    for child in element:
        _clean(child, figure, ids)
        if child.tag == "g" and not child.attrib:
            kept.extend(child)
        elif child.tag not in ("metadata", "style") and (len(child) or child.tag not in ("defs", "g")):
            kept.append(child)
    element[:] = kept


def _attribute(name: str, value: str, figure: str) -> str:
    if name == "id":
        return f"{figure}-{value}"
    if name == "href":
        return f"#{figure}-{value.removeprefix('#')}"
    if name == "style":
        return "; ".join(filter(None, map(_declaration, value.split(";"))))
    if name in _ROUNDED:
        value = " ".join(_NUMBER.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), value).split())
        return "" if value.startswith("rotate(-0 ") else value
    return _LOCAL_URL.sub(rf"url(#{figure}-\1)", value)


def _declaration(text: str) -> str:
    name, _, value = (part.strip() for part in text.partition(":"))
    if name == "font-family" or text.strip() == "text-anchor: start":
        return ""  # as the root has it
    if name == "font-size":
        return f"font-size: calc({value} * var(--atlas-figure-scale, 1))"
    if name == "stroke-width":
        return f"stroke-width: calc({value}px * var(--atlas-figure-scale, 1))"
    return f"{name}: {_COLOUR.sub(lambda colour: _variable_of(colour[0]), value)}"


def _variable_of(colour: str) -> str:
    if colour not in _VARIABLES:
        raise ValueError(f"expected a colour of the palette, found {colour}")
    return _VARIABLES[colour]
