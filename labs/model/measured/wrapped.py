"""Rows that a terminal or a mail program wrapped at its width, in the middle of numbers too."""

import re
from collections import Counter
from collections.abc import Sequence

from labs.model.measured.cells import row_starts

# What a row can go on with: the reduction, and numbers, of which the first may be the end of one or of an N/A.
_REST = re.compile(r"(?:\s*[A-Za-z/]+)?[\d.eE+\-]*(?:\s+(?:[-+]?\d[\d.eE+\-]*|N/A|nan))*\s*")
# A row as far as it goes: with nothing of another program behind it.
_ROW = re.compile(r"\d +\d+ +[A-Za-z]\w*(?: +[a-z]+)?(?: +(?:[-+]?[\d.][\d.eE+\-]*|-|N/?A?|nan?))* *")
_FEW = 3
_WORDS, _NUMBERS = 4, 9  # of a whole row


def unwrapped(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines, rows that were all cut at one width as they were before."""
    rows = {place for place, (_, text) in enumerate(lines) if _is_row(text)}
    cut = [place for place in sorted(rows) if place + 1 < len(lines) and _goes_on(lines[place + 1][1])]
    widths = Counter(len(lines[place][1]) for place in cut)
    width, times = widths.most_common(1)[0] if widths else (0, 0)
    if times < _FEW or any(len(lines[place][1]) > width for place in rows) or not _keeps_spaces(lines, cut, width):
        return list(lines)
    whole: list[tuple[int, str]] = []
    opened = ""
    for place, (number, text) in enumerate(lines):
        goes_on = _goes_on(text) if opened == "row" else not text.startswith("#") and place not in rows
        if opened and goes_on:
            whole[-1] = (whole[-1][0], whole[-1][1] + text)
        else:
            whole.append((number, text))
            opened = "row" if place in rows else "comment" if text.startswith("#") else ""
        if len(text) != width:
            opened = ""
    return whole


def _is_row(text: str) -> bool:
    starts = row_starts(text)
    found = _ROW.search(text, starts[0][0]) if starts else None
    return found is not None and found.end() == len(text)


def _goes_on(text: str) -> bool:
    return bool(text.strip()) and _REST.fullmatch(text) is not None


def _keeps_spaces(lines: Sequence[tuple[int, str]], cut: Sequence[int], width: int) -> bool:
    """Whether the width alone was cut: where spaces went too, what looks like one number may be two."""
    pairs = [(lines[place][1], lines[place + 1][1]) for place in cut if len(lines[place][1]) == width]
    return any(
        row[-1:].isspace() or rest[:1].isspace() or len((row + " " + rest).split()) > _WORDS + _NUMBERS
        for row, rest in pairs
    )
