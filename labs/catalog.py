"""The labs that exist, one line each."""

from typing import cast

from labs import network
from labs.lab import LabModule

LABS: dict[str, LabModule] = {
    module.LAB.id: cast(LabModule, module)
    for module in (
        network,
    )
}
