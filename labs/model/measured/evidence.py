"""Which collective, and over how many ranks: what the rows and the lines around them tell, and nothing assumed."""

from collections.abc import Sequence
from math import ceil, floor, inf
from typing import NamedTuple

from labs.model.measured.cells import ELEMENT_BYTES, REDUCTIONS, Cells, half_step, lost_step, value
from labs.model.measured.layout import GB, Layout
from labs.model.measured.preamble import Preamble

NEAR = 1e-9
# An all-reduce moves 2(p − 1)/p of its size, these (p − 1)/p, and their count is of one rank's part.
BY_PARTS = ("all-gather", "reduce-scatter", "all-to-all", "gather", "scatter")


class Found(NamedTuple):
    """A conclusion, what led to it, and which ranks the bandwidths allow."""

    value: str | int | None
    why: str
    least: int = 1
    most: int | None = None


def collective_of(rows: Sequence[Cells], layout: Layout, preamble: Preamble, root: int | None) -> Found:
    """Return which collective the rows are of."""
    reduces = None if _lost_operation(rows, layout) else rows[0].operation in REDUCTIONS
    parts = _parts(rows)
    by_rows, why = _collective_by_rows(reduces, parts, root, rows, layout)
    named = sorted(preamble.tests)
    if len(named) == 1:
        fits = by_rows == named[0] or (
            by_rows is None
            and (reduces is None or (named[0] in ("all-reduce", "reduce", "reduce-scatter")) == reduces)
            and (parts in (None, 1) or named[0] in BY_PARTS)
        )
        if fits:
            return Found(value=named[0], why="the name of the test")
        if by_rows == "all-reduce":
            # A send/recv prints what an all-reduce of two ranks would; of no other test is that known.
            value = named[0] if named[0] == "send/recv" else None
            return Found(value=value, why=f"the test is called {named[0]}, though its rows could be an all-reduce's")
        if by_rows is None:
            return Found(value=None, why=f"the test is called {named[0]}, but its rows are of another collective")
        return Found(value=by_rows, why=f"{why}, though a test is called {named[0]}")
    if by_rows == "all-reduce" and not all(_checked_in_place(row, layout) for row in rows):
        others = [(ranks, which) for ranks, which in _listed(preamble) if ranks > 2]
        if others and _all_reduce_ranks(*_factors(rows, layout)) == (2, 2):
            ranks, which = others[0]
            return Found(value=None, why=f"busbw/algbw of 1 over {ranks} ranks ({which}): a send/recv rather")
    return Found(value=by_rows, why=why)


def _lost_operation(rows: Sequence[Cells], layout: Layout) -> bool:
    """Whether the rows have lost their reduction: only versions that print no root, and errors, leave out that of none.

    Those print errors as 0e+00; later ones count wrong elements.
    """
    if rows[0].operation is not None:
        return False
    checks = [row.numbers[_check(layout, in_place=layout.in_place_first)] for row in rows if layout.wrong]
    return layout.root or any(check.isdigit() for check in checks)


def _collective_by_rows(
    reduces: bool | None, parts: int | None, root: int | None, rows: Sequence[Cells], layout: Layout
) -> tuple[str | None, str]:
    if reduces is None:
        return None, "the column of the reduction is missing"
    if reduces:
        if root is not None:
            return "reduce", "a reduction with a root"
        if parts is not None and parts > 1:
            return "reduce-scatter", f"a reduction whose count is 1/{parts} of its size"
        if all(_checked_out_of_place_alone(row, layout) for row in rows):
            return "send/recv", "a table that is not checked in place, as a send/recv"
        _, high = _factors(rows, layout)
        if parts is None and not (high >= 1 or high < 0.25):
            return None, "a reduction, but the size of an element is not known"
        return "all-reduce", "a reduction without a root whose count is that of its whole size"
    if root is not None:
        return None, "no reduction, and a root: a broadcast, a gather or a scatter"
    if parts is not None and parts > 1:
        part = f"no reduction, and a count of 1/{parts} of the size"
        if all(_checked_out_of_place_alone(row, layout) for row in rows):
            return "all-to-all", f"no reduction, not checked in place, and a count of 1/{parts} of the size"
        # Only an all-gather is checked in place.
        if all(_checked_in_place(row, layout) for row in rows):
            return "all-gather", part
        return None, f"{part}: an all-gather, or an all-to-all"
    return None, "no reduction: not an all-reduce"


