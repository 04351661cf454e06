"""One card as a page of Markdown, its sections in the order of the HTML page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.catalog import LABS
from macros.cards.load import Library
from macros.cards.numbers import checked
from macros.cards.types import Card, Cell, Check, Event, ScienceEntry, paragraphs
from macros.equations.typeset import typeset
from macros.export.blocks import bullets, heading, labelled, numbered, page, quote, table
from macros.export.escape import Markdown, code, equation, fenced, inline, link
from macros.export.lab import calculator_blocks, lab_blocks, state_link
from macros.pages.calculators import LAB as CALCULATOR
from macros.pages.card import HEADINGS, says_more
from macros.pages.equations import equation_labs
from macros.pages.lab_page import labs_of, scoped_lab

if TYPE_CHECKING:  # it loads matplotlib, which cards without figures do not need
    from macros.figures.drawing import Figure


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a page can lead to: the other cards, drawings by figure id, and a site with live labs, or None."""

    library: Library
    figures: Mapping[str, "Figure"]
    site: str | None


def card_markdown(card: Card, place: Place) -> str:
    """Return the page of one card."""
    sections = {
        "mechanism": [*_prose(card.description), numbered(map(inline, card.mechanism))],
        "science": [*_science(card, place), *_figures(card, place)],
        "example": [*_prose(card.engineering_example), *_checked(card)],
        "lab": _lab(card, place),
        "distinctions": [
            labelled("Often misunderstood.", inline(card.misconception)),
            labelled("Tradeoff.", inline(card.tradeoff)),
            labelled("Why it matters for AI.", inline(card.why_ai)),
        ],
        "specifications": _specifications(card),
        "check": _quiz((card.check, *card.checks)),
        "history": [block for event in card.history for block in _event(event)],
        "evidence": _evidence(card),
        "related": [bullets(_links(card.related, place.library))] if card.related else [],
    }
    headings = HEADINGS if labs_of(card) else HEADINGS | {"lab": "Try it"}
    blocks = _head(card, place)
    for section, title in headings.items():
        if sections[section]:
            blocks += [heading(2, inline(title)), *sections[section]]
    return page(card.name, card.role, blocks)


def _prose(text: str) -> list[Markdown]:
    return [inline(paragraph) for paragraph in paragraphs(text)]


def _head(card: Card, place: Place) -> list[Markdown]:
    kicker = " · ".join(filter(None, (card.level, card.branch, card.subbranch)))
    short = [inline(f"In short: {card.short_name}")] if card.short_name != card.name else []
    facts = {"Kind": card.kind, "Scale": card.scale, "Workstream": card.workstream, "Family": card.visual_family}
    if card.prerequisites:
        first = [labelled("Prerequisites.", inline("Read first:")), bullets(_links(card.prerequisites, place.library))]
    else:
        first = [labelled("Prerequisites.", inline("None: start here."))]
    return [
        heading(1, inline(card.name)),
        inline(kicker),
        *short,
        inline(card.role),
        bullets(inline(f"{name}: {value}") for name, value in facts.items() if value),
        labelled("Learning objective.", inline(card.learning_objective)),
        *first,
    ]


def _science(card: Card, place: Place) -> list[Markdown]:
    return [block for entry in card.science for block in _entry(entry, place.site)]


def _entry(entry: ScienceEntry, site: str | None) -> list[Markdown]:
    blocks = [heading(3, inline(entry.title))]
    # What is no LaTeX stays as the card has it: to turn text into LaTeX would be to guess.
    for piece in typeset(entry.equation, entry.latex):
        blocks.append(equation(piece.tex) if piece.tex else quote(inline(piece.source)))
    if entry.latex and says_more(entry.equation):
        blocks.append(inline(f"In words: {entry.equation}"))
    blocks += _prose(entry.explanation)
    if entry.symbols:
        rows = [(inline(one.symbol), inline(one.meaning), inline(one.unit)) for one in entry.symbols]
        blocks.append(table(("Symbol", "Meaning", "Unit"), rows))
    first, *rest = _prose(entry.assumptions)
    blocks += [labelled("Assumptions.", first), *rest]
    if entry.model:
        named = link(entry.model, f"{site}/model.html#{entry.model}") if site else code(entry.model)
        blocks.append(Markdown(f"In the model: {named}"))
    return blocks


