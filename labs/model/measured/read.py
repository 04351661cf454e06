"""The reader of nccl-tests logs."""

from collections.abc import Iterable, Sequence

from labs.model.measured.cells import Cells, value
from labs.model.measured.evidence import Found, collective_of, one_row_ranks, ranks_of
from labs.model.measured.joined import one_row_a_line
from labs.model.measured.layout import Header, Layout, layout_of, read_row
from labs.model.measured.lines import clean_lines
from labs.model.measured.order import mixed, parted, sweeps, without_copies
from labs.model.measured.preamble import Preamble
from labs.model.measured.records import NcclLog, NcclRow, NcclRun, NcclSkipped
from labs.model.measured.reported import as_table
from labs.model.measured.tables import Table, by_source, cut, skipped
from labs.model.measured.wrapped import unwrapped
from labs.model.quantities.errors import ModelError, shown


def read_nccl_log(*, text: str) -> NcclLog:
    """Return the runs of a log of nccl-tests or rccl-tests, and what of it was not read, and why.

    Rows are found by their shape, whatever launchers, terminals and web pages put around them, also in a report that
    rccl-tests writes as CSV or JSON, and taken only if

        algorithm bandwidth = size / time

    which also tells the unit of time. Collective and ranks come from what is printed, or stay unknown.

    Args:
        text: the log, or a part of one

    Returns:
        runs, lines not read, notes

    Raises:
        ModelError: not a text

    Source:
        NVIDIA nccl-tests, src/common.cu (the table) and doc/PERFORMANCE.md (bandwidths; it says ms where the
        table has µs)

    >>> log = read_nccl_log(text="1000000 250000 float sum -1 100.0 10.00 15.00 0 100.0 10.00 15.00 0")
    >>> log.runs[0].collective, log.runs[0].ranks, log.runs[0].rows[0].time
    ('all-reduce', 4, 0.0001)
    """
    if not isinstance(text, str):
        raise ModelError(f"expected text to be the text of a log, found {shown(text)}", argument="text")
    runs: list[NcclRun] = []
    lost: dict[int, NcclSkipped] = {}
    notes: list[str] = []
    parts = [cut(lines) for lines in by_source(one_row_a_line(unwrapped(as_table(clean_lines(text)))))]
    for part in parts:
        lost |= {one.line: one for one in part.skipped}
        for table in part.tables:
            if table.rows:
                _read_table(table, runs, lost, notes)
    library = max(sum(table.preamble.library_lines for table in part.tables) for part in parts)
    joined = sum(part.joined for part in parts)
    if library:
        notes.append(f"{_times(library, 'line')} of the library among the rows passed over")
    if joined:
        notes.append(f"{_times(joined, 'row')} broken by other output put together again")
    if not runs:
        notes.append("no row of a table was read: expected lines with size, count, type, time, algbw and busbw")
    return NcclLog(
        runs=tuple(sorted(runs, key=lambda run: run.rows[0].line)),
        skipped=tuple(lost[line] for line in sorted(lost)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _read_table(table: Table, runs: list[NcclRun], lost: dict[int, NcclSkipped], notes: list[str]) -> None:
    layout = layout_of(table.rows, table.preamble.header)
    good, copies = without_copies(table.rows)
    for copy in copies:
        lost[copy.line] = skipped(copy.line, copy.text, "an earlier line once more")
    pairs: list[tuple[Cells, NcclRow]] = []
    for cells in good:
        row = read_row(cells, layout) if layout else _without_layout(cells, table.preamble.header)
        if isinstance(row, NcclRow):
            pairs.append((cells, row))
        else:
            lost[cells.line] = skipped(cells.line, cells.text, row)
    if layout and pairs:
        found = list(_runs(pairs, layout, table))
        notes.extend(_text_within(found, table.among))
        notes.extend(_notes([cells for cells, _ in pairs], layout, table.preamble))
        if any(run.mixed for run in found):
            notes.append("several jobs wrote these rows at the same time, so none is known to belong to its neighbour")
        runs.extend(found)


def _runs(pairs: Sequence[tuple[Cells, NcclRow]], layout: Layout, table: Table) -> Iterable[NcclRun]:
    for (datatype, operation, root), group in _groups(pairs, layout):
        rows = {id(cells): row for cells, row in group}
        for part in parted([cells for cells, _ in group], table.among):
            pieces = sweeps(part)
            together = mixed(pieces)
            for whole in (tuple(part),) if together else pieces:
                collective = collective_of(whole, layout, table.preamble, root)
                for piece, ranks in _by_ranks(whole, layout, table.preamble, collective):
                    yield NcclRun(
                        collective=None if collective.value is None else str(collective.value),
                        collective_from=collective.why,
                        ranks=None if ranks.value is None else int(ranks.value),
                        ranks_from=ranks.why,
                        least_ranks=ranks.least,
                        most_ranks=ranks.most,
                        datatype=datatype,
                        operation=operation,
                        root=root,
                        mixed=together,
                        rows=tuple(rows[id(cells)] for cells in piece),
                    )


def _text_within(runs: Sequence[NcclRun], text: Sequence[int]) -> Iterable[str]:
    within = [line for line in text if any(run.rows[0].line < line < run.rows[-1].line for run in runs)]
    if within:
        lines = f"line {within[0]}" if len(within) == 1 else f"lines {within[0]} to {within[-1]}"
        yield f"other text stands among the rows ({lines}): if it parts runs, give one at a time"


Key = tuple[str, str | None, int | None]


def _groups(
    pairs: Sequence[tuple[Cells, NcclRow]], layout: Layout
) -> Iterable[tuple[Key, list[tuple[Cells, NcclRow]]]]:
    groups: dict[Key, list[tuple[Cells, NcclRow]]] = {}
    for cells, row in pairs:
        root = int(cells.numbers[0]) if layout.root else -1
        key = (cells.datatype, cells.operation, root if root >= 0 else None)
        groups.setdefault(key, []).append((cells, row))
    return groups.items()


def _by_ranks(
    rows: Sequence[Cells], layout: Layout, preamble: Preamble, collective: Found
) -> Iterable[tuple[Sequence[Cells], Found]]:
    """Yield the rows with their ranks; a summary of several runs, put together by hand, falls apart into these."""
    whole = ranks_of(rows, layout, preamble, None if collective.value is None else str(collective.value))
    each = [one_row_ranks(row, layout) for row in rows] if collective.value == "all-reduce" else []
    if whole.most is None and whole.value is None and each and None not in each and len(set(each)) > 1:
        for ranks in dict.fromkeys(each):
            part = [row for row, found in zip(rows, each, strict=True) if found == ranks]
            yield part, ranks_of(part, layout, Preamble(), "all-reduce")
        return
    yield rows, whole


def _without_layout(row: Cells, header: Header) -> str:
    if row.left_out:
        return "the numbers are left out"
    if row.size == 0:
        return "of size zero: nothing was sent"
    if header.width is not None and len(row.numbers) < header.width:
        return f"cut short: {len(row.numbers)} of {header.width} numbers"
    if header.root is not None and value(row.numbers[header.root]) is None:
        return "without a time out of place"
    if len(row.numbers) < 4:
        return f"cut short: {_times(len(row.numbers), 'number')} after its words"
    return "its numbers fit no table of nccl-tests: size over time is not the bandwidth beside it"


def _notes(rows: Sequence[Cells], layout: Layout, preamble: Preamble) -> Iterable[str]:
    if layout.unit is None or layout.unit != 1e-6:
        yield f"time: {layout.unit_from}"
    if layout.share != 1.0:
        yield (
            f"algbw is {layout.share:.3g} of size over time: a version from before 2020, which counts only the part "
            "that each rank receives from others"
        )
    if any(row.second_table for row in rows):
        yield "a second table stands beside the first and was not read"
    labels = [row.before for row in rows]
    if all(label.isdigit() for label in labels) and len(set(labels)) > 1:
        yield f"the column before the size ({', '.join(labels[:4])}, …) is none of nccl-tests and was not read"
    if preamble.jobs > 1:
        yield f"the lines around the table are those of {preamble.jobs} jobs"
    # Counts of wrong elements; versions without a root print the largest error instead, which is never quite zero.
    if layout.root and layout.wrong:
        at = layout.root + 3
        wrong = [row.line for row in rows if (value(row.numbers[at]) or 0) > 0]
        if wrong:
            yield f"wrong results in {_times(len(wrong), 'row')}, the first on line {wrong[0]}"


def _times(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
