"""The time of a training step, predicted from a model, a plan and a machine with one efficiency.

Four things take time on a device: arithmetic, which reaches a stated share of the peak; the memory's traffic of
everything between the matrices; exchanges that nothing hides; and waiting for other stages.
"""

from collections import defaultdict
from dataclasses import dataclass, replace

from labs.model.activations import layer_activations
from labs.model.boundaries import crossings
from labs.model.bubble import bubble_overhead
from labs.model.crossing import Crossing
from labs.model.errors import ModelError
from labs.model.inputs import share
from labs.model.layer_exchanges import INPUT, MATRICES, NEXT_BLOCK
from labs.model.machine import Machine
from labs.model.pipeline import pipeline_step_time
from labs.model.placement import exchange_time, send_time
from labs.model.plan import Plan
from labs.model.transformer import Transformer
from labs.model.weight_exchanges import BEFORE, LAST_BACKWARD, NEXT_FORWARD
from labs.model.work import Work, training_work

EFFICIENCY = 0.64  # fits the published runs best, see labs/model/published.py


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


@dataclass(frozen=True, slots=True)
class _Setting:
    """What of a step does not depend on its exchanges: work, FLOP in a second, times of both passes, parts of them."""

    work: Work
    speed: float
    forward: float
    backward: float
    traffic: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A training step in times that add up.

    Attributes:
        arithmetic: of one device at the stated efficiency [s]
        traffic: of the device's memory, for norms, activations, dropout and attention's scores [s]
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

    arithmetic: float
    traffic: float
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
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    efficiency: float = EFFICIENCY,
    overlap: bool = True,
    flash: bool = True,
) -> Step:
    """Return the time of a training step, part by part.

    Work is spread evenly over stages; the stage that exchanges most sets the pace. What a layer keeps for the backward
    pass is written once and read once on the way forward, and twice that on the way back. An exchange takes what
    exchange_time says of its group's place on the machine; between stages each tensor rank sends its part, and the
    parts are gathered again. With overlap, an exchange that may run behind arithmetic (see Crossing) is exposed only
    as far as that does not last; without, every exchange is exposed.

        T = T_pipeline(F + B of a microbatch) + exposed(gradients, weights)
        arithmetic = work / (devices · peak · efficiency)
        traffic = 2 (3 + recomputed) · bytes kept of all layers / memory bandwidth

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their links
        efficiency: share of the peak that arithmetic reaches where it waits for nothing [1]
        overlap: whether exchanges hide where they may
        flash: whether attention's scores stay out of memory

    Returns:
        the attributes of Step, each with its unit

    Raises:
        ModelError: an impossible plan, one that is larger than the machine, or an efficiency that is no share

    Source:
        pipeline_step_time, exchange_time, crossings and training_work, each with its own; how far it agrees with
        published runs stands on the page "Published runs"

    >>> from labs.model.machines import named_machine
    >>> from labs.model.transformer import gpt
    >>> model = gpt(hidden=12288, layers=96, heads=96)
    >>> plan = Plan(tensor=8, pipeline=8, accumulation=64, interleave=3, recompute="full")
    >>> a100 = named_machine(name="DGX A100 80GB", devices=64)
    >>> step = step_time(model=model, plan=plan, machine=a100, overlap=False, flash=False)
    >>> abs(step.time / 18.13 - 1) < 0.1  # Korthikanti et al. 2022, table 5
    True
    """
    set_up = _setting(model, plan, machine, efficiency, flash)
    work, forward, backward = set_up.work, set_up.forward, set_up.backward
    found = [(crossing, _time(crossing, machine)) for crossing in crossings(model=model, plan=plan)]
    exposed, hidden, _ = _layers(found, work, set_up.speed, overlap)
    m, p = plan.accumulation, plan.pipeline
    piped = pipeline_step_time(
        stages=p,
        microbatches=m,
        forward=(forward + sum(exposed["forward"].values())) / m,
        backward=(backward + sum(exposed["backward"].values())) / m,
        chunks=plan.interleave,
        delay=_hop(found, plan, machine),
    )
    replicas, behind, _ = _replicas(found, forward, backward, m, overlap)
    axes = {axis: exposed["forward"][axis] + exposed["backward"][axis] for axis in ("tensor", "context", "expert")}
    time = piped + replicas
    return Step(
        arithmetic=work.total / set_up.speed,
        traffic=set_up.traffic,
        tensor=axes["tensor"],
        context=axes["context"],
        expert=axes["expert"],
        bubble=max(0.0, piped - forward - backward - sum(axes.values())) if p > 1 else 0.0,
        data=replicas,
        time=time,
        hidden=hidden + behind,
        tokens_per_second=work.tokens / time,
        utilization=work.model / (plan.devices * machine.peak * time),
    )


