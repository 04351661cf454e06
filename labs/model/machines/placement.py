"""Where the groups of a plan lie on a machine, and what an exchange within such a group costs there.

Ranks are numbered along the tensor axis first, then context, data and pipeline: the groups that exchange most often
lie closest together. The members of a group are a stride apart.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Literal, get_args

from labs.model.collectives.algorithm import NCCL_ALGORITHMS, shape
from labs.model.collectives.operation import Operation, known_operation
from labs.model.machines.hierarchy import members_by_level, phases_of
from labs.model.machines.machine import Level, Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError, nearest, shown
from labs.model.quantities.inputs import amount, count, outcome

Axis = Literal["tensor", "context", "data", "pipeline", "state", "expert", "expert state"]
AXES: tuple[Axis, ...] = get_args(Axis)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Ranks that exchange along one axis of a plan: every stride-th, so many of them.

    Attributes:
        axis: of the plan
        ranks: in the group [1]
        stride: from one member's rank to the next [1]
    """

    axis: Axis
    ranks: int
    stride: int


def axis_group(*, plan: Plan, axis: Axis) -> Group:
    """Return size and stride of a plan's groups along one axis.

    "state" is data and context together, over which gradients are added and ZeRO splits. "expert" is the first ranks of
    those, over which experts are split, and "expert state" the ranks that hold the same experts.

        stride = 1, t, t c, t c d    tensor, context, data, pipeline
        stride = t, t, t e           state, expert, expert state

    Args:
        plan: how the model is split
        axis: which

    Returns:
        the group that rank 0 is in; the others are like it

    Raises:
        ModelError: no such axis

    Source:
        NVIDIA Megatron-LM, megatron/core/parallel_state.py, initialize_model_parallel, order tp-cp-ep-dp-pp

    >>> axis_group(plan=Plan(tensor=8, data=4, pipeline=2), axis="pipeline")
    Group(axis='pipeline', ranks=2, stride=32)
    """
    t, replicas = plan.tensor, plan.context * plan.data
    groups: dict[Axis, tuple[int, int]] = {
        "tensor": (t, 1),
        "context": (plan.context, t),
        "data": (plan.data, t * plan.context),
        "pipeline": (plan.pipeline, t * replicas),
        "state": (replicas, t),
        "expert": (plan.expert, t),
        "expert state": (replicas // plan.expert, t * plan.expert),
    }
    if axis not in groups:
        raise ModelError(
            f"expected axis to be one of {', '.join(AXES)}, found {shown(axis)}",
            argument="axis",
            hint=nearest(axis, dict.fromkeys(AXES)) if isinstance(axis, str) else None,
        )
    ranks, stride = groups[axis]
    return Group(axis=axis, ranks=ranks, stride=stride)


def group_members(*, plan: Plan, axis: Axis, rank: int) -> tuple[int, ...]:
    """Return the ranks that a rank exchanges with along one axis, itself included.

        member i = first member + i · stride

    Args:
        plan: how the model is split
        axis: which
        rank: any of the plan's, from 0 [1]

    Returns:
        all members of its group, in order

    Raises:
        ModelError: a rank that the plan does not have, or no such axis

    Source:
        NVIDIA Megatron-LM, megatron/core/parallel_state.py, initialize_model_parallel, order tp-cp-ep-dp-pp

    >>> group_members(plan=Plan(tensor=2, data=4), axis="data", rank=3)
    (1, 3, 5, 7)
    """
    group = axis_group(plan=plan, axis=axis)
    member = count("rank", rank, at_least=0, at_most=plan.devices - 1)
    first = member - member // group.stride % group.ranks * group.stride
    return tuple(range(first, first + group.ranks * group.stride, group.stride))


def group_levels(*, machine: Machine, ranks: int, stride: int) -> tuple[Level, ...]:
    """Return the levels that groups of equal stride span, each with as many members as are together up to it.

    Groups lie side by side, and the one that lies worst counts: three ranks in nodes of eight straddle two nodes in the
    third group. Levels of equal links count as one.

        members of level i = gcd(n, Dᵢ / stride), or 1 where the stride does not divide Dᵢ devices

    Args:
        machine: the devices and their links
        ranks: in the group, n [1]
        stride: devices from one member to the next [1]

    Returns:
        the innermost first; devices is the members together in one such level; the last holds all

    Raises:
        ModelError: a group larger than the machine

    Source:
        The JAX scaling book, chapter "How to Think About GPUs", on collectives across nodes

    >>> node = Level(name="node", devices=8, bandwidth=450e9, latency=2e-6)
    >>> cluster = Level(name="cluster", devices=64, bandwidth=50e9, latency=4e-6)
    >>> h100 = Machine(name="H100", peak=989e12, memory=80e9, memory_bandwidth=3350e9, levels=(node, cluster))
    >>> [(level.name, level.devices) for level in group_levels(machine=h100, ranks=16, stride=2)]
    [('node', 4), ('cluster', 16)]
    """
    n, apart = count("ranks", ranks), count("stride", stride)
    if (n - 1) * apart >= machine.devices:
        raise ModelError(
            f"expected a group within {machine.devices} devices, found {n} ranks that are {apart} apart",
            argument="ranks",
        )
    spanned: list[Level] = []
    for level in machine.levels:
        together = (
            n if level is machine.levels[-1] else gcd(n, level.devices // apart) if level.devices % apart == 0 else 1
        )
        inner = spanned[-1] if spanned else None
        if together == (inner.devices if inner else 1):
            continue  # no member more than within the level before
        if inner and (inner.bandwidth, inner.latency) == (level.bandwidth, level.latency):
            spanned.pop()
        spanned.append(Level(name=level.name, devices=together, bandwidth=level.bandwidth, latency=level.latency))
        if together == n:
            break
    return tuple(spanned) or (
        Level(
            name=machine.levels[0].name,
            devices=1,
            bandwidth=machine.levels[0].bandwidth,
            latency=machine.levels[0].latency,
        ),
    )


def exchange_time(*, machine: Machine, operation: Operation, payload: float, ranks: int, stride: int = 1) -> float:
    """Return the time of a collective within a group of a plan, wherever on the machine the group lies.

    It is hierarchical_collective over group_levels: on the slowest level that the group spans, and first within those
    where it has several members together. The levels come one after another: where a library sends the chunks of one
    while those of another are on their way, this is more than it takes, by up to a half.

        T = a + b M,  a and b from the levels that the group spans

    Args:
        machine: the devices and their links
        operation: which collective
        payload: the whole buffer, M [byte]
        ranks: in the group [1]
        stride: devices from one member to the next [1]

    Returns:
        until the group is done; nothing for one rank [s]

    Raises:
        ModelError: an input out of range, or a group larger than the machine

    Source:
        NVIDIA NCCL, src/graph/tuning.cc, ncclTopoTuneModel, ring and tree

    >>> node = Level(name="node", devices=8, bandwidth=400e9, latency=0)
    >>> cluster = Level(name="cluster", devices=64, bandwidth=50e9, latency=0)
    >>> machine = Machine(name="two levels", peak=1e15, memory=80e9, memory_bandwidth=3e12, levels=(node, cluster))
    >>> inputs = {"machine": machine, "operation": "all-gather", "payload": 8e9, "ranks": 8}
    >>> exchange_time(**inputs), exchange_time(**inputs, stride=8)
    (0.0175, 0.14)
    """
    size = amount("payload", payload, "byte")
    lines = _lines(machine, operation, ranks, stride)
    return outcome("time", min(waiting + size * per_byte for waiting, per_byte in lines), "s")


def send_time(*, machine: Machine, payload: float, ranks: int, stride: int = 1) -> float:
    """Return the time of a message from each member of a group to the next, in a row or round a ring.

    All wait for the one over the slowest link: a row of stages that leaves its node waits for the network.

        T = α + M / B of the outermost level that the group spans

    Args:
        machine: the devices and their links
        payload: the message, M [byte]
        ranks: in the group [1]
        stride: devices from one member to the next [1]

    Returns:
        until the last message has arrived; nothing for one rank [s]

    Raises:
        ModelError: an input out of range, or a group larger than the machine

    Source:
        The Algebra of Distributed Training, chapter "The α-β Model"

    >>> node = Level(name="node", devices=8, bandwidth=400e9, latency=0)
    >>> cluster = Level(name="cluster", devices=64, bandwidth=50e9, latency=0)
    >>> machine = Machine(name="two levels", peak=1e15, memory=80e9, memory_bandwidth=3e12, levels=(node, cluster))
    >>> send_time(machine=machine, payload=1e9, ranks=8), send_time(machine=machine, payload=1e9, ranks=16)
    (0.0025, 0.02)
    """
    size = amount("payload", payload, "byte")
    if ranks == 1:
        return 0.0
    level = group_levels(machine=machine, ranks=ranks, stride=stride)[-1]
    return outcome("time", level.latency + size / level.bandwidth, "s")


@lru_cache(maxsize=4096)
def _lines(machine: Machine, operation: Operation, ranks: int, stride: int) -> tuple[tuple[float, float], ...]:
    """Return latency and time per byte of an exchange, for each choice of algorithm.

    Kept, because a search over plans asks for few groups and many payloads.
    """
    levels = group_levels(machine=machine, ranks=ranks, stride=stride)
    sizes = members_by_level(levels)
    lines = [(0.0, 0.0)]
    for index, part, parts in phases_of(known_operation(operation), sizes):
        level = levels[index]
        choices = [shape(part, algorithm, sizes[index]) for algorithm in NCCL_ALGORITHMS[part]]
        lines = [
            (waiting + steps * level.latency, per_byte + path / (parts * level.bandwidth))
            for waiting, per_byte in lines
            for steps, path, _ in choices
        ]
    return tuple(lines)
