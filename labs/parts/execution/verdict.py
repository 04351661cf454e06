"""What a plan comes to, in a few sentences."""

from collections.abc import Iterator

from labs.model.boundaries.crossing import Crossing
from labs.model.device_memory.budget import Memory
from labs.model.plans.plan import Plan
from labs.model.steps.step import Step
from labs.parts.execution.scenario import Scenario
from labs.parts.execution.step import exposed
from labs.parts.execution.words import share, size, time

NAMED = 4  # tensors that a sentence names
IN_LAYERS = ("attention input", "attention output", "mlp input", "mlp output")


def essence(scene: Scenario, plan: Plan, found: tuple[Crossing, ...], sent: dict[int, float]) -> str:
    """Return what the splits make cross, one clause a split."""
    clauses = list(_clauses(scene, plan, found, sent))
    if not clauses:
        return "One device holds the whole model: nothing crosses."
    return ". ".join(clause[:1].upper() + clause[1:] for clause in clauses) + "."


def _clauses(scene: Scenario, plan: Plan, found: tuple[Crossing, ...], sent: dict[int, float]) -> Iterator[str]:
    names = {crossing.name: crossing for crossing in found}
    inner = [one for one in found if one.axis == "tensor" and one.place in IN_LAYERS]
    if inner:
        forward = sum(one.phase == "forward" for one in inner)
        payload = max(one.payload for one in inner)
        back = len(inner) - forward
        others = sum(one.axis == "tensor" for one in found) - len(inner)
        ways = f"{forward} on the way forward and {back} on the way back"
        if len(inner) <= NAMED:
            ways = f"{_names(inner, 'forward')} on the way forward, {_names(inner, 'backward')} on the way back"
        yield (
            f"tensor ranks exchange {len(inner)} tensors of up to {size(payload)} in each layer and microbatch: "
            f"{ways}; and {others} more outside of layers"
        )
    if plan.context > 1:
        yield f"context ranks pass keys and values round a ring of {plan.context} in each layer"
    if plan.expert > 1 and scene.model.experts:
        yield f"expert ranks send each token to its {scene.model.experts.chosen} experts and back in each such layer"
    if plan.pipeline > 1:
        each = names["output of a stage"].payload
        yield f"stages hand on {size(each)} for each microbatch, and its gradient back"
    if plan.data * plan.context > 1:
        moved = sent[plan.zero]
        ranks = "replicas" if plan.data > 1 else "context ranks, which hold the same weights,"
        if plan.zero == 3:
            more = f", {moved / sent[1]:.3g} times what ZeRO-1 would" if sent[1] else ""
            yield f"{ranks} gather weights layer by layer and scatter gradients: each device sends {size(moved)}{more}"
        elif plan.zero:
            yield f"{ranks} scatter gradients and gather updated weights: each device sends {size(moved)} in a step"
        else:
            yield f"{ranks} add up their gradients: each device sends {size(moved)} in a step"


def _names(found: list[Crossing], phase: str) -> str:
    return " and ".join(one.name for one in found if one.phase == phase)


def outcome(scene: Scenario, plan: Plan, step: Step, fullest: Memory) -> str:
    """Return what a step takes, and what it waits for."""
    waits = f"{share(exposed(step) / step.time)} is exposed communication"
    if plan.pipeline > 1:
        waits += f" and {share(step.bubble / step.time)} bubble"
    said = f"A step takes {time(step.time)}, of which {waits}; model FLOPs utilization is {share(step.utilization)}"
    if fullest.fits:
        said += f". The fullest device needs {size(fullest.total)} of {size(scene.machine.memory)}"
    return f"{said}."
