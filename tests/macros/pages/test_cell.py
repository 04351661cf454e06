"""Code cells as built: text to read, under each lab and on their own; and what the cells of our own cards come to."""

import re
from html import unescape
from pathlib import Path

import pytest

from labs.catalog import LABS
from macros.cards.load import load_cards
from macros.pages.card import card_page
from macros.pages.cell import card_cells, lab_cell
from tests.labs.reader import Ran
from tests.macros.pages.sample import HOSTILE, full_card

CARDS = load_cards([Path(__file__).parents[3] / "cards"]).cards
CELLS = {f"{card.id}-{view.name}": view.code for card in CARDS.values() for view in card_cells(card.cells)}


def shown(library, **changes):
    loaded = library(full_card(**changes))
    prepared = card_page(loaded.cards["full"], loaded, {})
    return str(prepared.html), dict(prepared.sections)


def test_a_cards_code_stands_in_the_page_as_it_is_typed(library):
    code = "x = '<b>'  # {{ 7*7 }} {% raw %} & so on\n\nif x < 'c':\n    print(x)\n"
    html, _ = shown(library, cells=[{"title": "Try", "code": code}])
    (found,) = re.findall(r'<code class="language-python">(.*?)</code>', html[html.index("card-cells") :], re.DOTALL)
    assert unescape(found) == code.rstrip()
    assert "<b>" not in found


def test_title_and_note_are_text(library):
    html, _ = shown(library, cells=[{"title": HOSTILE, "code": "1", "note": HOSTILE}])
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(1)") >= 2


def test_a_lab_has_its_cell_and_the_cards_own_follow_numbered(library):
    html, sections = shown(library, cells=[{"title": "One", "code": "1"}, {"title": "Two", "code": "2"}])
    assert re.findall(r'<details class="cell" id="([^"]+)" data-cell data-name="([^"]+)"', html)[-2:] == [
        ("cell-1", "cell 1"),
        ("cell-2", "cell 2"),
    ]
    assert sections["lab"] == "Lab"


def test_code_alone_is_no_lab(library):
    html, sections = shown(library, labId=None, deepLabId=None, cells=[{"title": "One", "code": "1"}])
    assert sections["lab"] == "Try it"
    assert '<h2 id="lab">Try it<' in html
    assert "section.lab" not in html


def test_without_lab_and_code_there_is_no_such_section(library):
    _, sections = shown(library, labId=None, deepLabId=None)
    assert "lab" not in sections


def test_the_cell_of_a_lab_holds_its_first_frame():
    view = lab_cell(LABS["network"], "network")
    assert view.lab == "network"
    # 14 · 5 µs + 1.75 · 100 MB / 50 GB/s
    assert Ran(view.code).text("stdout") == "14 steps in 3.57 ms\n"


@pytest.mark.parametrize("code", CELLS.values(), ids=CELLS.keys())
def test_the_code_of_our_cards_runs(code):
    ran = Ran(code)
    assert ran.reply["ok"], ran.reply["error"]["traceback"]
    assert ran.text("stdout") or ran.value
    assert ran.text("stderr") == ""


def test_the_log_gives_what_nccl_tests_printed():
    rows = Ran(CELLS["nccl-cell 1"]).text("stdout").splitlines()
    factors = {"MB/s": 1e-3, "GB/s": 1.0}
    for row in rows:
        busbw, unit, printed = re.fullmatch(r".*busbw +([\d.]+) (\S+), printed +([\d.]+) GB/s", row).groups()
        # the log rounds to two decimals, and measures more finely than it prints
        assert float(busbw) * factors[unit] == pytest.approx(float(printed), abs=0.006 + 1e-4 * float(printed))
    assert len(rows) == 4


def test_zero_gives_what_its_paper_prints():
    # Rajbhandari et al. (2019), figure 1 and table 1: 120, 31.4, 16.6, 1.88 GB
    rows = Ran(CELLS["training-memory-state-cell 1"]).text("stdout").splitlines()
    held = [float(re.search(r"([\d.]+) GB", row)[1]) for row in rows]
    assert held == [120, pytest.approx(31.4, abs=0.05), pytest.approx(16.6, abs=0.05), pytest.approx(1.88, abs=0.006)]
