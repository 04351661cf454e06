"""What a tensor that crosses a device boundary is told by."""

from dataclasses import dataclass
from typing import Literal

from labs.model.plans.plan import Plan

Operation = Literal["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "send"]
Axis = Literal["tensor", "context", "data", "expert", "pipeline"]
Phase = Literal["forward", "backward", "step"]
Place = Literal[
    "attention input",
    "attention",
    "attention output",
    "mlp input",
    "mlp output",
    "experts",
    "embedding output",
    "head input",
    "loss",
    "embedding weights",
    "layer weights",
    "head weights",
    "norm weights",
    "all weights",
    "stage boundary",
    "tied ends",
]
Where = Literal["every stage", "the first stage", "the last stage", "first and last stage", "stages with a boundary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Devices that take part in one operation.

    Attributes:
        axis: the kind of parallelism that makes it
        ranks: devices in it [1]
        stride: from each of its devices to the next, in device numbers [1]
    """

    axis: Axis
    ranks: int
    stride: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A tensor that crosses a device boundary in a training step.

    Payloads are those of nccl-tests: of an all-reduce the buffer on each rank, of an all-gather and a reduce-scatter
    the whole buffer, of an all-to-all what a rank has for all ranks, its own part included, of a send the message.

    Attributes:
        name: such as "attention output (partial sums)"
        shape: of the payload
        payload: of one operation [byte]
        sent: by each rank in one operation by the least that any algorithm sends, as a ring does [byte]
        operation: all-reduce, reduce-scatter, all-gather, all-to-all or send
        axis: the kind of parallelism that causes it
        ranks: devices that take part in one operation [1]
        stride: from each of them to the next, in device numbers [1]
        times: in a step, on a device of the stage that does it most often [1]
        phase: forward, backward, or step: once the gradients are there
        place: where in the model
        where: the stages that do it
        cause: why, in one sentence
        symbols: the shape in symbols
        width: of one element [byte]
        hidden_by: the compute behind which it may run, or None: it is on the critical path
        alone: operations of a step, or parts of one, that find none of that compute left or begun [1]
    """

    name: str
    shape: tuple[int, ...]
    payload: float
    sent: float
    operation: Operation
    axis: Axis
    ranks: int
    stride: int
    times: int
    phase: Phase
    place: Place
    where: Where
    cause: str
    symbols: str
    width: float
    hidden_by: str | None
    alone: float

    @property
    def formula(self) -> str:
        """The payload in symbols and in numbers."""
        # Put together only where it is read: plans are searched by the thousand.
        size = f"{self.width:g} byte"
        return f"{self.symbols} · {size} = {' · '.join(map(str, self.shape))} · {size}"

    @property
    def bytes_per_step(self) -> float:
        """Bytes that a device of that stage sends in a step."""
        return self.sent * self.times


def crossing(
    name: str,
    operation: Operation,
    group: Group,
    *,
    shape: tuple[int, ...],
    symbols: str,
    width: float,
    times: int,
    phase: Phase,
    place: Place,
    cause: str,
    where: Where = "every stage",
    hidden_by: str | None = None,
    alone: float = 0.0,
) -> Crossing:
    """Return a crossing; width is the bytes of one element."""
    elements = 1
    for length in shape:
        elements *= length
    payload = elements * width
    ranks = group.ranks
    share = 1.0 if operation == "send" else (2 if operation == "all-reduce" else 1) * (ranks - 1) / ranks
    return Crossing(
        name=name,
        shape=shape,
        payload=payload,
        sent=payload * share,
        operation=operation,
        axis=group.axis,
        ranks=ranks,
        stride=group.stride,
        times=times,
        phase=phase,
        place=place,
        where=where,
        cause=cause,
        symbols=symbols,
        width=width,
        hidden_by=hidden_by,
        alone=alone,
    )


def tensor_group(plan: Plan) -> Group:
    """Return the ranks that share each matrix: neighbours in number."""
    return Group(axis="tensor", ranks=plan.tensor, stride=1)


def context_group(plan: Plan) -> Group:
    """Return the ranks that share each sequence."""
    return Group(axis="context", ranks=plan.context, stride=plan.tensor)


def expert_group(plan: Plan) -> Group:
    """Return the ranks that share the experts of a layer: of data × context, those next to each other."""
    return Group(axis="expert", ranks=plan.expert, stride=plan.tensor)


def replica_group(plan: Plan) -> Group:
    """Return the ranks that hold the same weights; context ranks count as replicas."""
    return Group(axis="data", ranks=plan.data * plan.context, stride=plan.tensor)


def expert_replica_group(plan: Plan) -> Group:
    """Return the ranks that hold the same routed experts."""
    return Group(axis="data", ranks=plan.data * plan.context // plan.expert, stride=plan.tensor * plan.expert)


def neighbour_group(plan: Plan) -> Group:
    """Return two stages next to each other."""
    return Group(axis="pipeline", ranks=2, stride=plan.devices // plan.pipeline)


def end_group(plan: Plan) -> Group:
    """Return the first and the last stage."""
    return Group(axis="pipeline", ranks=2, stride=plan.devices // plan.pipeline * (plan.pipeline - 1))
