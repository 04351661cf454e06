"""The equations of a card as calculators, and the reason for each that stays text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from labs.engineering import Calculator, calculator
from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import Definition, write_definition
from macros.cards.tex import without_tex
from macros.cards.types import Card, ScienceEntry
from macros.equations.arithmetic import RELATIONS, Unclear
from macros.equations.chains import bracketed
from macros.equations.typeset import typeset
from macros.pages.definition import definition


@dataclass(frozen=True)
class AsText:
    """An equation that is not computed."""

    title: str
    source: str
    reason: str


def equation_labs(card: Card) -> tuple[tuple[dict[str, Any], Calculator], ...]:
    """Return each equation of a card that can be computed: its definition as data, and its lab."""
    definitions = (one for one in card_equations(card) if isinstance(one, Definition))
    written = map(write_definition, definitions)
    return tuple((data, calculator(data)) for data in written)


def card_equations(card: Card) -> tuple[Definition | AsText, ...]:
    """Return the equations of a card in their order, each computed or with the reason why it is not.

    What two entries state in the same words is computed once.
    """
    found: dict[str, Definition | AsText] = {}
    for entry in card.science:
        for one in _entry(entry, card):
            found.setdefault(one.source if isinstance(one, AsText) else one.equation, one)
    return tuple(found.values())


def _entry(entry: ScienceEntry, card: Card) -> list[Definition | AsText]:
    """Return the equations of an entry, by its LaTeX or by its text, whichever more can be computed of."""
    sources = ((entry.latex, True), (entry.equation, False))
    readings = [_read(source, entry, card, latex=latex) for source, latex in sources if source]
    best = max(readings, key=lambda parts: sum(isinstance(part, Definition) for part in parts))
    return list(_titled(best))


def _read(source: str, entry: ScienceEntry, card: Card, *, latex: bool) -> list[Definition | AsText]:
    """Return the equations of a source; what the page does not typeset is none."""
    reading = bracketed(source) if not latex and _is_text(source) else source
    if not latex and _is_text(reading):
        reason = "it can be read in two ways" if RELATIONS.search(source) else "it is a sentence"
        return [AsText(entry.title, source, reason)]
    parts = ([part.strip() for part in without_tex(one).removesuffix(".").split("; ")] for one in (source, reading))
    return [
        _equation(shown, read, entry, card, glued="\\" in source) for shown, read in zip(*parts, strict=True) if shown
    ]


def _is_text(source: str) -> bool:
    return any(piece.kind == "text" for piece in typeset(source, None))


def _titled(parts: Sequence[Definition | AsText]) -> Iterator[Definition | AsText]:
    """Yield the equations of one entry, told apart by what they give, or else by number."""
    given = [one.shown[one.solve_for] for one in parts if isinstance(one, Definition)]
    for number, one in enumerate(parts, start=1):
        if isinstance(one, AsText) or len(parts) == 1:
            yield one
        else:
            own = one.shown[one.solve_for]
            yield replace(one, title=f"{one.title}: {own if given.count(own) == 1 else f'{number} of {len(parts)}'}")


def _equation(shown: str, read: str, entry: ScienceEntry, card: Card, *, glued: bool) -> Definition | AsText:
    try:
        return definition(read, entry, card, glued=glued)
    except (Unclear, ModelError) as refusal:
        return AsText(entry.title, shown, str(refusal))
