"""A log cut into tables: rows that came from one process, below one preamble."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from labs.model.measured.cells import ELEMENT_BYTES, Cells, read_cells, read_rest
from labs.model.measured.lines import source
from labs.model.measured.preamble import Preamble, begins_table, ends_table
from labs.model.measured.records import NcclSkipped

_ELLIPSES = ("...", "…", ". . .")
_NUMBER = re.compile(r"[-+]?\d[\d.,_']*(?:[eE][-+]?\d+)?(?:[KMGT]i?B?|B)?")  # of any country and any program
_DIGITS = re.compile(r"\d+")
_SHOWN = 120
_MOST_SOURCES = 16  # each takes a pass over the log


@dataclass(kw_only=True)
class Table:
    """One preamble and the rows below it, as a reader goes through the lines."""

    preamble: Preamble = field(default_factory=Preamble)
    rows: list[Cells] = field(default_factory=list)
    ended: bool = False
    sentences: list[int] = field(default_factory=list)  # lines of other text since the last row
    among: list[int] = field(default_factory=list)  # those with rows before and after them


@dataclass(kw_only=True)
class Tables:
    """All tables of a log."""

    tables: list[Table] = field(default_factory=list)
    skipped: list[NcclSkipped] = field(default_factory=list)
    joined: int = 0


def by_source(lines: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Return the lines of each process that wrote rows, with those that name none, where prefixes tell them apart."""
    rows = [cells for _, text in lines if (cells := read_cells(0, text)) is not None]
    for tasks in (True, False):
        if sources := _sources(rows, tasks=tasks):
            begun = [(number, text, source(text, tasks=tasks)) for number, text in lines]
            return [
                [(number, text) for number, text, begins in begun if _may_be_of(own, begins, sources)]
                for own in sources
            ]
    return [list(lines)]


def _sources(rows: Sequence[Cells], *, tasks: bool) -> list[str]:
    """Return the names of the processes that wrote rows, none where one alone did or nothing names them.

    A rank of an MPI job but the first prints none: rows of two tasks are of two jobs.
    """
    names = [source(cells.prefix, tasks=tasks) for cells in rows]
    times = Counter(names)
    # A prefix that differs from line to line names no process.
    again = [name for name, number in times.items() if number > 1]
    if not again or len(times) > 2 * len(again):
        return []
    # But one row may be all that is left of a job whose prefix differs in its number alone.
    forms = {_DIGITS.sub("0", name) for name in again}
    found = [name for name, number in times.items() if number > 1 or _DIGITS.sub("0", name) in forms]
    if not 2 <= len(found) <= _MOST_SOURCES:
        return []
    if tasks:
        # Lines of two logs that were counted have one size under each number.
        sizes = {(name, cells.size) for name, cells in zip(names, rows, strict=True) if name in again}
        if len(sizes) < 2 * len(again):
            return []
    return found


def _may_be_of(own: str, begins: str, sources: Sequence[str]) -> bool:
    """Whether no other source's name stands at the beginning; where some rows have none, "" is a source too."""
    named = [name for name in sources if begins.startswith(name) and not _goes_on(begins, name)]
    return not named or max(named, key=len) == own


def _goes_on(begins: str, name: str) -> bool:
    """Whether what seems to be this name is the beginning of a longer one, as pod-1 of pod-10."""
    return name[-1:].isalnum() and (begins[len(name) : len(name) + 1] or " ").isalnum()


def cut(lines: Iterable[tuple[int, str]]) -> Tables:
    """Return the tables of a log's lines."""
    found = Tables(tables=[Table()])
    open_rows: dict[str, tuple[Table, int]] = {}  # source -> where its row stands that a later line may complete
    for number, text in lines:
        table = found.tables[-1]
        cells = read_cells(number, text)
        if cells is not None:
            if table.ended:
                table = Table(preamble=Preamble(header=table.preamble.header))
                found.tables.append(table)
            table.rows.append(cells)
            table.among += table.sentences
            table.sentences.clear()
            open_rows.pop(cells.source, None)
            if cells.may_go_on:
                open_rows[cells.source] = (table, len(table.rows) - 1)
            continue
        rest = read_rest(text)
        if rest is not None:
            origin, numbers = rest
            if origin in open_rows:
                owner, place = open_rows[origin]
                owner.rows[place] = owner.rows[place].joined(numbers)
                found.joined += 1
                if not owner.rows[place].may_go_on:
                    del open_rows[origin]
                continue
            if not origin or origin[-1] in ":>])":  # numbers alone, or behind a launcher's prefix
                found.skipped.append(skipped(number, text, "the beginning of this row is missing"))
                continue
        if table.rows and _like_a_row(text):
            found.skipped.append(skipped(number, text, "numbers without a size, a count and a type in front of them"))
            continue
        if table.rows and text.strip().isdigit():
            found.skipped.append(skipped(number, text, "cut short: nothing but one number"))
            continue
        if _left_out(text):
            table.preamble.cut = table.preamble.cut or not table.rows
            what = "rows" if table.rows else "lines"
            found.skipped.append(skipped(number, text, f"{what} are left out here"))
            continue
        if table.rows and begins_table(text):
            found.tables.append(Table())
            open_rows.clear()
        table = found.tables[-1]
        library = table.preamble.library_lines
        table.preamble.read(text)
        if table.rows and table.preamble.library_lines == library and _is_sentence(text):
            table.sentences.append(number)
        table.ended = table.ended or (bool(table.rows) and ends_table(text))
    return found


def skipped(line: int, text: str, reason: str) -> NcclSkipped:
    """Return a line that was not read, as a list can hold it."""
    text = " ".join(text.split())
    return NcclSkipped(line=line, text=text[:_SHOWN] + "…" if len(text) > _SHOWN else text, reason=reason)


def _like_a_row(text: str) -> bool:
    words = text.split()
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    typed = any(word.lower() in ELEMENT_BYTES for word in words)  # then a prefix may be as long as it likes
    return len(numbers) >= 6 and (typed or len(numbers) >= 0.7 * len(words))


def _is_sentence(text: str) -> bool:
    return "#" not in text and sum(word.isalpha() for word in text.split()) >= 3


def _left_out(text: str) -> bool:
    bare = text.strip(" #[](){}<>:")
    return bool(bare) and (bare in _ELLIPSES or set(bare) == {"."} or "... gap" in text or text.strip() == ":")
