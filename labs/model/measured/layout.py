"""What the numbers of a table mean: which is the root, which the time and in which unit, which stand in place.

Versions of nccl-tests differ, and headers get lost. What must hold is that size over time is the algorithm bandwidth.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import floor, log10
from typing import NamedTuple

from labs.model.measured.averages import median
from labs.model.measured.cells import ELEMENT_BYTES, Cells, half_step, value
from labs.model.measured.records import NcclRow

GB = 1e9
_UNITS = {-1: 1e-3, -2: 1e-6}  # power of 1000 -> seconds; no version prints others


class Header(NamedTuple):
    """What a table's header lines say; None where they do not."""

    root: bool | None = None
    halves: int | None = None
    wrong: bool | None = None
    in_place_first: bool = False
    unit: float | None = None

    @property
    def width(self) -> int | None:
        """Numbers of a whole row, or None where no line names the columns."""
        if self.root is None or self.halves is None:
            return None
        return self.root + self.halves * (4 if self.wrong else 3)


class Layout(NamedTuple):
    """The meaning of a row's numbers.

    `share` is the algorithm bandwidth times the time over the size: 1, but for an all-gather or a reduce-scatter of
    versions before 2020 (p − 1) / p.
    """

    root: bool
    halves: int
    wrong: bool
    in_place_first: bool
    unit: float | None
    unit_from: str
    share: float

    @property
    def width(self) -> int:
        """Numbers of a whole row."""
        return self.root + self.halves * self.half

    @property
    def half(self) -> int:
        """Numbers of one half: time, both bandwidths and perhaps the check."""
        return 4 if self.wrong else 3


def layout_of(rows: Sequence[Cells], header: Header) -> Layout | None:
    """Return the layout that most rows bear out, or None where none does."""
    best: tuple[tuple[int, int, int], Layout, Counter[int]] | None = None
    for root, halves, wrong in product((True, False), (2, 1), (True, False)):
        if header.root not in (None, root) or header.halves not in (None, halves) or header.wrong not in (None, wrong):
            continue
        layout = Layout(root=root, halves=halves, wrong=wrong, in_place_first=header.in_place_first,
                        unit=None, unit_from="", share=1.0)  # fmt: skip
        fitting = [(row, unit) for row in rows if (unit := _thousands(row, layout)) is not None]
        if header.unit == 1e-6:
            # No version names µs and prints ms: such a row has lost a number, and others stand in its place.
            fitting = [(row, unit) for row, unit in fitting if _UNITS.get(unit) != 1e-3]
        units = [unit for _, unit in fitting]
        exact = sum(len(row.numbers) == layout.width for row, _ in fitting)
        score = (exact, layout.width, len(units))
        if units and (best is None or score > best[0]):
            best = (score, layout, Counter(units))
    if best is None:
        # A header may be of another version than the rows below it, but not promise more numbers than any of them has.
        promised = header.width is not None and any(len(row.numbers) >= header.width for row in rows)
        return layout_of(rows, Header(unit=header.unit)) if promised else None
    return _measured(best[1], best[2], rows, header)


def read_row(cells: Cells, layout: Layout) -> NcclRow | str:
    """Return a row in base units, or the reason why it is none."""
    if cells.left_out:
        return "the numbers are left out"
    if cells.size == 0:
        return "of size zero: nothing was sent"
    if len(cells.numbers) < layout.width:
        return f"cut short: {len(cells.numbers)} of {layout.width} numbers"
    if cells.broken and len(cells.numbers) > layout.width:
        return f"broken within a number: {len(cells.numbers)} of {layout.width} numbers"
    if layout.root and not cells.numbers[0].lstrip("-").isdigit():
        return f"at odds with itself: a root of {cells.numbers[0]}"
    if cells.size < cells.count * ELEMENT_BYTES.get(cells.datatype.lower(), 0):
        return f"at odds with itself: {cells.count} elements in {cells.size} bytes"
    first = _half(cells, layout, 0)
    halves = [first, _half(cells, layout, 1) if layout.halves == 2 else (None, None, None, None)]
    out_of_place, in_place = reversed(halves) if layout.in_place_first else halves
    time, algorithm, bus, wrong = (value(number) if number is not None else None for number in out_of_place)
    if time is None or algorithm is None or bus is None or time <= 0:
        return "without a time out of place"
    unit = layout.unit
    if unit is None:
        return layout.unit_from
    for half in halves:
        if half[0] is not None and float(half[0]) <= 0:
            return f"at odds with itself: a time of {half[0]}"
        if half[0] is not None and not _consistent(cells.size, half, unit, layout.share):
            rate = layout.share * cells.size / (float(half[0]) * unit) / GB
            return f"at odds with itself: size over time is {rate:.4g} GB/s, the row says {half[1]}"
    again = value(in_place[0]) if in_place[0] is not None else None
    again_bus = value(in_place[2]) if in_place[2] is not None else None
    return NcclRow(
        line=cells.line,
        size=float(cells.size),
        count=cells.count,
        time=time / round(1 / unit),  # 100 µs are 1e-4 s, which 100 * 1e-6 is not
        algorithm_bandwidth=algorithm * GB,
        bus_bandwidth=bus * GB,
        wrong=wrong,
        in_place_time=again / round(1 / unit) if again else None,
        in_place_bus_bandwidth=again_bus * GB if again and again_bus is not None else None,
    )


