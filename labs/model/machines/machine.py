"""A machine: devices, and the levels of links between them."""

from dataclasses import dataclass

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, count, positive


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Devices that reach each other by the same kind of link.

    Attributes:
        name: such as node, rack or cluster
        devices: in one such group, those of the levels within it included [1]
        bandwidth: of one device, one direction [byte/s]
        latency: of one message [s]
    """

    name: str
    devices: int
    bandwidth: float
    latency: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "devices", count(f"devices of level {self.name}", self.devices))
        positive(f"bandwidth of level {self.name}", self.bandwidth, "byte/s")
        amount(f"latency of level {self.name}", self.latency, "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Equal devices, and their links level by level.

    Attributes:
        name: as people call it
        peak: arithmetic of one device at the training precision [FLOP/s]
        memory: of one device [byte]
        memory_bandwidth: of one device's own memory [byte/s]
        levels: the innermost first; each holds whole groups of the one before
    """

    name: str
    peak: float
    memory: float
    memory_bandwidth: float
    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        positive("peak", self.peak, "FLOP/s")
        positive("memory", self.memory, "byte")
        positive("memory_bandwidth", self.memory_bandwidth, "byte/s")
        object.__setattr__(self, "levels", tuple(self.levels))
        if not self.levels:
            raise ModelError("expected one level or more, found none", argument="levels")
        within = 1
        for level in self.levels:
            if level.devices % within or level.devices < within:
                raise ModelError(
                    f"expected level {level.name} to hold whole groups of {within} devices, found {level.devices}",
                    argument="levels",
                )
            within = level.devices

    @property
    def devices(self) -> int:
        """Devices in all: those of the outermost level."""
        return self.levels[-1].devices
