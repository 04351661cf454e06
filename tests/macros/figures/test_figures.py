"""What a page may rely on in every figure."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import macros.figures
from macros.bundle import BuildFailed
from macros.figures import FIGURES
from macros.figures.drawing import Figure
from macros.figures.style import PALETTE

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
HELPERS = {"__init__", "drawing", "shapes", "style"}

PRINT_ALL = """
import sys
from importlib import import_module
from macros.figures import FIGURES
for module in FIGURES.values():
    figure = import_module(module).draw()
    sys.stdout.buffer.write("\\n".join((figure.svg, figure.alt, figure.caption)).encode())
"""


def python(code: str, **environment: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=True,
    ).stdout


def tree(figure: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(figure.svg)


def ids(figure: Figure) -> list[str]:
    return [element.attrib["id"] for element in tree(figure).iter() if "id" in element.attrib]


def test_every_module_is_in_the_list():
    modules = {path.stem for path in Path(macros.figures.__file__).parent.glob("*.py")} - HELPERS
    assert set(FIGURES.values()) == {f"macros.figures.{module}" for module in modules}


def test_the_list_loads_no_matplotlib():
    loaded = python("import sys, macros.figures; print(sorted({'matplotlib', 'numpy'} & set(sys.modules)))")
    assert loaded.split() == [b"[]"]


def test_every_process_draws_the_same_bytes():
    first = python(PRINT_ALL, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")
    second = python(PRINT_ALL, PYTHONHASHSEED="2", TZ="Asia/Tokyo", SOURCE_DATE_EPOCH="0", LC_ALL="C.UTF-8")
    assert first.count(b"<svg") == len(FIGURES)
    assert first == second


def test_it_stands_inside_a_page(figures: dict[str, Figure], figure: str):
    svg = figures[figure].svg
    root = tree(figures[figure])
    assert svg.startswith("<svg ")
    assert root.tag == f"{SVG}svg"
    assert re.fullmatch(r"0 0 \d+ \d+", root.attrib["viewBox"])
    assert not {"width", "height"} & set(root.attrib)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "defs", "clipPath", "rect", "g", "path", "use", "text"}


def test_it_has_a_name_for_screen_readers(figures: dict[str, Figure], figure: str):
    root = tree(figures[figure])
    assert root.attrib["role"] == "img"
    title, description = (root.find(f".//*[@id='{name}']") for name in root.attrib["aria-labelledby"].split())
    assert title is not None and title.tag == f"{SVG}title" and title.text
    assert description is not None and description.tag == f"{SVG}desc"
    assert description.text == figures[figure].alt
    assert len(figures[figure].alt) > 100
    assert len(figures[figure].caption) > 100


def test_ids_are_its_own(figures: dict[str, Figure], figure: str):
    found = ids(figures[figure])
    assert max(Counter(found).values()) == 1
    assert all(name.startswith(f"{figure}-") for name in found)


def test_no_two_figures_share_an_id(figures: dict[str, Figure]):
    counts = Counter(name for figure in figures.values() for name in ids(figure))
    assert counts and max(counts.values()) == 1


def test_it_fetches_and_runs_nothing(figures: dict[str, Figure], figure: str):
    found = set(ids(figures[figure]))
    for element in tree(figures[figure]).iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            for reference in re.findall(r"url\(([^)]*)\)", value) + ([value] if name.endswith("href") else []):
                assert reference.startswith("#")
                assert reference[1:] in found
    assert figures[figure].svg.count("//") == 1, "the name space only"


def test_every_colour_is_a_variable_of_the_page(figures: dict[str, Figure], figure: str):
    svg = figures[figure].svg
    for name, colour in PALETTE.items():
        svg = svg.replace(f"var(--atlas-{name}, {colour})", "VARIABLE")
    paints = re.findall(r"\b(?:fill|stroke|color|stop-color|flood-color)\s*[:=]\s*\"?([^;\"]+)", svg)
    assert set(paints) == {"VARIABLE", "none"}
    assert not re.search(r"#[0-9a-f]{3,8}\b(?!-)|rgba?\(|hsla?\(", svg.replace("url(#", "").replace('href="#', ""))


def test_the_smallest_type_can_be_read_on_a_phone(figures: dict[str, Figure], figure: str):
    """On a page 360 pixels wide the theme leaves 328 for the text."""
    root = tree(figures[figure])
    width = float(root.attrib["viewBox"].split()[2])
    sizes = re.findall(r"font-size: calc\(([\d.]+)px \* var\(--atlas-figure-scale, 1\)\)", figures[figure].svg)
    assert len(sizes) == len(root.findall(f".//{SVG}text"))
    assert min(map(float, sizes)) * 328 / width >= 9


@pytest.mark.parametrize("mark", ["font-family", "--atlas-sans"])
def test_the_page_sets_the_typeface_once(figures: dict[str, Figure], figure: str, mark: str):
    assert figures[figure].svg.count(mark) == 1


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("def draw():\n    return 1 / 0\n", "macros/figures/broken.py:2: ZeroDivisionError: division by zero"),
        ("def draw(:\n", "macros/figures/broken.py:1: invalid syntax"),
        ("def draw():\n    return 3\n", "TypeError: draw() gives no drawing.Figure but int"),
        ("x = 1\n", "AttributeError: module 'broken' has no attribute 'draw'"),
        (None, "ModuleNotFoundError: No module named 'broken'"),
    ],
)
def test_a_figure_with_a_mistake_is_told_in_a_sentence(code, sentence, tmp_path, monkeypatch):
    folder = tmp_path / "macros" / "figures"
    folder.mkdir(parents=True)
    if code:
        (folder / "broken.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(macros.figures, "FOLDER", folder)
    monkeypatch.setitem(FIGURES, "broken", "broken")
    sys.modules.pop("broken", None)
    with pytest.raises(BuildFailed) as caught:
        macros.figures.drawn("broken")
    assert str(caught.value).startswith("expected the figure broken to be drawn, found\n")
    assert sentence in str(caught.value)