def _checked_out_of_place_alone(row: Cells, layout: Layout) -> bool:
    if not layout.wrong or layout.halves != 2:
        return False
    start = layout.root + layout.half * (not layout.in_place_first)  # of what stands in place
    return (
        value(row.numbers[start]) is not None
        and not _checked_in_place(row, layout)
        and value(row.numbers[_check(layout, in_place=False)]) is not None
    )


def _checked_in_place(row: Cells, layout: Layout) -> bool:
    return layout.wrong and layout.halves == 2 and value(row.numbers[_check(layout, in_place=True)]) is not None


def _check(layout: Layout, *, in_place: bool) -> int:
    """Return where the check of a half stands among a row's numbers."""
    return layout.root + layout.half * (1 + (in_place != layout.in_place_first)) - 1


def ranks_of(rows: Sequence[Cells], layout: Layout, preamble: Preamble, collective: str | None) -> Found:
    """Return how many ranks took part."""
    parts = _parts(rows)
    low, high = _factors(rows, layout)
    least, most = 1, None
    measured = "nothing printed"
    if collective == "all-reduce":
        if 0 < low <= high < 1 - NEAR or low > 2 + NEAR:
            why = f"busbw/algbw of {_span(low, high)}, where an all-reduce has 2(p − 1)/p, so 0 or 1 to 2"
            return Found(value=None, why=why)
        if low <= high:
            least, most = _all_reduce_ranks(low, high)
            measured = f"busbw/algbw of {_span(low, min(high, 2.0))}, which is 2(p − 1)/p"
        else:
            return Found(value=None, why="busbw/algbw differs from row to row: runs over different numbers of ranks")
    elif parts is not None and parts > 1 and collective in BY_PARTS:
        least = most = parts
        measured = f"a count of 1/{parts} of the size"

    def allowed(ranks: int) -> bool:
        return least <= ranks and (most is None or ranks <= most)

    told = _told(preamble)
    believed = [(ranks, why) for ranks, why in told if allowed(ranks)]
    beside = "".join(f", though {ranks} by {why}" for ranks, why in told if not allowed(ranks))
    if preamble.stated and believed and believed[0][0] == preamble.stated:
        del believed[1:]  # by the test itself, beside each row
    if len({ranks for ranks, _ in believed}) == 1:
        return Found(value=believed[0][0], why=believed[0][1] + beside, least=least, most=most)
    if least == most:
        return Found(value=least, why=measured + beside, least=least, most=most)
    if believed:
        why = " but ".join(f"{ranks} by {why}" for ranks, why in believed) + beside
        return Found(value=None, why=f"{why}: say how many took part", least=least, most=most)
    guess = _guess(preamble)
    if guess and most is not None and allowed(guess[0]) and not allowed(2 * guess[0]):
        return Found(value=guess[0], why=f"{guess[1]}, and {measured}{beside}", least=least, most=most)
    bounds = f"{least} or more" if most is None else f"{least} to {most}"
    why = f"{measured} allows {bounds}" if collective == "all-reduce" else "not printed"
    return Found(value=None, why=f"{why}{beside}: say how many took part", least=least, most=most)


def one_row_ranks(row: Cells, layout: Layout) -> int | None:
    """Return the ranks of an all-reduce that one row alone tells."""
    low, high = _factors((row,), layout)
    if low > high or 0 < low <= high < 1 - NEAR:
        return None
    least, most = _all_reduce_ranks(low, high)
    return least if least == most else None


def _told(preamble: Preamble) -> list[tuple[int, str]]:
    found = _listed(preamble)
    if preamble.processes and preamble.per_process and not preamble.split:
        found.append((preamble.processes * preamble.per_process, "-np × nThread × nGpus"))
    return found


