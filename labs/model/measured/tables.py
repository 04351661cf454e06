"""A log cut into tables: rows that came from one process, below one preamble."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.model.measured.cells import Cells, read_cells, read_rest
from labs.model.measured.preamble import Preamble, begins_table
from labs.model.measured.records import NcclSkipped

_ELLIPSES = ("...", "…", ". . .")
_SHOWN = 120


@dataclass(kw_only=True)
class Table:
    """One preamble and the rows below it, as a reader goes through the lines."""

    preamble: Preamble = field(default_factory=Preamble)
    rows: list[Cells] = field(default_factory=list)


@dataclass(kw_only=True)
class Tables:
    """All tables of a log."""

    tables: list[Table] = field(default_factory=list)
    skipped: list[NcclSkipped] = field(default_factory=list)
    joined: int = 0


def cut(lines: Iterable[tuple[int, str]]) -> Tables:
    """Return the tables of a log's lines."""
    found = Tables(tables=[Table()])
    open_rows: dict[str, tuple[Table, int]] = {}  # source -> where its row stands that a later line may complete
    for number, text in lines:
        table = found.tables[-1]
        cells = read_cells(number, text)
        if cells is not None:
            table.rows.append(cells)
            open_rows.pop(cells.source, None)
            if cells.may_go_on:
                open_rows[cells.source] = (table, len(table.rows) - 1)
            continue
        rest = read_rest(text)
        if rest is not None:
            source, numbers = rest
            if source in open_rows:
                owner, place = open_rows[source]
                owner.rows[place] = owner.rows[place].joined(numbers)
                found.joined += 1
                if not owner.rows[place].may_go_on:
                    del open_rows[source]
            else:
                found.skipped.append(skipped(number, text, "the beginning of this row is missing"))
            continue
        if table.rows and text.strip().isdigit():
            found.skipped.append(skipped(number, text, "cut short: nothing but one number"))
            continue
        if _left_out(text):
            found.skipped.append(skipped(number, text, "rows are left out here"))
            continue
        if table.rows and begins_table(text):
            found.tables.append(Table())
            open_rows.clear()
        found.tables[-1].preamble.read(text)
    return found


def skipped(line: int, text: str, reason: str) -> NcclSkipped:
    """Return a line that was not read, as a list can hold it."""
    text = " ".join(text.split())
    return NcclSkipped(line=line, text=text[:_SHOWN] + "…" if len(text) > _SHOWN else text, reason=reason)


def _left_out(text: str) -> bool:
    bare = text.strip(" #[](){}<>:")
    return bool(bare) and (bare in _ELLIPSES or set(bare) == {"."} or "... gap" in text or text.strip() == ":")
