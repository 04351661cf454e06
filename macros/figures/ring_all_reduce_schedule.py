"""The schedule of a ring all-reduce: the chunk each rank sends in each step, and whose parts are in it by then."""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.path import Path

from labs.model.collectives.ring_schedule import ring_all_reduce_schedule
from macros.figures.drawing import Figure, canvas, svg_of
from macros.figures.shapes import box, curve, fill, line, polygon
from macros.figures.style import ACCENT, INK, MUTED, SMALL, WIDTH

ID = "ring-all-reduce-schedule"

RANKS = 4

HEIGHT = 294.0
LEFT, TOP = 44.0, 46.0
CELL, CELL_HEIGHT = 30.0, 34.0
COLUMN, ROW, GAP = 45.0, 50.0, 10.0  # GAP: between the phases, beside the column
SQUARE, SQUARES = 4.8, 6.7  # side, and from one to the next
LETTER = 12.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """One transfer of the schedule, with what is in it."""

    step: int  # from 1
    phase: str
    source: int
    destination: int
    chunk: int
    parts: frozenset[int]  # the ranks whose parts are in the sum that is sent

    @property
    def complete(self) -> bool:
        """Whether the sum is over all ranks."""
        return len(self.parts) == RANKS


def sends() -> tuple[Send, ...]:
    """Return the model's schedule, followed step by step: in a step every rank sends what it held before the step."""
    held = {(rank, chunk): frozenset({rank}) for rank in range(RANKS) for chunk in range(RANKS)}
    found: list[Send] = []
    for number, step in enumerate(ring_all_reduce_schedule(ranks=RANKS), start=1):
        before = dict(held)
        for transfer in step:
            source, destination, chunk = transfer.source, transfer.destination, transfer.chunk
            parts = before[source, chunk]
            added = transfer.phase == "reduce-scatter"
            held[destination, chunk] = before[destination, chunk] | parts if added else parts
            found.append(Send(
                step=number, phase=transfer.phase, source=source, destination=destination, chunk=chunk, parts=parts,
            ))
    return tuple(found)


def letter(chunk: int) -> str:
    """Return the figure's name of a chunk."""
    return chr(ord("A") + chunk)


def draw() -> Figure:
    """Return the figure."""
    schedule = sends()
    columns = _columns(schedule)
    alt, caption = _words(schedule)
    with canvas(HEIGHT) as sheet:
        axes = sheet.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        axes.set_axis_off()
        _heads(axes, schedule, columns)
        _links(axes, schedule, columns)
        _cells(axes, schedule, columns)
        _end(axes, columns[max(columns)])
        _key(axes)
        svg = svg_of(sheet, ID, title="Schedule of a ring all-reduce", alt=alt)
    return Figure(svg=svg, alt=alt, caption=caption)


def _columns(schedule: tuple[Send, ...]) -> dict[int, float]:
    """Return the left edge of each step's column, and of one more, for the end."""
    columns: dict[int, float] = {}
    left, phase = LEFT, schedule[0].phase
    for send in schedule:
        if send.step not in columns:
            left += GAP if send.phase != phase else 0
            columns[send.step], phase = left, send.phase
            left += COLUMN
    return {**columns, max(columns) + 1: left}


def _top(rank: int) -> float:
    return TOP + rank * ROW


def _heads(axes: Axes, schedule: tuple[Send, ...], columns: dict[int, float]) -> None:
    for rank in range(RANKS):
        axes.text(0, _top(rank) + CELL_HEIGHT / 2 + 4, f"rank {rank}", color=INK)
    for phase in dict.fromkeys(send.phase for send in schedule):
        steps = sorted({send.step for send in schedule if send.phase == phase})
        left, right = columns[steps[0]], columns[steps[-1]] + CELL
        axes.text(left, 12, phase, color=INK, weight="bold")
        fill(axes, [line((left, 18.5), (right, 18.5))], edge=MUTED)
        for step in steps:
            axes.text(columns[step] + CELL / 2, 34, f"step {step}", ha="center", color=MUTED, size=SMALL)


