"""Reports of rccl-tests, which hold the rows of a table as records in CSV or JSON."""

import re
from collections.abc import Iterable, Sequence

from labs.model.measured.cells import ELEMENT_BYTES
from labs.model.measured.evidence import BY_PARTS
from labs.model.measured.preamble import COLLECTIVES

_TESTS = {name.replace("_", ""): name for name in COLLECTIVES}
_HALF = ("time", "algbw", "busbw", "wrong")
_PAIR = re.compile(r"\"(\w+)\" *: *\"?([^\",}]*)\"?")


def as_table(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines, and those of a report, CSV or JSON, as rows of a table; a note of the test stands before them.

    A report has a record for each half of a row: first out of place, then in place.
    """
    table: list[tuple[int, str]] = []
    columns: list[str] = []
    open_row: tuple[str, ...] | None = None  # what a record in place must share with the one before it
    stated = ""
    for number, text in lines:
        if found := _columns(text):
            columns, open_row, stated = found, None, ""
            continue
        record = _record(text, columns)
        row = record and _row(record)
        if not record or not row:
            table.append((number, text))
            continue
        if stated != (now := _statement(record)):
            table.append((number, now))
            stated, open_row = now, None
        half = " ".join(record[name] for name in _HALF)
        if record["inplace"] == "1" and open_row == row:
            table[-1] = (table[-1][0], f"{table[-1][1]} {half}")
            open_row = None
            continue
        before = "N/A N/A N/A N/A " if record["inplace"] == "1" else ""
        table.append((number, " ".join((*row, "-1", before + half))))
        open_row = row
    return table


def _columns(text: str) -> list[str]:
    names = text.lower().replace("#", "").split()
    return names if "numcycle" in names and "algbw" in names and "time" in names else []


def _record(text: str, columns: Sequence[str]) -> dict[str, str] | None:
    words = text.split()
    if '"numCycle"' in text:
        return {name.lower(): value.strip() for name, value in _PAIR.findall(text)}
    if columns and len(words) == len(columns):
        return dict(zip(columns, words, strict=True))
    return None


def _row(record: dict[str, str]) -> tuple[str, ...] | None:
    """Return size, count, type and operation of a record, if it has what a row takes."""
    element = ELEMENT_BYTES.get(record.get("type", "").lower())
    size = record.get("size", "")
    if not element or not size.isdecimal() or not {"redop", "inplace", *_HALF} <= set(record):
        return None
    ranks = _ranks(record) if COLLECTIVES.get(_test(record)) in BY_PARTS else ""
    parts = int(ranks) if ranks and int(ranks) else 1
    return size, str(int(size) // element // parts), record["type"], record["redop"]


def _statement(record: dict[str, str]) -> str:
    ranks = _ranks(record)
    return f"# report of {_test(record)}_perf" + (f" over ranks {ranks}" if ranks else "")


def _test(record: dict[str, str]) -> str:
    name = record.get("collective") or record.get("name") or ""
    return _TESTS.get(name.lower().replace("_", ""), name)


def _ranks(record: dict[str, str]) -> str:
    ranks = record.get("ranks") or record.get("gpus") or ""
    return ranks if ranks.isdecimal() else ""
