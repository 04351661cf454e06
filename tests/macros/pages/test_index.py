"""The lists of cards: those beside a card's page stay short however many there are."""

from collections.abc import Callable

import pytest

from macros.cards.load import Library
from macros.cards.types import Card
from macros.pages.index import NEIGHBOURS, neighbours
from tests.macros.pages.sample import full_card


@pytest.fixture
def card(library: Callable[..., Library]) -> Card:
    return library(full_card()).cards["full"]


def replace(card: Card, **changes: object) -> Card:
    return card.model_copy(update=changes)


def branch(card: Card, count: int) -> dict[str, Card]:
    return {f"card-{i}": replace(card, id=f"card-{i}", level="system", branch="one") for i in range(count)}


def test_a_small_branch_is_listed_whole(card: Card) -> None:
    cards = branch(card, 5) | {"other": replace(card, id="other", level="system", branch="two")}
    assert [found.id for found in neighbours(cards["card-3"], cards)] == [f"card-{i}" for i in range(5)]


@pytest.mark.parametrize(("here", "first"), [(0, 0), (10, 0), (500, 500 - NEIGHBOURS // 2), (999, 1000 - NEIGHBOURS)])
def test_of_a_large_branch_the_nearest_are_listed(card: Card, here: int, first: int) -> None:
    cards = branch(card, 1000)
    found = [found.id for found in neighbours(cards[f"card-{here}"], cards)]
    assert found == [f"card-{i}" for i in range(first, first + NEIGHBOURS)]
    assert f"card-{here}" in found