def _links(axes: Axes, schedule: tuple[Send, ...], columns: dict[int, float]) -> None:
    """From each cell to the one that sends the chunk on; the last rank's leaves below and comes in above."""
    curves: list[Path] = []
    heads: list[Path] = []
    for send in schedule:
        left, right = columns[send.step] + CELL, columns[send.step + 1]
        middle = (left + right) / 2
        start, end = _top(send.source) + CELL_HEIGHT / 2, _top(send.destination) + CELL_HEIGHT / 2
        if send.destination > send.source:
            curves.append(curve((left, start), (middle, start), (middle, end), (right, end)))
        else:
            curves.append(curve((left, start), (middle, start), (middle, start + 10), (middle, start + 25)))
            curves.append(curve((middle, end - 25), (middle, end - 10), (middle, end), (right, end)))
        heads.append(polygon((right, end), (right - 4, end - 2), (right - 4, end + 2)))
    fill(axes, curves, edge=MUTED)
    fill(axes, heads, face=MUTED)


def _cells(axes: Axes, schedule: tuple[Send, ...], columns: dict[int, float]) -> None:
    for complete, ink in ((False, INK), (True, ACCENT)):
        chosen = [send for send in schedule if send.complete is complete]
        _boxes(axes, [box(columns[send.step], _top(send.source), CELL, CELL_HEIGHT) for send in chosen], complete)
        missing: list[Path] = []
        for send in chosen:
            gid = f"step-{send.step}-rank-{send.source}"
            middle, top, name = columns[send.step] + CELL / 2, _top(send.source), letter(send.chunk)
            axes.text(middle, top + 17, name, ha="center", color=ink, weight="bold", size=LETTER, gid=gid)
            squares = _squares(middle, top + 23.5)
            fill(axes, [squares[rank] for rank in sorted(send.parts)], face=ink, edge=ink, gid=f"{gid}-parts")
            missing.extend(square for rank, square in enumerate(squares) if rank not in send.parts)
        fill(axes, missing, edge=ink)


def _boxes(axes: Axes, boxes: list[Path], complete: bool) -> None:
    if complete:
        fill(axes, boxes, face=(ACCENT, 0.1), edge=ACCENT, width=1.4)
    else:
        fill(axes, boxes, edge=MUTED)


def _squares(middle: float, top: float) -> list[Path]:
    left = middle - (SQUARE + (RANKS - 1) * SQUARES) / 2
    return [box(left + rank * SQUARES, top, SQUARE, SQUARE, radius=0) for rank in range(RANKS)]


def _end(axes: Axes, left: float) -> None:
    axes.text(left + CELL / 2, 34, "end", ha="center", color=MUTED, size=SMALL)
    _boxes(axes, [box(left, _top(rank), CELL, CELL_HEIGHT) for rank in range(RANKS)], complete=True)
    for rank in range(RANKS):
        for chunk in range(RANKS):
            down, across = divmod(chunk, 2)
            x, y = left + CELL * (0.3 + 0.4 * across), _top(rank) + 14.5 + 13 * down
            axes.text(x, y, letter(chunk), ha="center", color=ACCENT, weight="bold", size=SMALL)


def _key(axes: Axes) -> None:
    width = SQUARE + (RANKS - 1) * SQUARES
    top, words = _top(RANKS) + 10, LEFT + width + 8
    squares = _squares(LEFT + width / 2, top)
    fill(axes, squares[:1], face=INK, edge=INK)
    fill(axes, squares[1:], edge=INK)
    axes.text(words, top + 5.8, "one square a rank, filled once its part is in the sum", color=INK, size=SMALL)
    _boxes(axes, [box(LEFT, top + 14, width, 12)], complete=True)
    axes.text(words, top + 23.6, "complete: the sum over all ranks", color=INK, size=SMALL)


def _words(schedule: tuple[Send, ...]) -> tuple[str, str]:
    steps: dict[int, list[Send]] = {}
    for send in schedule:
        steps.setdefault(send.step, []).append(send)
    lines = [
        f"Step {number}, {step[0].phase}: "
        + ", ".join(f"rank {send.source} sends {letter(send.chunk)}" for send in step)
        + f", each with {len(step[0].parts)} of {RANKS} parts in its sum."
        for number, step in steps.items()
    ]
    first = sum(step[0].phase == "reduce-scatter" for step in steps.values())
    alt = " ".join((
        f"Grid of {RANKS} ranks by {len(steps)} steps.",
        *lines,
        "At the end every rank holds every chunk, complete.",
    ))
    caption = (
        f"A ring all-reduce over {RANKS} ranks, the buffer cut into chunks {letter(0)} to {letter(RANKS - 1)}. "
        f"In each step every rank sends one chunk to the next rank, the last to the first. "
        f"For {first} steps the receiver adds its own part; then each chunk is complete on one rank, "
        f"and {len(steps) - first} steps of all-gather take it to the others."
    )
    return alt, caption
