"""Rows that stand one after the other on a line, as where line ends got lost."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from labs.model.measured.cells import row_starts


def one_row_a_line(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines, cut before each further row; where whole tables stand side by side nothing is cut."""
    starts = {number: found for number, text in lines if len(found := row_starts(text)) > 1}
    if any(_beside(found, starts.get(number + 1, [])) for number, found in starts.items()):
        return list(lines)
    return [(number, part) for number, text in lines for part in _parts(text, starts.get(number, []))]


def _beside(row: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]]) -> bool:
    """Whether rows of a line are of several tables: one after the other, sizes would rise to the next line too."""
    sizes = [size for _, size in (*row, *after)]
    return any(size <= before for before, size in pairwise(sizes))


def _parts(text: str, starts: Sequence[tuple[int, int]]) -> Iterator[str]:
    if not starts:
        yield text
        return
    places = [place for place, _ in starts]
    for place, end in zip(places, [*places[1:], len(text)], strict=True):
        yield text[: places[0]] + text[place:end]  # each with the prefix that names where the line came from
