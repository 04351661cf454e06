"""The cards of a folder, typed and checked: all problems of all cards at once."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from labs.catalog import LABS
from macros.cards.cells import cell_findings
from macros.cards.equations import equation_findings
from macros.cards.lab_links import lab_link_findings
from macros.cards.links import Known, cycle_findings, link_findings
from macros.cards.locate import Places, placed
from macros.cards.numbers import number_findings
from macros.cards.syntax import NotJson, line_and_column, read_document
from macros.cards.types import Card
from macros.cards.validate import read_card
from macros.figures import FIGURES
from macros.problem import Finding, Problem, json_pointer, quoted, shown_path

SCHEMA = "card.schema.json"
ALMOST = (".jsonc", ".json5", ".jsn", ".jason", ".json.txt", ".yaml", ".yml")  # ends of names that look like cards'


@dataclass(frozen=True, kw_only=True)
class Library:
    """The cards that are right in themselves, sorted by id, and every problem of every file."""

    cards: Mapping[str, Card]
    problems: tuple[Problem, ...]
    files: Mapping[str, Path]
    read: int = 0  # files that were read as cards

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Return the problems that keep a site from being built."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


@dataclass(frozen=True)
class Draft:
    """One file on its way: its card, if it gave one, whose `doubtful` keys hold substitutes for wrong values."""

    file: Path
    places: Places
    card: Card | None
    findings: tuple[Finding, ...]
    doubtful: frozenset[str]


def load_cards(
    paths: Iterable[Path],
    *,
    strict: bool = False,
    labs: Collection[str] | None = None,
    figures: Collection[str] | None = None,
) -> Library:
    """Return the cards in these files and folders, with all problems of all of them.

    Args:
        paths: card files, or folders of them; a name that starts with a dot, and card.schema.json, are no cards
        strict: warnings are errors
        labs: ids of the labs of this site; without it those of labs.catalog
        figures: ids of the figures of this site; without it those of macros.figures
    """
    problems: list[Problem] = []
    files = list(_card_files(paths, problems))
    drafts = [draft for file in files if (draft := _draft(file, problems)) is not None]
    twins: dict[str, list[Draft]] = {}
    for draft in drafts:
        if draft.card and "id" not in draft.doubtful:
            twins.setdefault(draft.card.id, []).append(draft)
    first = {card_id: same[0] for card_id, same in twins.items()}
    known = Known(
        cards=frozenset({file.stem for file in files} | _beside(files) | first.keys()),
        labs=frozenset(LABS) if labs is None else frozenset(labs),
        figures=frozenset(FIGURES) if figures is None else frozenset(figures),
    )
    circles: dict[str, list[Finding]] = {}
    for card_id, finding in cycle_findings({card_id: draft.card for card_id, draft in first.items() if draft.card}):
        circles.setdefault(card_id, []).append(finding)
    for draft in drafts:
        findings = [*draft.findings, *_id_findings(draft, twins)]
        if draft.card:
            findings += _checks(draft.card, draft.doubtful, known)
            findings += circles.get(draft.card.id, []) if first.get(draft.card.id) is draft else []
        problems += [placed(draft.file, draft.places, finding) for finding in findings]
    sound = {card_id: draft for card_id, draft in sorted(first.items()) if draft.card and not draft.doubtful}
    return Library(
        cards=MappingProxyType({card_id: draft.card for card_id, draft in sound.items() if draft.card}),
        problems=tuple(sorted((problem.as_error() if strict else problem for problem in problems), key=_order)),
        files=MappingProxyType({card_id: draft.file for card_id, draft in sound.items()}),
        read=len(files),
    )


def _card_files(paths: Iterable[Path], problems: list[Problem]) -> Iterator[Path]:
    """Yield each card file once; what is no card file is a problem."""
    seen: set[Path] = set()
    for path in paths:
        try:
            inside = sorted(path.iterdir()) if path.is_dir() else [path]
        except OSError as error:
            problems.append(_no_file(path, "a folder that can be read", f"one that gives: {error.strerror or error}"))
            continue
        files = [
            file
            for file in inside
            if file.suffix.lower() == ".json" and not file.name.startswith(".") and file.name != SCHEMA
        ]
        problems += [_no_card(file) for file in inside if file.name.lower().endswith(ALMOST) and file.name[0] != "."]
        if not files:
            found = "none" if path.is_dir() else "no such file" if not path.exists() else "another name"
            problems.append(_no_file(path, "card files, named <id>.json", found))
        for file in files:
            if (real := file.absolute().resolve()) not in seen:
                seen.add(real)
                yield file


def _beside(files: Iterable[Path]) -> set[str]:
    """Return the ids of all cards in the folders of these: a card that is checked alone may name its neighbours."""
    return {file.stem for folder in {file.parent for file in files} for file in folder.glob("*.json")}


def _draft(file: Path, problems: list[Problem]) -> Draft | None:
    if not file.is_file():
        found = "a folder" if file.is_dir() else "none"  # a broken link, or something that never ends
        problems.append(_no_file(file, "a file", found))
        return None
    try:
        document = read_document(file.read_bytes())
    except OSError as error:
        problems.append(_no_file(file, "a file that can be read", f"one that gives: {error.strerror or error}"))
        return None
    except NotJson as error:
        line, column = line_and_column(error.text, error.position)
        problems.append(
            Problem(file=file, line=line, column=column, pointer="", message=error.message, hint=error.hint)
        )
        return None
    places = Places(document.text)
    reading = read_card(document.data, file.stem)
    repeated = tuple(places.repeated_keys()) if document.repeats_a_key else ()
    for at, key, (line, column), (first_line, first_column) in repeated:
        message = f"expected each key once, found {quoted(key)} again"
        hint = f"it stands at {first_line}:{first_column} already"
        problems.append(
            Problem(file=file, line=line, column=column, pointer=json_pointer(at), message=message, hint=hint)
        )
    doubtful = reading.doubtful | {str(at[0]) for at, *_ in repeated}
    return Draft(file, places, reading.card, reading.findings, doubtful)


def _id_findings(draft: Draft, twins: Mapping[str, list[Draft]]) -> Iterator[Finding]:
    """Yield what is wrong with a card's id among the others: another card has it, or the file has another name."""
    card = draft.card
    if card is None or "id" in draft.doubtful:
        return
    others = [twin for twin in twins[card.id] if twin is not draft]
    for other in others:
        line, column = other.places.place(("id",))
        named = f'by its name this file holds the card "{draft.file.stem}"' if draft.file.stem != card.id else None
        there = f"{shown_path(other.file)}:{line}:{column}"
        message = f"expected an id that no other card has, found {quoted(card.id)} in {there} too"
        yield Finding(at=("id",), message=message, hint=named)
    if not others and draft.file.stem != card.id:
        yield Finding(
            at=("id",),
            message=f"expected {quoted(draft.file.stem)}, as the file is named, found {quoted(card.id)}",
            hint=f"or rename the file to {card.id}.json",
        )


def _checks(card: Card, doubtful: frozenset[str], known: Known) -> Iterator[Finding]:
    """Yield what is wrong between a card's values, but for values that are only substitutes."""
    numbers = number_findings(card, whole=not doubtful)
    code = (*cell_findings(card), *lab_link_findings(card))
    for finding in (*link_findings(card, known), *numbers, *equation_findings(card), *code):
        if not finding.at or finding.at[0] not in doubtful:
            yield finding


def _no_file(path: Path, expected: str, found: str) -> Problem:
    return Problem(file=path, line=0, column=0, pointer="", message=f"expected {expected}, found {found}")


def _no_card(file: Path) -> Problem:
    message = f"expected cards in files named <id>.json, found {quoted(file.name)}: it is not read"
    return Problem(file=file, line=0, column=0, pointer="", message=message, severity="warning")


def _order(problem: Problem) -> tuple[str, int, int, str]:
    return str(problem.file), problem.line, problem.column, problem.message
