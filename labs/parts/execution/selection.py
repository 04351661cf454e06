"""What is selected: a tensor that crosses, or a weight; and what a device holds."""

from typing import Any

from labs.model.boundaries.crossing import Crossing
from labs.model.plans.plan import Plan
from labs.model.plans.sharding import Shard, coordinates, shards
from labs.model.steps.crossing_times import TimedCrossing
from labs.model.transformers.weights import Tensor, tensors
from labs.parts.execution.crossings import hidden
from labs.parts.execution.scenario import Scenario
from labs.parts.execution.words import copies, group, held, level, shape, size, span, time

Table = dict[str, Any]
MEMBERS = 8  # devices of a group that are named
DOES = {
    "all-reduce": "Each of the ranks has a part of every sum, and gets all sums.",
    "reduce-scatter": "Each of the ranks has a part of every sum, and gets the sums of its own slice.",
    "all-gather": "Each of the ranks has its own slice, and gets all slices.",
    "all-to-all": "Each of the ranks has something for every other, and sends it there.",
    "send": "One device has it, and the next one needs it.",
}


def crossing_table(scene: Scenario, plan: Plan, one: TimedCrossing) -> Table:
    """Return a tensor that crosses: why, its formula with numbers, where, and how long."""
    crossing = one.crossing
    each = f"{time(one.each)} on the links of level {level(scene.machine, crossing)}"
    return _facts(
        crossing.name,
        [
            ["Why", crossing.cause],
            ["How", f"{crossing.operation} among {group(crossing)}. {DOES[crossing.operation]}"],
            ["Devices", members(plan, crossing, scene.device)],
            ["Where", f"{crossing.where}; {crossing.phase}"],
            ["Payload", f"{crossing.formula} = {size(crossing.payload)}"],
            ["Sent", f"{size(crossing.sent)} by each device, {size(crossing.bytes_per_step)} in a step"],
            ["Time", f"{each}; {crossing.times:,} times in a step: {time(one.time)}"],
            ["Hidden", hidden(one)],
        ],
    )


def weight_table(scene: Scenario, plan: Plan) -> Table | None:
    """Return the selected weight: how it is cut, and what the device holds of it."""
    found = [tensor for tensor in tensors(model=scene.model) if tensor.name == scene.selected]
    if not found:
        return None
    (tensor,) = found
    own = [one for one in shards(model=scene.model, plan=plan, device=scene.device) if one.tensor == tensor.name]
    rows = [["Whole", _whole(tensor)], ["Cut", _cut(tensor, plan)]]
    if own:
        rows += [
            [f"Device {scene.device:,} holds", f"{held(tensor, own[0])}; {copies(own[0].holders)}"],
            ["In memory", f"{size(own[0].bytes)} at 2 byte a parameter{_in_layers(own[0])}"],
        ]
    else:
        rows.append([f"Device {scene.device:,} holds", "nothing of it: it is on another stage"])
    return _facts(tensor.name, rows)


def _whole(tensor: Tensor) -> str:
    said = f"{shape(tensor.shape)} = {tensor.elements:,} parameters"
    return f"{said} in each of {tensor.layers:,} layers" if tensor.place == "layers" else said


def _cut(tensor: Tensor, plan: Plan) -> str:
    said = {
        "column": "tensor ranks take its outputs (rows)",
        "row": "tensor ranks take its inputs (columns)",
        "vocabulary": "tensor ranks take a part of the vocabulary",
        "replicated": "every tensor rank has all of it",
    }[tensor.split]
    if plan.tensor == 1:
        said = "one tensor rank has all of it"
    if tensor.routed and plan.expert > 1:
        said += "; expert ranks take whole experts"
    if plan.zero == 3 and plan.data * plan.context > 1:
        said += "; ZeRO-3 leaves each replica a slice"
    return said


def _in_layers(shard: Shard) -> str:
    return f", layers {span(shard.layers)}" if shard.layers else ""


def reading_table(scene: Scenario) -> Table:
    """Return how the diagram is read, while nothing is selected."""
    return {
        "id": "reading",
        "caption": "How to read it",
        "columns": [{"label": "Mark"}, {"label": "Meaning"}],
        "rows": [
            ["Arrows apart", "a tensor crosses, of ×3 three: the collective, the bytes of each, the times in a step"],
            ["Hatched part", f"what device {scene.device:,} holds of a matrix; the rest lies on others"],
            ["Press either", "and its reason, its formula with numbers and its ranks stand here"],
        ],
    }


def _facts(name: str, rows: list[list[str]]) -> Table:
    return {
        "id": "selected",
        "caption": f"Selected: {name}",
        "columns": [{"label": "About"}, {"label": "What"}],
        "rows": rows,
    }


def members(plan: Plan, crossing: Crossing, device: int) -> str:
    """Return the devices of the group that a device is in; of the last stage the boundary before it counts."""
    ranks, stride = crossing.ranks, crossing.stride
    if crossing.place == "stage boundary":
        first = device if device + stride < plan.devices else device - stride
    elif crossing.place == "tied ends":
        first = device % (plan.devices // plan.pipeline)
    else:
        first = device - device // stride % ranks * stride
    shown = [f"{first + index * stride:,}" for index in range(min(ranks, MEMBERS))]
    if ranks > MEMBERS:
        shown[-1:] = ["…", f"{first + (ranks - 1) * stride:,}"]
    return ", ".join(shown)


def device_table(scene: Scenario, plan: Plan) -> Table:
    """Return what a device holds of each weight."""
    at = coordinates(plan=plan, device=scene.device)
    by_name = {tensor.name: tensor for tensor in tensors(model=scene.model)}
    own = shards(model=scene.model, plan=plan, device=scene.device)
    ranks = [("tensor rank", at.tensor, plan.tensor), ("context rank", at.context, plan.context)]
    ranks += [("replica", at.data, plan.data), ("stage", at.pipeline, plan.pipeline)]
    ranks += [("expert rank", at.expert, plan.expert)]
    said = ", ".join(f"{name} {rank:,}" for name, rank, of in ranks if of > 1)
    return {
        "id": "device",
        "caption": f"What device {scene.device:,} holds{f' ({said})' if said else ''}, at 2 byte a parameter",
        "columns": [
            {"label": "Weight"},
            {"label": "Part"},
            {"label": "Layers"},
            {"label": "Memory", "unit": "byte"},
            {"label": "Devices with the same", "unit": "1"},
        ],
        "rows": [
            [
                {"text": one.tensor, "sets": {"selected": one.tensor}},
                held(by_name[one.tensor], one),
                span(one.layers) if one.layers else None,
                one.bytes,
                one.holders,
            ]
            for one in own
            if not one.tensor.endswith("_bias")
        ],
        "folded": True,
    }
