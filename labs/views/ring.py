"""A ring all-reduce at one step: a column for each rank, in it a square for each chunk of its buffer.

    {"kind": "ring", "id": …, "title": …, "step": how many steps have been taken, "steps": of how many,
     "phase": of the last one, or "start", "buffers": [[the number of each chunk, …] of each rank, …],
     "summed": [[how many ranks' numbers are in it, …], …],
     "moves": [{"from": rank, "to": rank, "chunk": …, "text": what it did there}, …]}

The more ranks a number is the sum of, the darker its square; a sum of all is bold. The squares that the step has
changed are framed, and their frames come from the rank before, where the page lets them move. The ring lies flat, so
that a phone can show it: the last rank's right neighbour is the first.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from labs.views.drawing import COLOURS, WIDTH, rule, text
from labs.views.figure import Column, Picture, Row
from labs.views.words import fitted, relative, share

LEFT, RIGHT = 56, 474
WIDEST, PITCH, HIGH = 58, 26, 22
HEAD = 62  # title, way back, numbers of ranks
DARKEST = 0.5

Places = Sequence[float]
Lists = Sequence[Sequence[int]]


def ring_picture(series: dict[str, Any]) -> Picture:
    """Return the ring as drawn."""
    buffers, summed, moves = series["buffers"], series["summed"], series["moves"]
    ranks = len(buffers)
    # Whole units: sharper, and less text.
    pitch = int(min((RIGHT - LEFT) / ranks, WIDEST))
    wide = 2 * int(pitch * 0.385)
    gap = pitch - wide
    lefts = [LEFT + gap + pitch * rank for rank in range(ranks)]
    tops = [HEAD + PITCH * chunk for chunk in range(len(buffers[0]))]
    bottom = tops[-1] + HIGH + 8
    received = {move["to"]: move for move in moves}
    return Picture(
        kind="ring",
        height=bottom + 28,
        parts=[
            fitted(4, 19, _where(series), WIDTH - 8, colour="ink"),
            *([_back(lefts[0] + wide / 2, lefts[-1] + wide / 2)] if ranks > 1 else []),
            *_names(ranks, lefts, tops, wide),
            _squares(summed, lefts, tops, wide),
            _numbers(buffers, summed, lefts, tops, wide),
            *([_moves(moves, lefts, tops, wide, gap)] if moves else []),
            *_key(ranks, bottom + 8),
        ],
        columns=[Column("Rank"), Column("Receives"), Column("Holds of the sum")],
        rows=[
            Row(
                (f"{rank}", received[rank]["text"] if rank in received else "nothing", _complete(held, ranks)),
                (lefts[rank] - 3, HEAD - 20, wide + 6, bottom - HEAD + 20),
            )
            for rank, held in enumerate(summed)
        ],
        current=0,
        says=f"{_where(series)}.",
    )


def _where(series: dict[str, Any]) -> str:
    if not series["steps"]:
        return "One rank holds the sum already"
    if not series["step"]:
        return f"Before the first of {series['steps']} steps"
    return f"After step {series['step']} of {series['steps']}, {series['phase']}"


def _complete(held: Sequence[int], ranks: int) -> str:
    return f"{sum(count == ranks for count in held)} of {len(held)} chunks"


def _back(first: float, last: float) -> str:
    """Return the way from the last rank to the first, above all columns."""
    d = f"M{last:.1f} {HEAD - 20:g}V28H{first:.1f}V{HEAD - 20:g}m-4 -6l4 6l4 -6"
    return rule(d, "muted", ' stroke-width="1.2"')


def _names(ranks: int, lefts: Places, tops: Places, wide: float) -> list[str]:
    size = share(f"{ranks - 1}", wide - 2)
    return [
        fitted(4, HEAD - 5, "rank", LEFT - 8),
        fitted(4, tops[-1] + HIGH + 28, "chunk", LEFT - 2),
        *(
            text(left + wide / 2, HEAD - 5, f"{rank}", anchor="middle", extra=relative(size))
            for rank, left in enumerate(lefts)
        ),
        *(text(LEFT - 6, top + 16, f"{chunk}", anchor="end") for chunk, top in enumerate(tops)),
    ]


def _squares(summed: Lists, lefts: Places, tops: Places, wide: float) -> str:
    """Return all squares: each a dash of a thick line, those of one shade one path, so that they are little text."""
    runs: dict[int, list[str]] = {}
    middles = [left + wide / 2 for left in lefts]
    for middle, held in zip(middles, summed, strict=True):
        first = 0
        for count, alike in groupby(held):
            size = len(list(alike))
            runs.setdefault(count, []).append(f"M{middle:g} {tops[first]:g}v{PITCH * size - (PITCH - HIGH):g}")
            first += size
    paths = "".join(
        f'<path d="{"".join(at)}" stroke-opacity="{_shade(count, len(summed)):.2f}"/>'
        for count, at in sorted(runs.items())
        if count > 1
    )
    return (
        _columns(middles, tops, wide + 1.5, 0.75, "grid")
        + _columns(middles, tops, wide, 0, "surface")
        + f'<g stroke="{COLOURS["data"]}" stroke-width="{wide:g}" stroke-dasharray="{HIGH} {PITCH - HIGH}">{paths}</g>'
    )


def _columns(middles: Places, tops: Places, wide: float, more: float, colour: str) -> str:
    """Return the ground of all squares, a dashed line a column; each square is so much larger on every side."""
    d = "".join(f"M{middle:g} {tops[0] - more:g}V{tops[-1] + HIGH + more:g}" for middle in middles)
    dashes = f"{HIGH + 2 * more:g} {PITCH - HIGH - 2 * more:g}"
    return rule(d, colour, f' stroke-width="{wide:.1f}" stroke-dasharray="{dashes}"')


def _shade(count: int, ranks: int) -> float:
    return DARKEST * (count - 1) / max(ranks - 1, 1)


def _numbers(
    buffers: Sequence[Places], summed: Lists, lefts: Places, tops: Places, wide: float
) -> str:
    size = min((share(f"{number:g}", wide) for held in buffers for number in held), default=1.0)
    written: dict[bool, list[str]] = {False: [], True: []}
    for left, held, counts in zip(lefts, buffers, summed, strict=True):
        for top, number, count in zip(tops, held, counts, strict=True):
            place = f'<text x="{left + wide / 2:g}" y="{top + 16:g}">{number:g}</text>'
            written[count == len(buffers)].append(place)
    return "".join(
        f'<g text-anchor="middle" fill="{COLOURS["ink"]}"{relative(size)}{extra}>{"".join(written[whole])}</g>'
        for whole, extra in ((False, ""), (True, ' font-weight="650"'))
        if written[whole]
    )


def _moves(moves: list[dict[str, Any]], lefts: Places, tops: Places, wide: float, gap: float) -> str:
    """Return an arrow into each square that has changed, and a frame around it that comes from the left."""
    arrows, frames = [], []
    for move in moves:
        left, middle = lefts[move["to"]], tops[move["chunk"]] + HIGH / 2
        arrows.append(f"M{left - gap + 1:.1f} {middle:g}H{left - 1.5:.1f}m-3.5 -3l3.5 3l-3.5 3")
        if move["to"] == 0:
            arrows.append(f"M{lefts[-1] + wide + 1:.1f} {middle:g}h{gap - 2:.1f}")
        frames.append(f"M{left:.1f} {middle - HIGH / 2:g}h{wide:.1f}v{HIGH:g}h{-wide:.1f}z")
    return (
        rule("".join(arrows), "accent", ' stroke-width="1.4"')
        + f'<g class="lab-moving" style="--lab-from: {-wide - gap:.1f}px">'
        + rule("".join(frames), "accent", ' stroke-width="2"')
        + "</g>"
    )


def _key(ranks: int, top: float) -> list[str]:
    """Return what the shades mean: from one rank's own number to the sum of all."""
    if ranks == 1:
        return []
    shades = sorted({1, (ranks + 2) // 3, (2 * ranks + 2) // 3, ranks})
    squares = "".join(
        f'<path d="M{LEFT + 7 + 16 * n:g} {top + 6:g}h16" stroke-opacity="{_shade(count, ranks):.2f}"/>'
        for n, count in enumerate(shades)
    )
    frame = f"M{LEFT + 6.5:g} {top - 0.5:g}h{16 * len(shades) + 1}v13h{-16 * len(shades) - 1}z"
    at = LEFT + 7 + 16 * len(shades) + 8
    return [
        rule(frame, "grid"),
        f'<g stroke="{COLOURS["data"]}" stroke-width="12">{squares}</g>',
        fitted(at, top + 12, f"its own number … the sum of {ranks}", WIDTH - at),
    ]
