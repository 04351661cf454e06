"""The memory of a device, and the smallest changes that make a plan fit."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from labs.model.device_memory.budget import Memory, memory
from labs.model.plans.feasibility import reasons
from labs.model.plans.plan import Plan
from labs.model.plans.sharding import coordinates
from labs.model.quantities.divisors import divisors
from labs.model.quantities.errors import ModelError
from labs.parts.execution import spoken
from labs.parts.execution.bars import without_nothing
from labs.parts.execution.refusals import Refused, Sets, typed
from labs.parts.execution.scenario import Scenario
from labs.parts.execution.words import size

# In this order the widest parts take the looks that are drawn with the fewest strokes.
PARTS = (
    ("parameters", "parameters"),
    ("activations", "activations"),
    ("gradients", "gradients"),
    ("capacity", "what a device has"),
    ("optimizer", "optimizer state"),
    ("buffers", "buffers"),
)
MOST = 3  # remedies that are offered
SHORTEST = 1024  # tokens of a sequence that a remedy takes at the least
NODE = 8  # tensor ranks that a remedy takes at the most


def device_memory(scene: Scenario, plan: Plan, stage: int | None = None) -> Memory:
    """Return the memory of the fullest device, or of one of a stage."""
    return memory(
        model=scene.model,
        plan=plan,
        convention=scene.convention,
        machine_memory=scene.machine.memory,
        stage=stage,
        flash=scene.flash,
        dropout=False,
    )


def memory_bars(scene: Scenario, plan: Plan, fullest: Memory) -> dict[str, Any]:
    """Return the memory of the fullest device and of the one that is looked at, against what each has."""
    stage = coordinates(plan=plan, device=scene.device).pipeline
    name = "the fullest device" if plan.pipeline == 1 else f"a device of stage {fullest.stage}, the fullest"
    rows = [_bar(f"a device of {scene.machine.name} has", {"capacity": scene.machine.memory})]
    rows.append(_bar(name, _kinds(fullest)) | {"now": True})
    if stage != fullest.stage:
        rows.append(_bar(f"device {scene.device:,}, of stage {stage}", _kinds(device_memory(scene, plan, stage))))
    return {
        "kind": "bars",
        "id": "memory",
        "title": "Memory of a device",
        "x": {"label": "Memory", "symbol": "", "unit": "byte"},
        "row": "device",
        **without_nothing([{"name": name, "label": words} for name, words in PARTS], rows),
    }


def _kinds(held: Memory) -> dict[str, float]:
    return {name: getattr(held, name) for name, _ in PARTS if name != "capacity"}


def _bar(label: str, sizes: dict[str, float]) -> dict[str, Any]:
    return {"label": label, "values": [sizes.get(name, 0.0) for name, _ in PARTS]}


def too_large(scene: Scenario, plan: Plan, fullest: Memory) -> Refused:
    """Return why a plan does not fit, with the smallest changes that make it fit."""
    says = (
        f"It does not fit: with sequences of {scene.model.sequence:,} tokens a device of stage {fullest.stage} needs "
        f"{size(fullest.total)}, and one of {scene.machine.name} has {size(scene.machine.memory)}."
    )
    shorter = _shorter(scene, plan)
    # A length that nobody chose is the first to be given up.
    mends = [shorter] if shorter and scene.own_length else []
    for words, sets, changed in _changes(plan):
        if len(mends) < MOST and _fits(scene, changed):
            mends.append((words, sets))
    if not mends:
        tried = list(_combined(scene, plan))
        mends = [(words, sets) for words, sets, changed in tried if _fits(scene, changed)][:1]
        if not mends and not shorter:
            says += f" Nothing that was tried makes it fit: {_tried(plan, tried[-1][2])}."
    if shorter and shorter not in mends:
        mends.append(shorter)
    return Refused(says=says, mends=tuple(mends))


def _shorter(scene: Scenario, plan: Plan) -> tuple[str, Sets] | None:
    """Return the longest power of two, of tokens in a sequence, with which a plan fits; nothing where none does."""
    length = 1 << max((scene.model.sequence - 1).bit_length() - 1, 0)
    while length >= SHORTEST:
        if _fits(replace(scene, model=replace(scene.model, sequence=length)), plan):
            return f"take {spoken.change('sequence', length)}", {"sequence": str(length)}
        length //= 2
    return None


def _tried(plan: Plan, last: Plan) -> str:
    """Return what was tried, one by one and together, the last of these being the most."""
    zero = "ZeRO-3, " if plan.data * plan.context > 1 else ""
    return (
        f"sequences down to {SHORTEST:,} tokens, up to {8 * plan.context:,} context ranks, {2 * plan.tensor:,} tensor "
        f"ranks; and all of these at once: {zero}full recomputation, microbatches of one sequence, sequence "
        f"parallelism, {last.tensor:,} tensor ranks and up to {last.pipeline:,} stages, as heads and layers divide"
    )


def _changes(plan: Plan) -> Iterator[tuple[str, Sets, Plan]]:
    """Yield plans that differ in one thing, those that cost least time first; the global batch stays."""
    if plan.data * plan.context > 1:
        for zero in range(plan.zero + 1, 4):
            yield _changed(plan, {"zero": zero})
    if plan.tensor > 1 and not plan.sequence_parallel:
        yield _changed(plan, {"sequence_parallel": True})
    for b in reversed(divisors(plan.microbatch)[:-1]):
        yield _changed(plan, {"microbatch": b, "accumulation": plan.accumulation * plan.microbatch // b})
    if plan.recompute != "full":
        yield _changed(plan, {"recompute": "full"})
    yield _changed(plan, {"tensor": 2 * plan.tensor})
    for more in (2, 4, 8):
        yield _changed(plan, {"context": more * plan.context})
    yield _changed(plan, {"pipeline": 2 * plan.pipeline})


def _combined(scene: Scenario, plan: Plan) -> Iterator[tuple[str, Sets, Plan]]:
    """Yield plans that differ in several things, the fewest devices first: tensor ranks up to a node, then stages."""
    zero = 3 if plan.data * plan.context > 1 else plan.zero
    for doubled in range(9):
        tensor, factor = plan.tensor, 2**doubled
        while 2 * tensor <= NODE and factor > 1:
            tensor, factor = 2 * tensor, factor // 2
        wanted = {
            "zero": zero,
            "recompute": "full",
            "tensor": tensor,
            "pipeline": factor * plan.pipeline,
            "microbatch": 1,
            "accumulation": plan.accumulation * plan.microbatch,
            "sequence_parallel": tensor > 1,
        }
        yield _changed(plan, {name: value for name, value in wanted.items() if value != getattr(plan, name)})


def _changed(plan: Plan, values: dict[str, Any]) -> tuple[str, Sets, Plan]:
    sets = {name: typed(value) for name, value in values.items()}
    return f"take {spoken.changes(values)}", sets, replace(plan, **values)


def _fits(scene: Scenario, plan: Plan) -> bool:
    if reasons(model=scene.model, plan=plan):
        return False
    try:
        return bool(device_memory(scene, plan).fits)
    except ModelError:
        return False


def zero_table(scene: Scenario, plan: Plan, sent: dict[int, float]) -> dict[str, Any]:
    """Return what each stage of ZeRO would send between replicas, and what it would leave in memory."""
    rows: list[list[Any]] = []
    for zero, moved in sent.items():
        here = zero == plan.zero
        name = f"ZeRO-{zero}" if zero else "without ZeRO"
        cell = name if here else {"text": name, "sets": {"zero": str(zero)}}
        kept = device_memory(scene, replace(plan, zero=zero))
        ratio = moved / sent[1] if sent[1] else None
        rows.append([cell, moved, ratio, kept.total, "fits" if kept.fits else "too large"])
    return {
        "id": "zero",
        "caption": "What ZeRO would change: traffic of replicas, and memory of the fullest device",
        "columns": [
            {"label": "Stage"},
            {"label": "Sent by a device in a step", "unit": "byte"},
            {"label": "Of what ZeRO-1 sends", "unit": "1"},
            {"label": "Memory", "unit": "byte"},
            {"label": "Device"},
        ],
        "rows": rows,
    }
