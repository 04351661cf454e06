"""The diagram: each weight with its shards, each stage, and an arrow for each tensor that crosses."""

from collections.abc import Iterator
from typing import Any

from labs.model.boundaries.crossing import Crossing
from labs.model.plans.plan import Plan
from labs.model.plans.sharding import Coordinates, Shard, coordinates, shards
from labs.model.plans.stages import stage_layers
from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import Tensor, tensors
from labs.parts.execution.scenario import Scenario
from labs.parts.execution.words import copies, held, label, short, size

Entry = dict[str, Any]
# Norms stand before what they norm; the others in the order of the flow.
ORDER = ("embedding", "norms.attention", "norms.layer", "attention", "norms", "norms.mlp", "mlp", "experts")
LAST = ("norms.final", "head")


def diagram(scene: Scenario, found: tuple[Crossing, ...]) -> Entry:
    """Return the diagram of a scenario and what crosses in it; of an impossible plan the model in one piece."""
    model, plan = scene.model, scene.plan or Plan()
    mine = {shard.tensor: shard for shard in shards(model=model, plan=plan, device=scene.device)}
    pieces = _pieces(model, plan)
    at = coordinates(plan=plan, device=scene.device)
    title = f"{model.name} on {_devices(plan)}" if scene.plan else f"{model.name}, not split: the plan is impossible"
    boxes = [_box(scene, plan, tensor, mine.get(tensor.name), pieces[tensor.name], at) for tensor in drawn(model)]
    return {
        "kind": "model",
        "id": "model",
        "title": title,
        "layers": model.layers,
        "layer": _layer(model),
        "boxes": _with_tied_head(boxes, plan, at) if model.tied else boxes,
        "stages": list(_stages(model, plan, at)),
        "arrows": [_arrow(crossing, plan, scene.selected) for crossing in found],
    }


def drawn(model: Transformer) -> tuple[Tensor, ...]:
    """Return the weights that are boxes, in the order of the flow: no biases, and of a mixture a layer with experts."""
    found = [
        tensor
        for tensor in tensors(model=model)
        if not tensor.name.endswith("_bias") and not (tensor.kind == "mlp" and model.experts)
    ]
    return tuple(sorted(found, key=_place))


def _place(tensor: Tensor) -> int:
    for index, name in enumerate(LAST):
        if tensor.name.startswith(name):
            return len(ORDER) + index
    exact = ORDER.index(tensor.name) if tensor.name in ORDER else None
    return ORDER.index(tensor.kind) if exact is None else exact


def _devices(plan: Plan) -> str:
    return "one device" if plan.devices == 1 else f"{plan.devices:,} devices"


def _layer(model: Transformer) -> str:
    if not model.experts:
        return "a layer"
    dense = model.experts.dense_layers
    return f"a layer with experts; the first {dense} have an MLP instead" if dense else "a layer with experts"


def _box(
    scene: Scenario, plan: Plan, tensor: Tensor, mine: Shard | None, piece: Shard, at: Coordinates
) -> Entry:
    shard = mine or piece
    matrix = tensor.shape[1:] if tensor.routed else tensor.shape
    axis = None if tensor.axis is None else tensor.axis - tensor.routed
    parts = 1 if tensor.axis is None else shard.whole[tensor.axis] // shard.shape[tensor.axis]
    apart = plan.expert if tensor.routed else 1
    slices = plan.data * plan.context // apart if plan.zero == 3 else 1
    slot = at.data * plan.context + at.context
    marked = None
    if mine:
        expert, own = at.expert if tensor.routed else 0, slot // apart if slices > 1 else 0
        marked = [at.tensor * parts // plan.tensor, expert, own]
    return {
        "name": tensor.name,
        "label": label(tensor.name),
        "block": tensor.kind,
        "shape": list(matrix),
        "experts": tensor.shape[0] if tensor.routed else None,
        "axis": axis,
        "parts": parts,
        "expert_parts": apart,
        "slices": slices,
        "copies": shard.holders,
        "mine": marked,
        "says": _says(scene.device, tensor, mine, shard),
        "sets": {"selected": tensor.name},
        "selected": tensor.name == scene.selected,
    }


def _with_tied_head(boxes: list[Entry], plan: Plan, at: Coordinates) -> list[Entry]:
    """Return the boxes with the embedding once more as the head, each marked where a device uses it so."""
    (embedding,) = (box for box in boxes if box["name"] == "embedding.tokens")
    head = embedding | {"name": "head.tied", "label": "Head, tied", "block": "head"}
    if at.pipeline > 0:
        embedding["mine"] = None
    if at.pipeline < plan.pipeline - 1:
        head["mine"] = None
    return [*boxes, head]


def _pieces(model: Transformer, plan: Plan) -> dict[str, Shard]:
    """Return a shard of every weight: what is not on the first stage is on the last."""
    first, last = (shards(model=model, plan=plan, device=device) for device in (0, plan.devices - 1))
    return {shard.tensor: shard for shard in (*last, *first)}


def _says(device: int, tensor: Tensor, mine: Shard | None, shard: Shard) -> str:
    if mine is None:
        return f"Device {device:,} holds nothing of it: it is on another stage."
    return f"Device {device:,}: {held(tensor, shard)}; {copies(shard.holders)}."


def _stages(model: Transformer, plan: Plan, at: Coordinates) -> Iterator[Entry]:
    """Yield runs of layers next to each other, each with its stage, in the order of the layers."""
    if plan.pipeline == 1:
        return
    runs: list[list[int]] = []
    for stage in range(plan.pipeline):
        for layer in stage_layers(model=model, plan=plan, stage=stage):
            # Chunks of one stage are never neighbours: the other stages' lie between.
            if runs and runs[-1][0] == stage and runs[-1][2] == layer - 1:
                runs[-1][2] = layer
            else:
                runs.append([stage, layer, layer])
    for stage, first, last in sorted(runs, key=lambda run: run[1]):
        yield {"label": f"stage {stage}", "from": first, "to": last, "mine": stage == at.pipeline}


def _arrow(crossing: Crossing, plan: Plan, selected: str) -> Entry:
    return {
        "key": crossing.name,
        "name": crossing.name,
        "place": crossing.place,
        "axis": crossing.axis,
        "operation": crossing.operation,
        "phase": crossing.phase,
        "short": short(crossing.name),
        "label": f"{crossing.operation} {size(crossing.payload)} × {crossing.times:,}",
        "payload": crossing.payload,
        "each": size(crossing.payload),
        "sets": {"selected": crossing.name},
        "selected": crossing.name == selected,
        "zero": crossing.axis == "data" and plan.zero > 0,
    }
