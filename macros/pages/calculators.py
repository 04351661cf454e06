"""The equations of a card as calculators, each a lab of its own in the card's page."""

from collections.abc import Mapping
from dataclasses import replace

from markupsafe import Markup

from macros.cards.types import Card
from macros.pages.equations import AsText, card_equations, equation_labs
from macros.pages.lab import LabView, view_of

LAB = "engineering"


def calculators(card: Card) -> list[LabView]:
    """Return a card's calculators; none where the card does not name the lab."""
    if LAB not in (card.lab_id, card.deep_lab_id, card.investigation_id):
        return []
    views = []
    for number, (definition, module) in enumerate(equation_labs(card), start=1):
        view = view_of(module, f"{LAB}-{number}", f"frame:{card.id}:{number}")
        views.append(replace(view, equation=definition))
    return views


def as_text(card: Card) -> list[AsText]:
    """Return the equations that are not computed, each with its reason."""
    return [one for one in card_equations(card) if isinstance(one, AsText)]


def calculator_pictures(cards: Mapping[str, Card]) -> dict[str, Markup]:
    """Return the first frame of every calculator by the name of its place."""
    return {view.picture: view.frame.html for card in cards.values() for view in calculators(card)}
