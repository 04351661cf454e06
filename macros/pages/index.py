"""All cards of the site by level and branch."""

import re
from collections.abc import Iterable, Mapping

from labs.catalog import LABS
from macros.cards.types import Card
from macros.pages.prepared import Prepared
from macros.pages.template import render

NO_BRANCH = "Other"
NEIGHBOURS = 40  # of one branch beside a card's page; the index has all


def card_index(cards: Mapping[str, Card]) -> Prepared:
    """Return the index of cards: a heading a level, below it one a branch."""
    levels = by_level(cards)
    ids = _ids(name for level, branches in levels.items() for name in (level, *(f"{level} {b}" for b in branches)))
    shown = [
        {
            "id": ids[level],
            "name": capital(level),
            "branches": [
                {"id": ids[f"{level} {branch}"], "name": branch, "cards": [_entry(card) for card in of_branch]}
                for branch, of_branch in branches.items()
            ],
        }
        for level, branches in levels.items()
    ]
    return Prepared(render("index.html.jinja", levels=shown), tuple((ids[level], capital(level)) for level in levels))


def by_level(cards: Mapping[str, Card]) -> dict[str, dict[str, list[Card]]]:
    """Return the cards by level, then by branch, all sorted."""
    levels: dict[str, dict[str, list[Card]]] = {}
    for card in sorted(cards.values(), key=lambda card: (card.level, card.branch or NO_BRANCH, card.name)):
        levels.setdefault(card.level, {}).setdefault(card.branch or NO_BRANCH, []).append(card)
    return levels


def neighbours(here: Card, cards: Mapping[str, Card]) -> tuple[Card, ...]:
    """Return the cards of a card's branch, itself among them, in their order: the nearest, where there are many."""
    branch = [card for card in cards.values() if (card.level, card.branch) == (here.level, here.branch)]
    first = min(max(branch.index(here) - NEIGHBOURS // 2, 0), max(len(branch) - NEIGHBOURS, 0))
    return tuple(branch[first : first + NEIGHBOURS])


def _entry(card: Card) -> dict[str, object]:
    features = []
    if any(lab in LABS for lab in (card.lab_id, card.deep_lab_id, card.investigation_id)):
        features.append("live lab")
    for number, what in ((len(card.figures), "figure"), (len(card.examples), "checked number")):
        if number:
            features.append(f"{number} {what}{'' if number == 1 else 's'}")
    return {"href": f"cards/{card.id}.html", "name": card.name, "role": card.role, "features": features}


def _ids(names: Iterable[str]) -> dict[str, str]:
    """Return an id for each name, different ones even for names that differ only in signs."""
    taken: dict[str, str] = {}
    for name in dict.fromkeys(names):
        slug = re.sub(r"\W+", "-", name.lower()).strip("-") or "cards"
        while slug in taken.values():
            slug += "-"
        taken[name] = slug
    return taken


def capital(text: str) -> str:
    """Return the text with a capital."""
    return text[:1].upper() + text[1:]
