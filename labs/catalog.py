"""The labs of this site, one line each."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from labs.lab import LabModule

# In the order of the gallery: a lab's id, and its module.
HOMES = {
    "network": "labs.network",
    "execution": "labs.execution",
    "plans": "labs.plans",
    "memory": "labs.memory",
    "pipeline": "labs.pipeline",
    "overlap": "labs.overlap",
    "calibrate": "labs.calibrate",
    "engineering": "labs.engineering",
}

# In the memory that Python starts from in the browser; the others' code comes when a page asks for it.
EARLY = ("network",)


class Catalog(Mapping[str, LabModule]):
    """Lab's id -> its module, imported when it is first asked for."""

    def __getitem__(self, lab_id: str) -> LabModule:
        return cast(LabModule, import_module(HOMES[lab_id]))

    def __iter__(self) -> Iterator[str]:
        return iter(HOMES)

    def __len__(self) -> int:
        return len(HOMES)

    def __contains__(self, lab_id: object) -> bool:
        return lab_id in HOMES


LABS = Catalog()