def least_step_time(*, model: Transformer, plan: Plan, machine: Machine, efficiency: float = EFFICIENCY) -> float:
    """Return what a step takes at least: no exchange, and nothing recomputed.

    It costs a fraction of step_time, so a search can leave out what is slow in any case.

        least = (arithmetic + traffic) (1 + (p − 1) / (v m))

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their memory
        efficiency: share of the peak that arithmetic reaches [1]

    Returns:
        a time that step_time does not fall below, with attention's scores out of memory [s]

    Raises:
        ModelError: an impossible plan, or an efficiency that is no share

    Source:
        step_time, with its exchanges left out

    >>> from labs.model.machines import named_machine
    >>> from labs.model.transformer import gpt
    >>> model, machine = gpt(hidden=4096, layers=32, heads=32), named_machine(name="DGX H100", devices=8)
    >>> plan = Plan(tensor=2, data=4, accumulation=16)
    >>> whole = step_time(model=model, plan=plan, machine=machine)
    >>> least_step_time(model=model, plan=plan, machine=machine) < whole.time
    True
    """
    work = training_work(model=model, sequences=plan.global_batch, recompute="none")
    arithmetic = work.total / (plan.devices * machine.peak * share("efficiency", efficiency))
    unspared = plan if plan.recompute == "none" else replace(plan, recompute="none")
    moved = sum(_traffic(model, unspared, machine, flash=True))
    bubble = bubble_overhead(stages=plan.pipeline, microbatches=plan.accumulation, chunks=plan.interleave)
    return (arithmetic + moved) * (1 + bubble)


def timed_crossings(
    *,
    model: Transformer,
    plan: Plan,
    machine: Machine,
    efficiency: float = EFFICIENCY,
    overlap: bool = True,
    flash: bool = True,
) -> tuple[TimedCrossing, ...]:
    """Return every tensor that crosses in a step with its time, and how much of that hides behind compute.

    Tensors that may hide behind the same compute share it in proportion to their times. What sends between stages wait
    for is part of the bubble of step_time; here they hide nothing.

        time = times · exchange_time;  hidden ≤ the compute behind which it may run

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their links
        efficiency: share of the peak that arithmetic reaches where it waits for nothing [1]
        overlap: whether exchanges hide where they may
        flash: whether attention's scores stay out of memory

    Returns:
        one record for each of crossings, in the same order

    Raises:
        ModelError: an impossible plan, one that is larger than the machine, or an efficiency that is no share

    Source:
        as of step_time, whose parts these are

    >>> from labs.model.machines import named_machine
    >>> from labs.model.transformer import gpt
    >>> model, machine = gpt(hidden=4096, layers=32, heads=32), named_machine(name="DGX H100", devices=8)
    >>> timed_crossings(model=model, plan=Plan(data=8), machine=machine)[0].crossing.name
    'gradients'
    """
    set_up = _setting(model, plan, machine, efficiency, flash)
    found = [(crossing, _time(crossing, machine)) for crossing in crossings(model=model, plan=plan)]
    _, _, within = _layers(found, set_up.work, set_up.speed, overlap)
    _, _, between = _replicas(found, set_up.forward, set_up.backward, plan.accumulation, overlap)
    return tuple(
        TimedCrossing(
            crossing=crossing,
            each=time / crossing.times,
            time=time,
            hidden=time
            * (
                between.get(crossing.hidden_by or "", 0.0)
                if _is_of_weights(crossing)
                else within.get((crossing.phase, crossing.axis, crossing.hidden_by), 0.0)
            ),
        )
        for crossing, time in found
    )


