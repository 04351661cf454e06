"""Each lab on a page of its own, and the gallery of all of them; which cards lead to which lab."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from labs.catalog import EARLY, LABS
from labs.lab import LabModule
from labs.views.chart import drawing
from macros.cards.types import Card
from macros.pages.lab import lab_view
from macros.pages.prepared import Prepared
from macros.pages.template import render


def lab_page(lab_id: str, cards: Mapping[str, Card]) -> Prepared:
    """Return the page of one lab, with the way back to its cards."""
    back = [
        {"name": card.name, "role": card.role, "href": f"../cards/{card.id}.html"} for card in users(lab_id, cards)
    ]
    html = render(
        "lab_page.html.jinja",
        lab=lab_view(lab_id, None),
        cards=back,
        own_page=True,
        site_root="../",
    )
    return Prepared(html, needs_supplement=lab_id not in EARLY)


def lab_gallery(cards: Mapping[str, Card]) -> Prepared:
    """Return the list of all labs, each with a picture and its cards."""
    return Prepared(render("lab_gallery.html.jinja", labs=[_entry(module, cards) for module in LABS.values()]))


def users(lab_id: str, cards: Mapping[str, Card]) -> list[Card]:
    """Return the cards that show a lab or lead to one of its states, by name."""
    found = [card for card in cards.values() if lab_id in labs_of(card) + tuple(link.lab for link in card.lab_links)]
    return sorted(found, key=lambda card: card.name)


def labs_of(card: Card) -> tuple[str, ...]:
    """Return the labs that a card shows, each once."""
    return tuple(dict.fromkeys(filter(None, (card.lab_id, card.deep_lab_id, card.investigation_id))))


def scoped_lab(card: Card) -> str | None:
    """Return the lab that a card's sentence of scope is about: the one that goes deeper, or the first."""
    return card.deep_lab_id or next(iter(labs_of(card)), None)


def _entry(module: LabModule, cards: Mapping[str, Card]) -> dict[str, Any]:
    lab = module.LAB
    frame = module.frame(**lab.defaults())
    pictures = [*frame.get("diagrams", ()), *frame["series"]]
    return {
        "id": lab.id,
        "title": lab.title,
        "scope": lab.scope,
        "href": f"labs/{lab.id}.html",
        "picture": Markup(drawing(pictures[0])) if pictures else None,  # the view escapes every text
        "cards": [{"name": card.name, "href": f"cards/{card.id}.html"} for card in users(lab.id, cards)],
    }
