"""Every tensor that crosses in a step, with its time on the machine."""

from dataclasses import dataclass

from labs.model.boundaries.crossing import Crossing
from labs.model.boundaries.training_step import crossings
from labs.model.device_memory.conventions import CONVENTIONS, Convention
from labs.model.machines.machine import Machine
from labs.model.machines.placement import exchange_time, send_time
from labs.model.plans.plan import Plan
from labs.model.steps.compute import EFFICIENCY, compute
from labs.model.steps.exposure import exposure
from labs.model.transformers.transformer import Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedCrossing:
    """A tensor that crosses, and what that takes.

    Attributes:
        crossing: the tensor
        each: time of one operation [s]
        time: of all of them in a step, one after another [s]
        hidden: of this, behind compute; its share of what all that hide behind the same compute can [s]
    """

    crossing: Crossing
    each: float
    time: float
    hidden: float


def timed_crossings(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    convention: Convention = CONVENTIONS["mixed"],
    efficiency: float = EFFICIENCY,
    overlap: bool = True,
    flash: bool = True,
) -> tuple[TimedCrossing, ...]:
    """Return every tensor that crosses in a step with its time, and how much of that hides behind compute.

    Tensors that may hide behind the same compute share it in proportion to their times; a second of compute hides a
    second of communication at the most. What sends between stages wait for is part of the bubble of step_time; here
    they hide nothing.

        time = times · exchange_time;  hidden ≤ (times − alone) · exchange_time;  Σ hidden ≤ the step's compute

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their links
        convention: bytes of a weight as it is gathered, and of a gradient as it is summed
        efficiency: share of the peak that arithmetic reaches where it waits for nothing [1]
        overlap: whether exchanges hide where they may
        flash: whether attention's scores stay out of memory

    Returns:
        one record for each of crossings, in the same order

    Raises:
        ModelError: an impossible plan, one that is larger than the machine, or an efficiency that is no share

    Source:
        as of step_time, whose parts these are

    >>> from labs.model.machines.named import named_machine
    >>> from labs.model.transformers.transformer import gpt
    >>> model, machine = gpt(hidden=4096, layers=32, heads=32), named_machine(name="DGX H100", devices=8)
    >>> timed_crossings(model=model, plan=Plan(data=8), machine=machine)[0].crossing.name
    'gradients'
    """
    own = compute(model, plan, machine, efficiency, flash)
    found = with_times(model, plan, machine, convention)
    shown = exposure(found, own, plan.accumulation, overlap)
    return tuple(
        TimedCrossing(
            crossing=crossing, each=time / crossing.times, time=time, hidden=shown.hidden_of(crossing, time)
        )
        for crossing, time in found
    )


def with_times(
    model: Transformer, plan: Plan, machine: Machine, convention: Convention
) -> list[tuple[Crossing, float]]:
    """Return every tensor that crosses in a step, and the time of all its operations one after another."""
    found = crossings(
        model=model, plan=plan, parameter_bytes=convention.working, gradient_bytes=convention.reduced
    )
    return [(crossing, _time(crossing, machine)) for crossing in found]


def _time(crossing: Crossing, machine: Machine) -> float:
    """Return the time of a crossing in a step, one after another."""
    if crossing.operation == "send":
        each = send_time(
            machine=machine, payload=crossing.payload, ranks=crossing.ranks, stride=crossing.stride
        )
    else:
        each = exchange_time(
            machine=machine,
            operation=crossing.operation,
            payload=crossing.payload,
            ranks=crossing.ranks,
            stride=crossing.stride,
        )
    return each * crossing.times


def hop_time(found: list[tuple[Crossing, float]], plan: Plan, machine: Machine) -> float:
    """Return the time from a stage to the next: tensor ranks send a part each, and gather the parts."""
    sends = [crossing for crossing, _ in found if _is_send(crossing)]
    if not sends:
        return 0.0
    payload = sends[0].payload
    ranks = 1 if plan.sequence_parallel else plan.tensor
    part = send_time(machine=machine, payload=payload / ranks, ranks=plan.pipeline, stride=sends[0].stride)
    return part + exchange_time(machine=machine, operation="all-gather", payload=payload, ranks=ranks)


def _is_send(crossing: Crossing) -> bool:
    return crossing.axis == "pipeline" and crossing.operation == "send"
