"""Labs on pages of their own, the gallery, and the ways between cards and labs."""

import re
from pathlib import Path

import pytest

from labs.answer import read_inputs
from labs.catalog import EARLY, LABS
from labs.lab import Choice, Control
from macros.cards.load import load_cards
from macros.pages.calculators import calculators
from macros.pages.card import card_page
from macros.pages.controls import groups, has_many
from macros.pages.home import home
from macros.pages.lab_page import lab_gallery, lab_page, labs_of, scoped_lab, users

LIBRARY = load_cards([Path(__file__).parents[3] / "cards"])
CARDS = LIBRARY.cards


@pytest.mark.parametrize("lab_id", LABS)
def test_a_lab_has_a_page_with_its_heading_its_section_and_its_cards(lab_id: str) -> None:
    page = lab_page(lab_id, CARDS)
    html = str(page.html)
    assert html.count("<h1") == 1 and f'data-lab="{lab_id}"' in html
    assert re.findall(r'<li><a href="\.\./cards/([^"]+)\.html">', html) == [card.id for card in users(lab_id, CARDS)]
    assert page.runs_python and page.needs_supplement == (lab_id not in EARLY)
    # Each label, hint and error names a field that is there.
    named = re.findall(r'(?:for|aria-describedby)="([^"]+)"', html)
    ids = set(re.findall(r' id="([^"]+)"', html))
    assert {name for names in named for name in names.split()} <= ids


def test_every_lab_is_in_the_gallery_with_a_picture_and_its_cards() -> None:
    html = str(lab_gallery(CARDS).html)
    assert re.findall(r'<li id="([^"]+)">', html) == list(LABS)
    assert html.count("<svg") == len(LABS) and 'role="img"' not in html
    for lab_id in LABS:
        assert html.count(f'href="labs/{lab_id}.html"') == 2  # the picture and the name


@pytest.mark.parametrize("lab_id", LABS)
def test_every_lab_serves_a_card(lab_id: str) -> None:
    assert users(lab_id, CARDS)


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_a_card_shows_its_labs_and_leads_to_states_of_others(card) -> None:
    page = card_page(card, LIBRARY, {figure: {"id": figure, "svg": "", "caption": ""} for figure in card.figures})
    html = str(page.html)
    shown = re.findall(r'data-lab="([a-z]+)" data-name="([^"]+)"', html)
    numbered = [("engineering", f"engineering-{number}") for number in range(1, len(calculators(card)) + 1)]
    assert shown == [(lab, lab) for lab in labs_of(card) if lab != "engineering"] + numbered
    listed = html[html.index("lab-links") :]
    links = re.findall(r'<li><a href="([^"]*)">[^<]+</a> <span class="card-links-role">', listed)
    for link, address in zip(card.lab_links, links, strict=False):
        path, _, fragment = address.partition("#")
        assert path == ("" if link.lab in labs_of(card) else f"../labs/{link.lab}.html")
        assert fragment.count(f"{link.lab}.") == len(link.inputs)


def test_the_cards_sentence_of_scope_is_about_one_lab() -> None:
    card = CARDS["parallelism-communication-budget"]
    assert scoped_lab(card) == "network"
    html = str(card_page(card, LIBRARY, {f: {"id": f, "svg": "", "caption": ""} for f in card.figures}).html)
    assert html.count(card.lab_scope or "?") == 1


def test_the_first_page_leads_to_no_lab_by_a_way_that_holds_in_folders_only() -> None:
    assert "../labs/" not in str(home(CARDS).html)


@pytest.mark.parametrize("lab_id", LABS)
def test_each_input_is_a_field_of_its_kind_and_reads_back(lab_id: str) -> None:
    module = LABS[lab_id]
    lab = module.LAB
    views = {view.name: view for group in groups(lab) for view in group.controls}
    assert list(views) and set(views) == set(lab.defaults())
    for control in lab.controls:
        view = views[control.name]
        assert read_inputs(module, {control.name: view.text})[control.name] == control.default
        assert bool(view.options) == isinstance(control, Choice)
        if isinstance(control, Control):
            assert view.stops[view.stop][0] == control.default
            assert ("lider from" in view.hint) != has_many(lab)
    for text in lab.texts:
        assert views[text.name].rows == text.rows
