"""The time of a training step, predicted from a model, a plan and a machine with one efficiency."""

from collections import defaultdict
from dataclasses import dataclass

from labs.model.crossing import Crossing
from labs.model.crossings import crossings
from labs.model.errors import ModelError
from labs.model.inputs import positive
from labs.model.layer_exchanges import INPUT, MATRICES, NEXT_BLOCK
from labs.model.machine import Machine
from labs.model.pipeline import pipeline_step_time
from labs.model.placement import exchange_time
from labs.model.plan import Plan
from labs.model.transformer import Transformer
from labs.model.weight_exchanges import BEFORE, LAST_BACKWARD, NEXT_FORWARD
from labs.model.work import Work, training_work


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A training step in times that add up.

    Attributes:
        compute: arithmetic of one device at the stated efficiency [s]
        tensor: exchanges of tensor ranks that nothing hides [s]
        context: exchanges of context ranks that nothing hides [s]
        expert: exchanges of expert ranks [s]
        bubble: waiting of a stage while the pipeline fills and drains, and for sends [s]
        data: gradients and weights of replicas that nothing hides [s]
        time: of the step: the sum of all above [s]
        hidden: communication behind compute, in no sum [s]
        tokens_per_second: of the whole plan [1]
        utilization: model FLOPs over what all devices could do in that time [1]
    """

    compute: float
    tensor: float
    context: float
    expert: float
    bubble: float
    data: float
    time: float
    hidden: float
    tokens_per_second: float
    utilization: float


def step_time(
    *, model: Transformer, plan: Plan, machine: Machine, efficiency: float = 0.55, overlap: bool = True
) -> Step:
    """Return the time of a training step, part by part.

    Work is spread evenly over stages; the stage that exchanges most sets the pace. Each exchange takes what exchange_time
    says of its group's place on the machine. With overlap, an exchange that may run behind compute (see Crossing) is
    exposed only as far as that compute does not last; without, only gradients and gathered weights hide, as they do in
    every framework, and tensor and context exchanges are all exposed.

        T = T_pipeline(F + B per microbatch) + exposed(gradients, weights)
        compute = work / (devices · peak · efficiency)

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their links
        efficiency: share of the peak that the arithmetic reaches where nothing has to be waited for [1]
        overlap: whether tensor and context exchanges hide where they may

    Returns:
        the attributes of Step, each with its unit

    Raises:
        ModelError: an impossible plan, one that is larger than the machine, or an efficiency that is no share

    Source:
        pipeline_step_time, exchange_time, crossings and training_work, each with its own; how far it agrees with published
        runs stands on the page "Published runs"

    >>> from labs.model.machines import named_machine
    >>> from labs.model.transformer import gpt
    >>> model = gpt(hidden=12288, layers=96, heads=96)
    >>> plan = Plan(tensor=8, pipeline=8, accumulation=64, interleave=3, recompute="full")
    >>> step = step_time(model=model, plan=plan, machine=named_machine(name="DGX A100 80GB", devices=64))
    >>> 15 < step.time < 21
    True
    """
    share = positive("efficiency", efficiency, "1")
    if share > 1:
        raise ModelError(f"expected efficiency <= 1, found {share}", argument="efficiency")
    work = training_work(model=model, sequences=plan.global_batch, recompute=plan.recompute)
    speed = plan.devices * machine.peak * share
    forward, backward = work.forward / speed, (work.backward + work.recompute) / speed
    found = [(crossing, _time(crossing, machine)) for crossing in crossings(model=model, plan=plan)]
    exposed, hidden = _layers(found, work, speed, overlap)
    m, p, v = plan.accumulation, plan.pipeline, plan.interleave
    exchanged = {(axis, phase): time for (axis, phase), time in exposed.items()}
    before = (forward + sum(time for (_, phase), time in exchanged.items() if phase == "forward")) / m
    behind = (backward + sum(time for (_, phase), time in exchanged.items() if phase == "backward")) / m
    hop = max((time / crossing.times for crossing, time in found if _is_send(crossing)), default=0.0)
    piped = pipeline_step_time(
        stages=p, microbatches=m, forward=before, backward=behind, chunks=v, delay=hop if p > 1 else 0.0
    )
    replicas, behind_compute = _replicas(found, forward, backward, m)
    time = piped + replicas
    axes = {axis: sum(time for (of, _), time in exchanged.items() if of == axis) for axis in ("tensor", "context", "expert")}
    compute = forward + backward
    return Step(
        compute=compute,
        tensor=axes["tensor"],
        context=axes["context"],
        expert=axes["expert"],
        bubble=piped - compute - sum(axes.values()),
        data=replicas,
        time=time,
        hidden=hidden + behind_compute,
        tokens_per_second=work.tokens / time,
        utilization=work.model / (plan.devices * machine.peak * time),
    )


def _time(crossing: Crossing, machine: Machine) -> float:
    """Return the time of a crossing in a step, one after another."""
    if crossing.operation == "send":
        # Of the sends round a ring, all wait for the one over the slowest link.
        apart = crossing.stride * (crossing.ranks - 1)
        each = exchange_time(machine=machine, operation="send-recv", payload=crossing.payload, ranks=2, stride=apart)
    else:
        each = exchange_time(
            machine=machine,
            operation=crossing.operation,
            payload=crossing.payload,
            ranks=crossing.ranks,
            stride=crossing.stride,
        )
    return each * crossing.times


def _is_send(crossing: Crossing) -> bool:
    return crossing.axis == "pipeline" and crossing.operation == "send"


def _layers(
    found: list[tuple[Crossing, float]], work: Work, speed: float, overlap: bool
) -> tuple[dict[tuple[str, str], float], float]:
    """Return what the exchanges within layers cost by axis and phase, and what compute hides of them.

    Of the first and the last stage the one that exchanges more sets the pace.
    """
    attention = work.attention / speed
    room = {
        # Of the backward pass one half is for the inputs' gradients, the other for the weights'.
        (MATRICES, "backward"): work.backward / speed / 2,
        (INPUT, "backward"): work.backward / speed / 2,
        (NEXT_BLOCK, "forward"): attention,
        (NEXT_BLOCK, "backward"): 2 * attention,
    }
    by: dict[tuple[str, str, str | None, str], float] = defaultdict(float)
    for crossing, time in found:
        if crossing.phase != "step" and crossing.axis in ("tensor", "context", "expert"):
            by[crossing.axis, crossing.phase, crossing.hidden_by, crossing.where] += time
    exposed: dict[tuple[str, str], float] = defaultdict(float)
    hidden = 0.0
    for axis, phase, behind in dict.fromkeys(key[:3] for key in by):
        here = by[axis, phase, behind, "every stage"] + max(
            by[axis, phase, behind, "the first stage"], by[axis, phase, behind, "the last stage"]
        )
        covered = min(here, room.get((behind or "", phase), 0.0)) if overlap else 0.0
        exposed[axis, phase] += here - covered
        hidden += covered
    return exposed, hidden


def _replicas(found: list[tuple[Crossing, float]], forward: float, backward: float, m: int) -> tuple[float, float]:
    """Return what gradients and weights cost beside compute, and what compute hides of them."""
    room = {LAST_BACKWARD: backward / m, NEXT_FORWARD: forward / m, BEFORE: forward + backward}
    needed: dict[str | None, float] = defaultdict(float)
    for crossing, time in found:
        if crossing.axis == "data" or crossing.phase == "step":
            needed[crossing.hidden_by] += time
    hidden = sum(min(time, room.get(behind or "", 0.0)) for behind, time in needed.items())
    return sum(needed.values()) - hidden, hidden