def _figures(card: Card, place: Place) -> list[Markdown]:
    blocks = []
    for name in card.figures:
        figure = place.figures[name]
        blocks += [
            Markdown(f"![{inline(figure.alt)}](figures/{name}.svg)"),
            labelled("Figure.", inline(figure.caption)),
        ]
    return blocks


def _checked(card: Card) -> list[Markdown]:
    calls = [Markdown(f"{code(example.call)} gives {inline(example.shown)}") for example in checked(card)]
    return [inline("Checked by the model at each build:"), bullets(calls)] if calls else []


def _lab(card: Card, place: Place) -> list[Markdown]:
    blocks = []
    for lab_id in labs_of(card):
        if lab_id == CALCULATOR:
            for _, calculator in equation_labs(card):
                blocks += calculator_blocks(calculator)
        elif lab_id in LABS:
            blocks += lab_blocks(lab_id, card.lab_scope if lab_id == scoped_lab(card) else None, place.site)
        else:
            blocks.append(inline(f"The lab “{lab_id}” is not part of this site."))
    if card.lab_links:
        blocks += [inline("States to look at:"), bullets(state_link(state, place.site) for state in card.lab_links)]
    return blocks + [block for cell in card.cells for block in _cell(cell)]


def _cell(cell: Cell) -> list[Markdown]:
    note = [inline(cell.note)] if cell.note else []
    return [heading(3, inline(cell.title)), *note, fenced(cell.code, "python")]


def _specifications(card: Card) -> list[Markdown]:
    blocks = []
    if card.specs:
        rows = [(inline(spec.label), inline(spec.value), inline(spec.context)) for spec in card.specs]
        blocks += [heading(3, inline("Specifications")), table(("Property", "Value", "Context"), rows)]
    if card.interfaces:
        rows = [(inline(one.name), inline(one.direction), inline(one.signal)) for one in card.interfaces]
        blocks += [heading(3, inline("Interfaces")), table(("Interface", "Direction", "What passes"), rows)]
    return blocks


def _quiz(questions: Iterable[Check]) -> list[Markdown]:
    """Return the questions, then all answers: Markdown cannot fold one, so it does not stand beside its question."""
    asked, answers = [], [heading(3, inline("Answers"))]
    for number, check in enumerate(questions, start=1):
        asked += [
            heading(3, inline(f"Question {number}")),
            inline(check.question),
            numbered(map(inline, check.options)),
        ]
        answers += [
            labelled(f"Question {number}, option {check.answer + 1}.", inline(check.options[check.answer])),
            inline(check.explanation),
        ]
    return asked + answers


def _event(event: Event) -> list[Markdown]:
    source = [link(event.source.title, event.source.url)] if event.source else []
    return [heading(3, inline(f"{event.year} · {event.title}")), *_prose(event.description), *source]


def _evidence(card: Card) -> list[Markdown]:
    scope = [labelled("Scope.", inline(card.scope))] if card.scope else []
    sources = numbered(link(source.title, source.url) for source in card.sources)
    return [*_prose(card.evidence_notes), *scope, heading(3, inline("Sources")), sources]


def _links(ids: Iterable[str], library: Library) -> list[Markdown]:
    """Return links to cards by id; one that is not here is a plain name."""
    cards = library.cards
    return [
        Markdown(f"{link(cards[id].name, f'{id}.md')}: {inline(cards[id].role)}")
        if id in cards
        else inline(f"{id} (no card on this site)")
        for id in ids
    ]
