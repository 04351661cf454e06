"""The table of every tensor that crosses, and what each kind of ranks sends in all."""

from typing import Any

from labs.model.boundaries.crossing import Crossing
from labs.model.machines.machine import Machine
from labs.model.plans.plan import Plan
from labs.model.steps.crossing_times import TimedCrossing
from labs.parts.execution.scenario import Scenario
from labs.parts.execution.words import group, level, shape, share

Table = dict[str, Any]
AXES = ("tensor", "context", "expert", "pipeline", "data")


def crossings_table(scene: Scenario, plan: Plan, found: tuple[TimedCrossing, ...]) -> Table:
    """Return a row for each tensor that crosses; its name selects it."""
    return {
        "id": "crossings",
        "caption": "What crosses between devices in a training step: each operation, and the time of all",
        "columns": [
            {"label": "Tensor"},
            {"label": "Split"},
            {"label": "Collective"},
            {"label": "When"},
            {"label": "Shape"},
            {"label": "Each", "unit": "byte"},
            {"label": "Among: level"},
            {"label": "Times", "unit": "1"},
            {"label": "Time", "unit": "s"},
            {"label": "Exposed"},
        ],
        "rows": [_row(scene.machine, plan, one) for one in found],
        "keys": [one.crossing.name for one in found],
        "states": [one.crossing.operation for one in found],
    }


def _row(machine: Machine, plan: Plan, one: TimedCrossing) -> list[Any]:
    crossing = one.crossing
    return [
        {"text": crossing.name, "sets": {"selected": crossing.name}},
        cause(plan, one),
        crossing.operation,
        crossing.phase,
        shape(crossing.shape),
        crossing.payload,
        f"{group(crossing)}: {level(machine, crossing)}",
        crossing.times,
        one.time,
        _exposed(one),
    ]


def cause(plan: Plan, one: TimedCrossing) -> str:
    """Return the split that makes a tensor cross."""
    crossing = one.crossing
    if crossing.axis == "data" and plan.zero:
        return f"ZeRO-{plan.zero}"
    if crossing.axis == "data" and plan.context > 1:
        # Their ranks hold the same weights; what else context ranks exchange is keys and values.
        return "data and context" if plan.data > 1 else "context, as replicas"
    if crossing.axis == "tensor" and plan.sequence_parallel:
        return "tensor, sequence"
    return crossing.axis


def hidden(one: TimedCrossing) -> str:
    """Return whether an exchange is hidden, and behind what."""
    behind = one.crossing.hidden_by
    if is_hop(one.crossing):
        return "waiting for it is part of the bubble"
    if behind is None:
        return "no: compute waits for it"
    part = one.hidden / one.time
    return f"{'all' if part > 0.9995 else share(part)}, behind {behind}"


def _exposed(one: TimedCrossing) -> str:
    if is_hop(one.crossing):
        return "in the bubble"
    return "exposed" if one.crossing.hidden_by is None else f"{share(one.hidden / one.time)} hidden"


def is_hop(crossing: Crossing) -> bool:
    """Return whether a tensor goes from a stage to the next."""
    return crossing.place == "stage boundary"


def traffic_table(plan: Plan, found: tuple[TimedCrossing, ...]) -> Table:
    """Return what each kind of ranks sends and waits for in a step."""
    rows = []
    for axis in AXES:
        own = [one for one in found if one.crossing.axis == axis]
        if own:
            sent, time = sum(one.crossing.bytes_per_step for one in own), sum(one.time for one in own)
            waited = [one for one in own if not is_hop(one.crossing)]
            covered = sum(one.hidden for one in waited)
            exposed = sum(one.time for one in waited) - covered
            rows.append([cause(plan, own[0]), len(own), sent, time, *((covered, exposed) if waited else (None, None))])
    return {
        "id": "traffic",
        "caption": "What a device sends in a step, by the split that causes it",
        "columns": [
            {"label": "Split"},
            {"label": "Tensors", "unit": "1"},
            {"label": "Sent by a device", "unit": "byte"},
            {"label": "Time", "unit": "s"},
            {"label": "Hidden", "unit": "s"},
            {"label": "Exposed", "unit": "s"},
        ],
        "rows": rows,
        "keys": [row[0] for row in rows],
    }
