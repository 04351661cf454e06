from xml.etree import ElementTree

import matplotlib
import pytest

from macros.figures.drawing import canvas, svg_of
from macros.figures.style import ACCENT, INK


def sketch(figure: str, colour: str = ACCENT, title: str = "A line") -> str:
    with canvas(100) as sheet:
        axes = sheet.add_axes((0.1, 0.1, 0.8, 0.8))
        axes.plot([0, 1], [0, 1], color=colour, gid="curve")
        axes.text(0.5, 0.5, "1 < 2 & 3", color=INK)
        return svg_of(sheet, figure, title=title, alt="It rises.")


def test_a_colour_outside_the_palette_is_refused():
    with pytest.raises(ValueError, match=r"^expected a colour of the palette, found #123456$"):
        sketch("one", colour="#123456")


def test_a_named_id_is_kept_and_no_other():
    curves = ElementTree.fromstring(sketch("one")).findall(".//*[@id]")
    names = [element.attrib["id"] for element in curves]
    assert names[:3] == ["one-title", "one-desc", "one-curve"]
    assert all("figure_1" not in name and "axes_1" not in name for name in names)


def test_the_same_drawing_twice_on_a_page_shares_no_id():
    first, second = (
        {element.attrib["id"] for element in ElementTree.fromstring(sketch(name)).findall(".//*[@id]")}
        for name in ("one", "two")
    )
    assert len(first) == len(second) > 3
    assert not first & second


def test_text_stays_text_and_is_escaped():
    svg = sketch("one", title="<b> & more")
    root = ElementTree.fromstring(svg)
    words = {element.text for element in root.iter() if element.text}
    assert {"1 < 2 & 3", "<b> & more", "It rises."} <= words
    assert "<b>" not in svg


def test_drawing_leaves_matplotlib_as_it_was():
    def settings() -> dict[str, object]:
        return {name: value for name, value in matplotlib.rcParams.items() if name != "backend"}  # chosen on first use

    before = settings()
    sketch("one")
    assert settings() == before
    assert before["svg.hashsalt"] is None
