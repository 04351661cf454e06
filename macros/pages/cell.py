"""A code cell as the page shows it before any script runs."""

from collections.abc import Iterable
from dataclasses import dataclass

from labs.cell import source
from labs.lab import LabModule
from macros.cards.types import Cell


@dataclass(frozen=True)
class CellView:
    """What the cell template shows. A cell of a lab follows its inputs; `name` stands in tracebacks as `<cell 1>`."""

    id: str
    name: str
    title: str
    code: str
    note: str | None = None
    lab: str | None = None


def lab_cell(module: LabModule, name: str) -> CellView:
    """Return the Python that gives the first frame of the lab of this name."""
    lab = module.LAB
    code = source(module, lab.defaults()).rstrip()
    return CellView(f"cell-{name}", f"cell {name}", "The Python that gives these numbers", code, lab=lab.id)


def card_cells(cells: Iterable[Cell]) -> list[CellView]:
    """Return a card's own cells, numbered."""
    return [
        CellView(f"cell-{number}", f"cell {number}", cell.title, cell.code.rstrip(), cell.note)
        for number, cell in enumerate(cells, start=1)
    ]