def _listed(preamble: Preamble) -> list[tuple[int, str]]:
    """Return what the test itself tells of its ranks; a launcher may have begun several tests."""
    found = []
    if preamble.stated:
        found.append((preamble.stated, "the report's column of ranks"))
    if preamble.ranks and preamble.all_ranks and preamble.members:
        found.append((preamble.members, "the lines that name each rank"))
    if len(preamble.nranks) == 1:
        found.append((next(iter(preamble.nranks)), "nranks in lines of the library"))
    return found


def _guess(preamble: Preamble) -> tuple[int, str] | None:
    """Return what would be no more than likely, were it not that the bandwidths exclude its double."""
    listed = max(preamble.ranks, default=-1) + 1
    # Of a list that was cut in the middle the last rank may well be the last of all; of one that ends early it is not.
    if len(preamble.ranks) < listed and not (preamble.split or preamble.ends_early or preamble.ends_within):
        return listed, "the highest rank of a list that was cut"
    if preamble.devices:
        hosts = len({host for host, _ in preamble.devices})
        each = max(device for _, device in preamble.devices) + 1
        if 2 * len(preamble.devices) > hosts * each:
            return hosts * each, f"lines of the library from {hosts} hosts with {each} devices"
    if preamble.per_process and preamble.per_process > 1:
        return preamble.per_process, "nThread × nGpus"
    return None


def _parts(rows: Sequence[Cells]) -> int | None:
    """Return the size over the bytes that the count stands for: 1, or the ranks where the count is of a part."""
    found = set()
    for row in rows:
        element = ELEMENT_BYTES.get(row.datatype.lower())
        if element and row.size and row.count:
            found.add(row.size // (row.count * element) if row.size % (row.count * element) == 0 else 0)
    return found.pop() if len(found) == 1 and 0 not in found else None


def _factors(rows: Sequence[Cells], layout: Layout) -> tuple[float, float]:
    """Return the bounds of bus over algorithm bandwidth that all rows allow, as far as they are printed."""
    low, high = 0.0, inf
    unit = layout.unit or 1e-6  # a row is read only where the unit is known
    for row in rows:
        for which in range(layout.halves):
            start = layout.root + which * layout.half
            numbers = row.numbers[start : start + 3]
            if len(numbers) < 3 or any(value(number) is None for number in numbers) or float(numbers[0]) <= 0:
                continue
            time, bus = float(numbers[0]), float(numbers[2])
            # Size over time is known to more digits than the printed algorithm bandwidth.
            rate = layout.share * row.size / (time * unit) / GB
            doubt = _time_step(numbers[0], time, unit) / time + 1e-4
            lost = lost_step(numbers[2], numbers[1])
            step = 0.0051 if lost else _step(half_step(numbers[2]), 0.0051)
            low = max(low, (bus - step) / rate * (1 - doubt))
            high = min(high, (bus + step + lost) / rate * (1 + doubt))
    return low, high


def _time_step(number: str, time: float, unit: float) -> float:
    """Return how far a time may be off: the test prints 99.99, 9999.9 or 99999 µs, or 9.999 ms, whatever is added."""
    printed = 0.0005 if unit == 1e-3 else 0.5 if time >= 1e4 else 0.05 if time >= 100 else 0.005
    return _step(half_step(number), printed)


def _step(half: float, printed: float) -> float:
    """Return how far a number may be off that was printed to half a step, and perhaps rounded once more."""
    return printed if half <= printed else half + printed


def _all_reduce_ranks(low: float, high: float) -> tuple[int, int | None]:
    if high < 1 - NEAR:
        return 1, 1
    least = 1 if low <= 0 else max(2, ceil(2 / (2 - low) - 1e-6)) if low < 2 else 2**20
    most = None if high >= 2 else floor(2 / (2 - high) + 1e-6)
    return least, most if most is None else max(least, most)


def _span(low: float, high: float) -> str:
    return f"{low:.4g}" if high - low < 1e-3 else f"{low:.4g} to {high:.4g}"
