"""What a device does itself in a step: arithmetic, and the memory's traffic of everything between the matrices."""

from dataclasses import dataclass

from labs.model.device_memory.activations import layer_activations
from labs.model.machines.machine import Machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import share
from labs.model.steps.work import Work, training_work
from labs.model.transformers.transformer import Transformer

EFFICIENCY = 0.64  # fits the published runs best, see labs/model/steps/published.py


@dataclass(frozen=True, slots=True)
class Compute:
    """What of a step does not depend on its exchanges: work, FLOP in a second, times of passes, traffic of both."""

    work: Work
    speed: float
    forward: float
    backward: float
    traffic: float


def compute(model: Transformer, plan: Plan, machine: Machine, efficiency: float, flash: bool) -> Compute:
    """Return what the devices do themselves; refuse a plan that is larger than the machine."""
    reached = share("efficiency", efficiency)
    if plan.devices > machine.devices:
        raise ModelError(f"expected a plan of at most {machine.devices} devices, found {plan.devices}", argument="plan")
    work = training_work(model=model, sequences=plan.global_batch, recompute=plan.recompute)
    speed = plan.devices * machine.peak * reached
    moved = traffic(model, plan, machine, flash)
    return Compute(
        work=work,
        speed=speed,
        forward=work.forward / speed + moved[0],
        backward=(work.backward + work.recompute) / speed + moved[1],
        traffic=sum(moved),
    )


def traffic(model: Transformer, plan: Plan, machine: Machine, flash: bool) -> tuple[float, float]:
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
