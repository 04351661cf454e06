"""The first page: a lab to touch, and the way to the cards."""

from collections.abc import Mapping

from labs.catalog import LABS
from macros.cards.types import Card
from macros.pages.lab import lab_view
from macros.pages.prepared import Prepared
from macros.pages.template import render

FIRST_LAB = "network"
MOST_CARDS = 12


def home(cards: Mapping[str, Card]) -> Prepared:
    """Return the first page."""
    html = render(
        "home.html.jinja",
        cards=sorted(cards.values(), key=lambda card: card.name),
        most=MOST_CARDS,
        labs=[lab_view(FIRST_LAB, None)],
        ways=[module.LAB for id, module in LABS.items() if id != FIRST_LAB],
        site_root="",
    )
    return Prepared(html)
