"""A frame's numbers as CSV text: inputs that are read, results, tables and series, in base units that the header names.

Blocks stand below each other with an empty line between, each with its title alone in the first line. RFC 4180, but for
its line ends: the text stands in the page, where each is one character.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from labs.lab import Control, Frame, Lab, Value

Cell = str | float | None
Block = list[Sequence[Cell]]


def csv_text(lab: Lab, inputs: Mapping[str, Value], frame: Frame) -> str:
    """Return everything that a frame holds in numbers, to 15 digits: what the model computes is no surer."""
    metrics = frame["metrics"]
    taken = {**inputs, **frame.get("taken", {})}
    read = [control for control in lab.controls if control.name not in frame.get("unread", ())]
    results: Block = [
        [lab.title],
        [*(head(one.label, one.unit if isinstance(one, Control) else None) for one in read),
         *(head(metric["label"], metric["unit"]) for metric in metrics)],
        [*(taken[control.name] for control in read), *(metric["value"] for metric in metrics)],
    ]
    series = [one for one in (*frame.get("diagrams", ()), *frame["series"]) if one["kind"] in SERIES]
    blocks = [results, *map(_table, frame["tables"]), *map(_series, series)]
    return "\n\n".join("\n".join(map(_line, block)) for block in blocks) + "\n"


def head(label: str, unit: str | None) -> str:
    """Return a column's name with its unit; a share is a plain number here, not a percentage.

    >>> head("Time", "s"), head("Ranks", "1"), head("Part", None)
    ('Time [s]', 'Ranks [1]', 'Part')
    """
    return f"{label} [{'1' if unit == '%' else unit}]" if unit else label


def _table(table: dict[str, Any]) -> Block:
    names = [head(column["label"], column.get("unit")) for column in table["columns"]]
    return [[table["caption"]], names, *([_said(cell) for cell in row] for row in table["rows"])]


def _said(cell: Any) -> Cell:
    """Return a cell, of an action its words."""
    said: Cell = cell["text"] if isinstance(cell, Mapping) else cell
    return said


def _series(series: dict[str, Any]) -> Block:
    return [[series["title"]], *SERIES[series["kind"]](series)]


def _lines(series: dict[str, Any]) -> Block:
    x, y, lines = series["x"], series["y"], series["lines"]
    values = [dict(line["points"]) for line in lines]
    found = sorted({at for line in values for at in line})
    names = [head(x["label"], x["unit"]), *(head(line["label"], y["unit"]) for line in lines)]
    return [names, *([at, *(line.get(at) for line in values)] for at in found)]


def _bars(series: dict[str, Any]) -> Block:
    names = [series.get("row", "row"), *(head(part["label"], series["x"]["unit"]) for part in series["parts"])]
    return [names, *([row["label"], *row["values"]] for row in series["rows"])]


def _timeline(series: dict[str, Any]) -> Block:
    unit = series["x"]["unit"]
    names = [series.get("row", "row"), "part", "label", head("from", unit), head("to", unit)]
    return [
        names,
        *(
            [row["label"], span["part"], span.get("label", ""), span["from"], span["to"]]
            for row in series["rows"]
            for span in row["spans"]
        ),
    ]


def _gantt(series: dict[str, Any]) -> Block:
    unit = series["x"]["unit"]
    names = [series.get("row", "row"), "part", "label", head("from", unit), head("to", unit)]
    return [names, *([row["label"], *span] for row in series["rows"] for span in row["spans"])]


def _line(cells: Iterable[Cell]) -> str:
    return ",".join([f"{cell:.15g}" if type(cell) is float else _cell(cell) for cell in cells])  # most are


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{value:.15g}"
    return f'"{value.replace('"', '""')}"' if any(mark in value for mark in ',"\r\n') else value


# Other kinds of charts draw what tables hold.
SERIES: Mapping[str, Callable[[dict[str, Any]], Block]] = {
    "lines": _lines,
    "bars": _bars,
    "gantt": _gantt,
    "timeline": _timeline,
}