def _setting(model: Transformer, plan: Plan, machine: Machine, efficiency: float, flash: bool) -> _Setting:
    reached = share("efficiency", efficiency)
    if plan.devices > machine.devices:
        raise ModelError(f"expected a plan of at most {machine.devices} devices, found {plan.devices}", argument="plan")
    work = training_work(model=model, sequences=plan.global_batch, recompute=plan.recompute)
    speed = plan.devices * machine.peak * reached
    moved = _traffic(model, plan, machine, flash)
    return _Setting(
        work=work,
        speed=speed,
        forward=work.forward / speed + moved[0],
        backward=(work.backward + work.recompute) / speed + moved[1],
        traffic=sum(moved),
    )


def _traffic(model: Transformer, plan: Plan, machine: Machine, flash: bool) -> tuple[float, float]:
    """Return the time of the memory's traffic between matrices, forward and backward, of one device in a step."""
    forward = again = 0.0
    dense = model.dense_layers
    for layers, experts in ((dense, False), (model.layers - dense, True)):
        if layers:
            whole = layer_activations(model=model, plan=plan, recompute="none", experts=experts, flash=flash)
            kept = layer_activations(model=model, plan=plan, recompute=plan.recompute, experts=experts, flash=flash)
            forward += layers * whole
            again += layers * (whole if plan.recompute == "full" else whole - kept)
    each = 2 * plan.accumulation / plan.pipeline / machine.memory_bandwidth
    return forward * each, (2 * forward + again) * each


def _hop(found: list[tuple[Crossing, float]], plan: Plan, machine: Machine) -> float:
    """Return the time from a stage to the next: tensor ranks send a part each, and gather the parts."""
    sends = [crossing for crossing, _ in found if _is_send(crossing)]
    if not sends:
        return 0.0
    payload = sends[0].payload
    ranks = 1 if plan.sequence_parallel else plan.tensor
    part = send_time(machine=machine, payload=payload / ranks, ranks=plan.pipeline, stride=sends[0].stride)
    return part + exchange_time(machine=machine, operation="all-gather", payload=payload, ranks=ranks)


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


def _is_send(crossing: Crossing) -> bool:
    return crossing.axis == "pipeline" and crossing.operation == "send"


def _is_of_weights(crossing: Crossing) -> bool:
    return crossing.axis == "data" or crossing.phase == "step"


def _layers(
    found: list[tuple[Crossing, float]], work: Work, speed: float, overlap: bool
) -> tuple[dict[str, dict[str, float]], float, dict[tuple[str, str, str | None], float]]:
    """Return what the exchanges within layers cost, by phase and axis, what arithmetic hides of them, and which share.

    Of the first and the last stage the one that exchanges more sets the pace.
    """
    # Of the backward pass one half is for the inputs' gradients, the other for the weights'.
    half, attention = work.backward / speed / 2, work.attention / speed
    room = {
        ("backward", MATRICES): half,
        ("backward", INPUT): half,
        ("forward", NEXT_BLOCK): attention,
        ("backward", NEXT_BLOCK): 2 * attention,
    }
    by: dict[tuple[str, str, str | None], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for crossing, time in found:
        if crossing.phase != "step" and crossing.axis in ("tensor", "context", "expert"):
            by[crossing.phase, crossing.axis, crossing.hidden_by][crossing.where] += time
    exposed: dict[str, dict[str, float]] = {"forward": defaultdict(float), "backward": defaultdict(float)}
    hidden, shares = 0.0, {}
    for (phase, axis, behind), at in by.items():
        time = at["every stage"] + max(at["the first stage"], at["the last stage"])
        covered = min(time, room.get((phase, behind or ""), 0.0)) if overlap else 0.0
        exposed[phase][axis] += time - covered
        hidden += covered
        shares[phase, axis, behind] = covered / time if time else 0.0
    return exposed, hidden, shares


def _replicas(
    found: list[tuple[Crossing, float]], forward: float, backward: float, m: int, overlap: bool
) -> tuple[float, float, dict[str, float]]:
    """Return what gradients and weights cost beside everything else, what of them is hidden, and which share."""
    room = {LAST_BACKWARD: backward / m, NEXT_FORWARD: forward / m, BEFORE: forward + backward} if overlap else {}
    needed: dict[str, float] = defaultdict(float)
    for crossing, time in found:
        if _is_of_weights(crossing):
            needed[crossing.hidden_by or ""] += time
    covered = {behind: min(time, room.get(behind, 0.0)) for behind, time in needed.items()}
    hidden = sum(covered.values())
    shares = {behind: covered[behind] / time if time else 0.0 for behind, time in needed.items()}
    return sum(needed.values()) - hidden, hidden, shares