Half = tuple[str | None, str | None, str | None, str | None]


def _half(cells: Cells, layout: Layout, which: int) -> Half:
    start = layout.root + which * layout.half
    numbers = cells.numbers[start : start + layout.half]
    if len(numbers) < 3 or value(numbers[0]) is None:
        return (None, None, None, None)
    return (numbers[0], numbers[1], numbers[2], numbers[3] if len(numbers) > 3 else None)


def _thousands(row: Cells, layout: Layout) -> int | None:
    """Return the power of 1000 of a row's time unit, 0 where any will do, or None where the layout does not fit it."""
    if len(row.numbers) < layout.width:
        return None
    if layout.root and not row.numbers[0].lstrip("-").isdigit():
        return None
    found: int | None = None
    for which in range(layout.halves):
        time, algorithm, bus, _ = _half(row, layout, which)
        if time is None or algorithm is None or bus is None:
            if which == 0:
                return None
            continue
        given, rate, bus_rate = float(time), value(algorithm), value(bus)
        if given <= 0 or rate is None or bus_rate is None or not 0 <= bus_rate <= 2 * rate + 0.02:
            return None
        if row.size == 0:
            continue
        if rate < 0.1:
            # Printed to 0.01 GB/s: too coarse to tell a unit, but a millisecond of 1000 byte may not be far off.
            if row.size / given / GB * 1e3 > 2.2 * (rate + 0.006):
                return None
            continue
        seconds = row.size / (given * rate * GB)
        power = floor(log10(seconds * 1.06) / 3)
        if power not in _UNITS or seconds / _UNITS[power] > 2.2 or found not in (None, power):
            return None
        found = power
    return found if found is not None else 0 if row.size else None


def _measured(layout: Layout, units: Counter[int], rows: Sequence[Cells], header: Header) -> Layout:
    """Return the layout with the unit and the share that the rows bear out."""
    told = [power for power, _ in units.most_common() if power]
    if told:
        unit: float | None = _UNITS[told[0]]
        name = {1e-3: "ms", 1e-6: "µs"}[_UNITS[told[0]]]
        unit_from = f"size over time is the printed bandwidth if times are in {name}"
    elif header.unit:
        unit, unit_from = header.unit, "the header"
    elif layout.root:
        unit, unit_from = 1e-6, "every version that prints a root prints µs"
    else:
        unit, unit_from = None, "neither the header nor the bandwidths tell the unit of time; give the header too"
    shares = []
    for row in rows:
        time, algorithm, _, _ = _half(row, layout, 0)
        if unit and row.size and len(row.numbers) >= layout.width and time and algorithm:
            rate = value(algorithm)
            # A time of two digits says nothing of a few per cent.
            if rate and rate >= 0.5 and half_step(time) < 0.005 * float(time):
                shares.append(rate * GB * float(time) * unit / row.size)
    share = median(shares) if shares else 1.0
    # (p − 1) / p of two ranks or more; anything less is no version's, but rows that have lost a digit.
    return layout._replace(unit=unit, unit_from=unit_from, share=share if 0.45 < share < 0.98 else 1.0)


def _consistent(size: int, half: Half, unit: float, share: float) -> bool:
    time, algorithm = half[0], half[1]
    if time is None or algorithm is None or value(algorithm) is None or float(time) <= 0:
        return False
    expected = share * size / (float(time) * unit) / GB
    loose = expected * (0.01 + half_step(time) / float(time)) + max(0.006, half_step(algorithm))
    return abs(float(algorithm) - expected) <= loose
