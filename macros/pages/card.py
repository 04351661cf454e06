"""One card as a page: its HTML and its sections."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from labs.catalog import EARLY, LABS
from labs.views.action import lab_address
from macros.cards.lab_links import link_inputs
from macros.cards.load import Library
from macros.cards.numbers import CheckedExample, checked
from macros.cards.types import Card, LabLink, ScienceEntry, paragraphs
from macros.equations.symbol import symbol_html
from macros.equations.typeset import typeset
from macros.figures import drawn
from macros.pages.calculators import LAB as CALCULATOR
from macros.pages.calculators import as_text, calculators
from macros.pages.cell import card_cells
from macros.pages.lab import lab_view
from macros.pages.lab_page import labs_of, scoped_lab
from macros.pages.mark import marker
from macros.pages.prepared import Prepared
from macros.pages.template import render

# The sections of a page, in their order.
HEADINGS = {
    "mechanism": "The mechanism",
    "science": "Science and assumptions",
    "example": "Engineering example",
    "lab": "Lab",
    "distinctions": "Distinctions and tradeoffs",
    "specifications": "Specifications and interfaces",
    "check": "Check your understanding",
    "history": "Historical context",
    "evidence": "Evidence and scope",
    "related": "Related cards",
}


@dataclass(frozen=True)
class Link:
    """A card named by another: with a page, or a plain name where this site has none."""

    name: str
    href: str | None
    role: str | None


def card_page(card: Card, library: Library, figures: Mapping[str, Any]) -> Prepared:
    """Return the page of one card.

    Args:
        card: the card
        library: all cards of the site, for the links between them
        figures: figure id -> drawing, drawn once for all cards
    """
    examples = checked(card)
    lab_ids = labs_of(card)
    whole = [lab for lab in lab_ids if lab in LABS and lab != CALCULATOR]
    labs = [lab_view(lab, card.lab_scope if lab == scoped_lab(card) else None) for lab in whole]
    computed = calculators(card)
    missing = [lab for lab in lab_ids if lab not in LABS]
    related = _links(card.related, library)
    headings = HEADINGS if lab_ids else HEADINGS | {"lab": "Try it"}  # code alone is no lab
    absent = {
        "science": not (card.science or card.figures),
        "lab": not (lab_ids or card.cells or card.lab_links),
        "specifications": not (card.specs or card.interfaces),
        "history": not card.history,
        "related": not related,
    }
    html = render(
        "card.html.jinja",
        card=card,
        headings=headings,
        mark=marker(examples),
        split=paragraphs,
        science=[_science(entry, number, card) for number, entry in enumerate(card.science, start=1)],
        figures=[figures[figure] for figure in card.figures],
        checked=[_checked(example) for example in examples],
        labs=labs,
        missing_labs=missing,
        calculators=computed,
        as_text=as_text(card) if CALCULATOR in lab_ids else [],
        lab_links=[
            {"label": link.label, "href": _state(link, lab_ids), "lab": LABS[link.lab].LAB.title}
            for link in card.lab_links
        ],
        cells=card_cells(card.cells),
        site_root="../",
        questions=[card.check, *card.checks],
        prerequisites=_links(card.prerequisites, library),
        related=related,
    )
    sections = tuple((id, title) for id, title in headings.items() if not absent.get(id))
    late = any(lab.id not in EARLY for lab in (*labs, *computed))
    return Prepared(html, sections, needs_supplement=late)


def draw_figures(library: Library) -> dict[str, Any]:
    """Return the drawings that the cards name, each drawn once.

    Raises:
        BuildFailed: a figure's code has a mistake
    """
    names = dict.fromkeys(figure for card in library.cards.values() for figure in card.figures)
    return {name: _drawing(name) for name in names}


def _drawing(name: str) -> dict[str, Any]:
    figure = drawn(name)
    return {"id": name, "svg": Markup(figure.svg), "caption": figure.caption}


def _science(entry: ScienceEntry, number: int, card: Card) -> dict[str, Any]:
    pieces = typeset(entry.equation, entry.latex)
    return {
        "id": f"science-{number}",
        "title": entry.title,
        "pieces": [{"html": Markup(piece.html) if piece.html else None, "source": piece.source} for piece in pieces],
        "as_text": entry.equation if entry.latex and says_more(entry.equation) else None,
        "explanation": entry.explanation,
        "assumptions": entry.assumptions,
        "symbols": [
            {"html": Markup(symbol_html(symbol.symbol)), "meaning": symbol.meaning, "unit": symbol.unit}
            for symbol in entry.symbols
        ],
        "model": {"name": entry.model, "href": f"../model.html#{entry.model}"} if entry.model else None,
    }


def says_more(equation: str) -> bool:
    """Return whether an equation with LaTeX beside it is a text of its own, not the same mathematics once more."""
    return any(piece.kind == "text" for piece in typeset(equation, None))


def _checked(example: CheckedExample) -> dict[str, str]:
    return {"call": example.call, "shown": example.shown}


def _state(link: LabLink, shown: tuple[str, ...]) -> str:
    """Return the address of a lab's state: in this page where the lab stands in it."""
    address = lab_address(link.lab, link_inputs(link))
    return address[address.index("#") :] if link.lab in shown else address


def _links(ids: tuple[str, ...], library: Library) -> list[Link]:
    cards = library.cards
    return [Link(cards[id].name, f"{id}.html", cards[id].role) if id in cards else Link(id, None, None) for id in ids]
