"""The time of a training step, predicted from a model, a plan and a machine with one efficiency.

Four things take time on a device: arithmetic, which reaches a stated share of the peak; the memory's traffic of
everything between the matrices; exchanges that nothing hides; and waiting for other stages.
"""

from dataclasses import dataclass

from labs.model.device_memory.conventions import CONVENTIONS, Convention
from labs.model.machines.machine import Machine
from labs.model.pipelines.forms import pipeline_step_time
from labs.model.plans.plan import Plan
from labs.model.steps.compute import EFFICIENCY, compute
from labs.model.steps.crossing_times import hop_time, with_times
from labs.model.steps.exposure import LAYER_AXES, exposure
from labs.model.transformers.transformer import Transformer


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
    convention: Convention = CONVENTIONS["mixed"],
    efficiency: float = EFFICIENCY,
    overlap: bool = True,
    flash: bool = True,
) -> Step:
    """Return the time of a training step, part by part.

    Work is spread evenly over stages; the stage that exchanges most sets the pace. What a layer keeps for the backward
    pass is written once and read once on the way forward, and twice that on the way back. An exchange takes what
    exchange_time says of its group's place on the machine; between stages each tensor rank sends its part, and the
    parts are gathered again. With overlap, an exchange that may run behind compute (see Crossing) is exposed only as
    far as that does not last; each second of compute hides one exchange at a time, and the bubble hides none. Without,
    every exchange is exposed. Weights and gradients cross as wide as the convention has them; arithmetic is at the
    machine's peak, and activations are of 16 bits, whatever the convention.

        T = T_pipeline(F + B of a microbatch) + exposed(gradients, weights)
        arithmetic = work / (devices · peak · efficiency)
        traffic = 2 (3 + recomputed) · bytes kept of all layers / memory bandwidth

    Args:
        model: the transformer
        plan: how it is split, and how a step is run
        machine: the devices and their links
        convention: bytes of a weight as it is gathered, and of a gradient as it is summed
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

    >>> from labs.model.machines.named import named_machine
    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=12288, layers=96, heads=96)
    >>> plan = Plan(tensor=8, pipeline=8, accumulation=64, interleave=3, recompute="full")
    >>> a100 = named_machine(name="DGX A100 80GB", devices=64)
    >>> step = step_time(model=model, plan=plan, machine=a100, overlap=False, flash=False)
    >>> abs(step.time / 18.13 - 1) < 0.1  # Korthikanti et al. 2022, table 5
    True
    """
    own = compute(model, plan, machine, efficiency, flash)
    work, forward, backward = own.work, own.forward, own.backward
    found = with_times(model, plan, machine, convention)
    m, p = plan.accumulation, plan.pipeline
    shown = exposure(found, own, m, overlap)
    piped = pipeline_step_time(
        stages=p,
        microbatches=m,
        forward=(forward + sum(shown.forward.values())) / m,
        backward=(backward + sum(shown.backward.values())) / m,
        chunks=plan.interleave,
        delay=hop_time(found, plan, machine),
    )
    axes = {axis: shown.forward[axis] + shown.backward[axis] for axis in LAYER_AXES}
    time = piped + shown.weights
    return Step(
        arithmetic=work.total / own.speed,
        traffic=own.traffic,
        tensor=axes["tensor"],
        context=axes["context"],
        expert=axes["expert"],
        bubble=max(0.0, piped - forward - backward - sum(axes.values())) if p > 1 else 0.0,
        data=shown.weights,
        time=time,
        hidden=shown.hidden,
        tokens_per_second=work.tokens / time,
        utilization=work.model / (plan.devices * machine.peak * time),
    )
