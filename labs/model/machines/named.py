"""Machines by name, each number with its source.

Bandwidths are the data sheets', of one device in one direction: NVLink 4 has 900 GB/s for both directions together,
450 GB/s each. What an exchange reaches of them is for an efficiency to say. Latencies are NCCL's own figures for a
hop of a ring with its protocol LL128.
"""

from dataclasses import replace

from labs.model.machines.machine import Level, Machine
from labs.model.quantities.errors import ModelError, nearest, shown
from labs.model.quantities.inputs import count

# NVIDIA NCCL, src/graph/tuning.cc, hwLat: ring, LL128, on NVLink and on a network.
_NVLINK_LATENCY = 1.9e-6
_NETWORK_LATENCY = 4.0e-6


def _nvlink(name: str, devices: int, bandwidth: float) -> Level:
    return Level(name=name, devices=devices, bandwidth=bandwidth, latency=_NVLINK_LATENCY)


def _network(devices: int, bandwidth: float) -> Level:
    return Level(name="cluster", devices=devices, bandwidth=bandwidth, latency=_NETWORK_LATENCY)


# The cluster of each is as large as its reference architecture describes; named_machine() takes any number of nodes.
_MACHINES = {
    machine.name: machine
    for machine in (
        # NVIDIA A100 data sheet (SXM, 80 GB): 312 TFLOP/s dense bf16, 2039 GB/s, NVLink 3 with 600 GB/s both ways.
        # NVIDIA DGX A100 data sheet: 8 × 200 Gb/s InfiniBand HDR beside 8 GPUs. DGX SuperPOD: 140 systems.
        Machine(
            name="DGX A100 80GB",
            peak=312e12,
            memory=80e9,
            memory_bandwidth=2039e9,
            levels=(_nvlink("node", 8, 300e9), _network(1120, 25e9)),
        ),
        # NVIDIA H100 data sheet (SXM): 989 TFLOP/s dense bf16, 3.35 TB/s, NVLink 4 with 900 GB/s both ways.
        # NVIDIA DGX H100 data sheet: 8 × 400 Gb/s InfiniBand NDR beside 8 GPUs. DGX SuperPOD: 4 × 32 systems.
        Machine(
            name="DGX H100",
            peak=989e12,
            memory=80e9,
            memory_bandwidth=3350e9,
            levels=(_nvlink("node", 8, 450e9), _network(1024, 50e9)),
        ),
        # NVIDIA GB200 NVL72 data sheet, for 72 GPUs: 180 PFLOP/s dense bf16, 13.4 TB, 576 TB/s, 130 TB/s of NVLink 5,
        # which is 1.8 TB/s both ways each. Two GPUs share a Grace CPU, two such pairs a tray. DGX GB200: 400 Gb/s
        # InfiniBand NDR for each GPU; DGX SuperPOD: 8 racks.
        Machine(
            name="GB200 NVL72",
            peak=2500e12,
            memory=186e9,
            memory_bandwidth=8000e9,
            levels=(
                _nvlink("pair", 2, 900e9),
                _nvlink("node", 4, 900e9),
                _nvlink("rack", 72, 900e9),
                _network(576, 50e9),
            ),
        ),
    )
}
MACHINES = tuple(_MACHINES)


def named_machine(*, name: str, devices: int | None = None) -> Machine:
    """Return a machine by its name, with as many devices as wanted.

    Fewer devices than a level holds are one such level; more are whole ones of the level below the cluster.

        devices = k · node, or fewer than a node

    Args:
        name: one of MACHINES
        devices: in all; as many as its reference cluster has where none is given [1]

    Returns:
        the machine, its levels cut or extended to these devices

    Raises:
        ModelError: no such machine, or devices that do not fill whole nodes

    Source:
        NVIDIA data sheets of A100, H100, GB200 NVL72 and DGX, and NCCL, src/graph/tuning.cc, as named in this module

    >>> [(level.name, level.devices) for level in named_machine(name="DGX H100", devices=256).levels]
    [('node', 8), ('cluster', 256)]
    """
    if name not in _MACHINES:
        hint = nearest(name, dict.fromkeys(MACHINES)) if isinstance(name, str) else None
        raise ModelError(
            f"expected name to be one of {', '.join(MACHINES)}, found {shown(name)}", argument="name", hint=hint
        )
    machine = _MACHINES[name]
    if devices is None:
        return machine
    wanted = count("devices", devices)
    levels: list[Level] = []
    for level in machine.levels:
        last = level is machine.levels[-1] or level.devices >= wanted
        within = levels[-1].devices if levels else 1
        if last and wanted % within:
            below = wanted - wanted % within
            raise ModelError(
                f"expected devices in whole groups of {within} on {name}, found {wanted}",
                argument="devices",
                hint=f"{below} or {below + within}",
            )
        levels.append(replace(level, devices=wanted) if last else level)
        if last:
            break
    return replace(machine, levels=tuple(levels))
