"""Heads of a frame's columns, as a reader of its tables and of its CSV meets them."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO

from labs.lab import Frame, Lab, Value
from labs.views.csv import csv_text


def repeated(lab: Lab, inputs: Mapping[str, Value], frame: Frame) -> list[str]:
    """Return the heads that stand more than once in one table or in one block of the CSV, each with its title."""
    return [
        f"{title}: {head}"
        for title, heads in _headed(lab, inputs, frame)
        for head in dict.fromkeys(heads)
        if heads.count(head) > 1
    ]


def _headed(lab: Lab, inputs: Mapping[str, Value], frame: Frame) -> Iterator[tuple[str, list[str]]]:
    for table in frame["tables"]:
        yield table["caption"], [column["label"] for column in table["columns"]]
    for block in csv_text(lab, inputs, frame).rstrip("\n").split("\n\n"):
        title, heads, *_ = csv.reader(StringIO(block))
        yield title[0], heads
