"""What cards say of each other, of labs and of figures: names that lead nowhere, and circles of prerequisites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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
    """Yield one circle of prerequisites for each group of cards that wait for each other, at its first card."""
    edges = {
        card_id: [name for name in card.prerequisites if name in cards and name != card_id]
        for card_id, card in sorted(cards.items())
    }
    # What is in no circle falls away: first the cards that need no other, then those that no other needs.
    edges = _without_loose_ends(_reversed(_without_loose_ends(_reversed(edges))))
    seen: set[str] = set()
    for start in sorted(edges):
        if start not in seen and (circle := _circle(start, edges)):
            seen.update(circle)
            index = cards[start].prerequisites.index(circle[1])
            message = f"expected prerequisites without a circle, found {' → '.join(circle)}"
            yield (
                start,
                Finding(at=("prerequisites", index), message=message, hint="take one of these prerequisites out"),
            )


def _unknown(at: Pointer, what: str, name: str, known: frozenset[str], severity: Severity) -> Finding:
    hint = did_you_mean(name, known)
    if hint is None and known and what != "card":
        hint = f"the {what}s of this site: {listed(sorted(known))}"
    return Finding(
        at=at, message=f"expected the id of a {what} of this site, found {quoted(name)}", hint=hint, severity=severity
    )


def _reversed(edges: Mapping[str, list[str]]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {name: [] for name in sorted(edges)}
    for name, targets in edges.items():
        for target in targets:
            result[target].append(name)
    return result


def _without_loose_ends(edges: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the edges without the names that none points at, and again without those that then are left."""
    pointed_at = dict.fromkeys(edges, 0)
    for targets in edges.values():
        for target in targets:
            pointed_at[target] += 1
    loose = [name for name, count in pointed_at.items() if count == 0]
    gone = set(loose)
    while loose:
        for target in edges[loose.pop()]:
            pointed_at[target] -= 1
            if pointed_at[target] == 0:
                loose.append(target)
                gone.add(target)
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
                return way[::-1] if name != start else []
            if target not in came_from:
                came_from[target] = name
                waiting.append(target)
    return []
