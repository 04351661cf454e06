"""A collective level by level: within the node, between nodes, between racks."""

from dataclasses import dataclass

from labs.model.collectives.algorithm import NCCL_ALGORITHMS
from labs.model.collectives.bandwidth import algorithm_bandwidth, bus_bandwidth
from labs.model.collectives.cost import Collective, collective
from labs.model.collectives.operation import Operation, known_operation
from labs.model.machines.machine import Level
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, count, outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One part of a hierarchical collective, on the links of one level.

    Attributes:
        level: name of the level
        cost: what it costs one group on that level; all groups do theirs at the same time
    """

    level: str
    cost: Collective


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchicalCollective:
    """A collective over several levels in numbers.

    Attributes:
        operation: which collective
        payload: the whole buffer, M [byte]
        ranks: that take part, on all levels together, p [1]
        phases: one after another; none for one rank
        latency_term: the time that does not depend on the payload [s]
        bandwidth_term: the time that does [s]
        time: all phases together, T [s]
        slowest_level: the time of the level that takes longest: what is left where chunks are pipelined perfectly [s]
        algorithm_bandwidth: M / T, or None where no time passes [byte/s]
        bus_bandwidth: as for one ring over all ranks, or None where no time passes [byte/s]
    """

    operation: Operation
    payload: float
    ranks: int
    phases: tuple[Phase, ...]
    latency_term: float
    bandwidth_term: float
    time: float
    slowest_level: float
    algorithm_bandwidth: float | None
    bus_bandwidth: float | None


def members_by_level(levels: tuple[Level, ...]) -> tuple[int, ...]:
    """Return how many groups of the level below take part in a collective on each level."""
    if not levels:
        raise ModelError("expected one level or more, found none", argument="levels")
    sizes: list[int] = []
    within = 1
    for level in levels:
        devices = count(f"devices of level {level.name}", level.devices)
        if devices % within:
            raise ModelError(
                f"expected level {level.name} to hold whole groups of {within} devices, found {devices}",
                argument="levels",
            )
        sizes.append(devices // within)
        within = devices
    return tuple(sizes)


def phases_of(operation: Operation, sizes: tuple[int, ...]) -> tuple[tuple[int, Operation, int], ...]:
    """Return the phases of a collective: level, operation, and the number of parts of the payload of which it does one.

    What was scattered within stays scattered between: there each rank deals with one part only.
    """
    several = [index for index, size in enumerate(sizes) if size > 1]
    if not several:
        return ()
    inward = several[::-1]
    if operation == "send-recv":
        return ((several[-1], operation, 1),)
    if operation in ("broadcast", "all-to-all"):
        return tuple((index, operation, 1) for index in inward)
    if operation == "reduce":
        return tuple((index, operation, 1) for index in several)
    parts = {}
    scattered = 1
    for index in several:
        parts[index] = scattered
        scattered *= sizes[index]
    if operation == "reduce-scatter":
        return tuple((index, operation, parts[index]) for index in several)
    if operation == "all-gather":
        return tuple((index, operation, parts[index]) for index in inward)
    outermost = several[-1]
    return (
        *((index, "reduce-scatter", parts[index]) for index in several[:-1]),
        (outermost, "all-reduce", parts[outermost]),
        *((index, "all-gather", parts[index]) for index in inward[1:]),
    )


def hierarchical_collective(
    *, operation: Operation, payload: float, levels: tuple[Level, ...]
) -> HierarchicalCollective:
    """Return a collective over several levels: reduced and scattered within, done between, gathered within.

    Each of the G ranks of a node has M / G left for the links between N nodes, and all of them send at once. Each level
    takes the faster of NCCL's algorithms: ring or double binary tree for an all-reduce, else a ring. A broadcast or
    reduce passes M through every level, an all-to-all exchanges M on every level, and a message of send-recv goes over
    the outermost level alone. With one level this is the flat collective.

        T = T_reduce-scatter(M, G) + T_all-reduce(M / G, N) + T_all-gather(M, G)

    Args:
        operation: which collective
        payload: the whole buffer, M [byte]
        levels: the innermost first, each with the members up to it (G, then G N), a bandwidth and a latency

    Returns:
        the attributes of HierarchicalCollective, each with its unit

    Raises:
        ModelError: an input out of range, or a level that does not hold whole groups of the one before

    Source:
        NVIDIA NCCL, src/graph/tuning.cc, ncclTopoTuneModel; M. Cho, U. Finkler, D. Kung, H. Hunter, BlueConnect, 2019

    >>> node = Level(name="node", devices=8, bandwidth=400e9, latency=0)
    >>> cluster = Level(name="cluster", devices=32, bandwidth=50e9, latency=0)
    >>> hierarchical_collective(operation="all-reduce", payload=8e9, levels=(node, cluster)).time
    0.065
    """
    known_operation(operation)
    size = amount("payload", payload, "byte")
    sizes = members_by_level(levels)
    ranks = levels[-1].devices
    phases: list[Phase] = []
    busy = [0.0] * len(levels)
    for index, part, parts in phases_of(operation, sizes):
        cost = _fastest(part, size / parts, sizes[index], levels[index])
        phases.append(Phase(level=levels[index].name, cost=cost))
        busy[index] += cost.time
    time = outcome("time", sum(phase.cost.time for phase in phases), "s")
    return HierarchicalCollective(
        operation=operation,
        payload=size,
        ranks=ranks,
        phases=tuple(phases),
        latency_term=sum(phase.cost.latency_term for phase in phases),
        bandwidth_term=sum(phase.cost.bandwidth_term for phase in phases),
        time=time,
        slowest_level=max(busy),
        algorithm_bandwidth=algorithm_bandwidth(payload=size, time=time) if time else None,
        bus_bandwidth=bus_bandwidth(operation=operation, payload=size, time=time, ranks=ranks) if time else None,
    )


def _fastest(operation: Operation, payload: float, ranks: int, level: Level) -> Collective:
    costs = (
        collective(
            operation=operation,
            algorithm=algorithm,
            payload=payload,
            ranks=ranks,
            latency=level.latency,
            bandwidth=level.bandwidth,
        )
        for algorithm in NCCL_ALGORITHMS[operation]
    )
    return min(costs, key=lambda cost: cost.time)
