"""What cards say of each other, of labs and of figures: names that lead nowhere, and circles of prerequisites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from macros.cards.types import Card
from macros.names import did_you_mean
from macros.problem import Finding, Pointer, Severity, listed, quoted


@dataclass(frozen=True, kw_only=True)
class Known:
    """The ids that a card may name."""

    cards: frozenset[str]
    labs: frozenset[str]
    figures: frozenset[str]


def link_findings(card: Card, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with the names in one card."""
    for key, names in (("related", card.related), ("prerequisites", card.prerequisites)):
        for index, name in enumerate(names):
            if name == card.id:
                yield Finding(
                    at=(key, index), message=f"expected the id of another card, found this card's own, {quoted(name)}"
                )
            elif name not in known.cards:
                yield _unknown((key, index), "card", name, known.cards, "warning")
    for key, lab in (
        ("labId", card.lab_id),
        ("deepLabId", card.deep_lab_id),
        ("investigationId", card.investigation_id),
    ):
        if lab is not None and lab not in known.labs:
            yield _unknown((key,), "lab", lab, known.labs, "warning")
    for index, name in enumerate(card.figures):
        if name not in known.figures:
            yield _unknown(("figures", index), "figure", name, known.figures, "error")


def cycle_findings(cards: Mapping[str, Card]) -> Iterator[tuple[str, Finding]]:
    """Yield circles of prerequisites that share no step, each at its first card."""
    edges = {
        name: [needed for needed in cards[name].prerequisites if needed in cards and needed != name]
        for name in sorted(cards)
    }
    while edges := _without_ends(edges):
        # What remains lies on a circle or on a way between two.
        circle = next(found for name in edges if (found := _circle(name, edges)))
        for before, after in pairwise(circle):
            edges[before].remove(after)
        message = f"expected prerequisites without a circle, found {' → '.join(circle)}"
        at = ("prerequisites", cards[circle[0]].prerequisites.index(circle[1]))
        yield circle[0], Finding(at=at, message=message, hint="take one of these prerequisites out")


def _unknown(at: Pointer, what: str, name: str, known: frozenset[str], severity: Severity) -> Finding:
    hint = did_you_mean(name, known)
    if hint is None and known and what != "card":
        hint = f"the {what}s of this site: {listed(sorted(known))}"
    return Finding(
        at=at, message=f"expected the id of a {what} of this site, found {quoted(name)}", hint=hint, severity=severity
    )


def _without_ends(edges: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the edges without the names that need no other, and without those that then need no other, and so on."""
    needed_by: dict[str, list[str]] = {name: [] for name in edges}
    for name, targets in edges.items():
        for target in targets:
            needed_by[target].append(name)
    open_needs = {name: len(targets) for name, targets in edges.items()}
    ends = [name for name, count in open_needs.items() if count == 0]
    for end in ends:
        for name in needed_by[end]:
            open_needs[name] -= 1
            if open_needs[name] == 0:
                ends.append(name)
    gone = set(ends)
    return {
        name: [target for target in targets if target not in gone]
        for name, targets in edges.items()
        if name not in gone
    }


def _circle(start: str, edges: Mapping[str, list[str]]) -> list[str]:
    """Return the shortest way from a name back to itself, or nothing."""
    came_from: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for target in edges[name]:
            if target == start:
                way = [start, name]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if target not in came_from:
                came_from[target] = name
                waiting.append(target)
    return []
