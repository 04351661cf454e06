"""The labs that exist, one line each: those that pages show, and those that only a terminal runs so far."""

from typing import cast

from labs import calibrate, engineering, network
from labs.lab import LabModule

LABS: dict[str, LabModule] = {
    module.LAB.id: cast(LabModule, module)
    for module in (
        engineering,
        network,
    )
}

# A page has no field for the text that these take.
IN_TERMINAL: dict[str, LabModule] = {
    module.LAB.id: cast(LabModule, module)
    for module in (
        calibrate,
    )
}
