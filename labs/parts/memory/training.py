"""What the memory lab shows of training."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from labs.lab import Frame
from labs.model.device_memory.budget import Memory, memory
from labs.model.device_memory.conventions import CONVENTIONS
from labs.model.device_memory.counting import fullest_stages, layers_on_stage
from labs.model.plans.plan import RECOMPUTES, Plan
from labs.model.quantities.units import format_quantity
from labs.model.transformers.transformer import Transformer
from labs.parts.execution import spoken
from labs.parts.memory.plan import Inputs, explorer, offer, plan_of, plan_text, typed

PARTS = (
    ("parameters", "parameters"),
    ("gradients", "gradients"),
    ("optimizer", "optimizer state"),
    ("activations", "activations"),
    ("buffers", "buffers"),
)
ZERO = ("nothing is split", "optimizer state is split", "gradients too", "parameters too")
RECOMPUTED = {"none": "nothing", "selective": "attention scores", "full": "whole layers"}
FACTORS = (2, 4, 8, 16, 32, 64)


def frame_of(inputs: Inputs, model: Transformer, plan: Plan, capacity: float) -> Frame:
    """Return the frame of a plan that is possible."""

    def held(made: Plan, convention: str = inputs["convention"], stage: int | None = None) -> Memory:
        return memory(
            model=model,
            plan=made,
            convention=CONVENTIONS[convention],
            machine_memory=capacity,
            stage=stage,
            flash=inputs["flash"] == "on",
            dropout=inputs["dropout"] == "on",
        )

    now = held(plan)
    zero = [(f"ZeRO {stage}: {ZERO[stage]}", {"zero": stage}, held(replace(plan, zero=stage))) for stage in range(4)]
    again = [
        (f"computed again: {RECOMPUTED[each]}", {"recompute": each}, held(replace(plan, recompute=each)))
        for each in RECOMPUTES
    ]
    onward = {
        "says": "See what this plan exchanges, and how long its step takes:",
        "text": "open it in the explorer",
        "lab": "execution",
        "inputs": explorer(inputs, model, plan.devices),
    }
    return {
        "verdict": [*_verdict(inputs, model, now, capacity, held), onward],
        "metrics": _metrics(now, capacity),
        "series": [
            _bars("zero", "By ZeRO stage", zero, inputs, capacity),
            _bars("recompute", "By what is computed again", again, inputs, capacity),
        ],
        "tables": [_conventions(plan, held), *([_stages(model, plan, held)] if plan.pipeline > 1 else [])],
        "notes": [
            f"{model.name}: {plan.devices} devices, {plan.global_batch} sequences of {model.sequence} tokens in a step."
        ],
    }


def code_of(inputs: Inputs, model: Transformer) -> str:
    """Return the Python text that gives the memory of the fullest device."""
    return f"""\
from labs.model import Plan, convention, memory, named_machine, named_model

found = memory(
    model=named_model(name={inputs["model"]!r}),
    plan={plan_text(inputs, model)},
    convention=convention(name={inputs["convention"]!r}),
    machine_memory=named_machine(name={inputs["machine"]!r}).memory,
    flash={inputs["flash"] == "on"},
    dropout={inputs["dropout"] == "on"},
)
print("fits" if found.fits else "does not fit")
found
"""


def _verdict(inputs: Inputs, model: Transformer, now: Memory, capacity: float, held: Any) -> list[Any]:
    has, needs = format_quantity(capacity, "byte", 3), format_quantity(now.total, "byte", 3)
    fullest = f"The fullest device, on stage {now.stage}, needs {needs} of {has}"
    if now.fits:
        return [f"It fits. {fullest}, and {format_quantity(capacity - now.total, 'byte', 3)} stay free."]
    said: list[Any] = [f"It does not fit. {fullest}: {format_quantity(now.total - capacity, 'byte', 3)} are lacking."]

    def fits(sets: dict[str, Any]) -> bool:
        made, _ = plan_of({**inputs, **sets}, model)
        return made is not None and held(made).fits

    changes = [next(filter(fits, ways), None) for ways in _ways(inputs)]
    found = [sets for sets in changes if sets] or [sets for sets in [next(filter(fits, _all(inputs)), None)] if sets]
    if not found:
        return [*said, "It fits with none of the ZeRO stages, recomputations, microbatches and ranks that were tried."]
    for sets in found:
        made, _ = plan_of({**inputs, **sets}, model)
        if made:  # each was tried
            said.append(offer(sets, spoken.changes(sets), made, held(made).total))
    return said


def _ways(inputs: Inputs) -> Iterator[Iterator[dict[str, Any]]]:
    """Yield for each input its changes, the smallest first. More ranks come out of the replicas where they can."""
    yield ({"zero": stage} for stage in range(int(inputs["zero"]) + 1, 4))
    yield ({"recompute": each} for each in RECOMPUTES[RECOMPUTES.index(inputs["recompute"]) + 1 :])
    yield ({"microbatch": b} for b in (inputs["microbatch"] // factor for factor in FACTORS) if b)
    for name in ("tensor", "pipeline", "context"):
        yield ({name: inputs[name] * factor} | _fewer_replicas(inputs, factor) for factor in FACTORS)


def _all(inputs: Inputs) -> Iterator[dict[str, Any]]:
    """Yield everything that saves memory at once, then with more ranks, the fewest first."""
    saving = {"zero": 3, "recompute": "full", "microbatch": 1}
    sizes = sorted((t * p, t, p) for t in (1, *FACTORS) for p in (1, *FACTORS))
    for product, t, p in sizes:
        more = {"tensor": inputs["tensor"] * t, "pipeline": inputs["pipeline"] * p}
        yield saving | more | _fewer_replicas(inputs, product)


def _fewer_replicas(inputs: Inputs, factor: int) -> dict[str, int]:
    return {} if inputs["data"] % factor else {"data": inputs["data"] // factor}


def _metrics(now: Memory, capacity: float) -> list[dict[str, Any]]:
    spare = capacity - now.total
    values = [("total", "Needed", now.total), ("spare", "Spare", spare), ("capacity", "Device", capacity)]
    values += [(name, label.capitalize(), getattr(now, name)) for name, label in PARTS]
    return [
        *(
            {"name": name, "label": label, "symbol": "", "value": value, "unit": "byte"}
            for name, label, value in values
        ),
        {"name": "stage", "label": "Fullest stage", "symbol": "of 0 to p − 1", "value": now.stage, "unit": "1"},
    ]


def _bars(name: str, title: str, rows: list[Any], inputs: Inputs, capacity: float) -> dict[str, Any]:
    return {
        "kind": "bars",
        "id": name,
        "title": title,
        "row": "choice",
        "x": {"label": "Memory", "symbol": "", "unit": "byte"},
        "parts": [{"name": part, "label": label} for part, label in PARTS],
        "limit": {"label": "a device has", "value": capacity},
        "rows": [
            {
                "label": label,
                "now": str(sets[name]) == inputs[name],
                "values": [getattr(found, part) for part, _ in PARTS],
                "sets": typed(sets),
            }
            for label, sets, found in rows
        ],
    }


def _conventions(plan: Plan, held: Any) -> dict[str, Any]:
    rows = []
    for name, each in CONVENTIONS.items():
        found = held(plan, name)
        states = found.parameters + found.gradients + found.optimizer
        chosen = {"text": name, "sets": {"convention": name}}
        rows.append([chosen, each.meaning, each.total, states, found.total, "yes" if found.fits else "no"])
    return {
        "id": "conventions",
        "caption": "By convention: what a parameter, its gradient and its optimizer state take",
        "columns": [{"label": "Convention"}, {"label": "Meaning"}, {"label": "Bytes of a parameter", "unit": "byte"},
                    {"label": "States", "unit": "byte"}, {"label": "Needed", "unit": "byte"}, {"label": "Fits"}],
        "rows": rows,
    }


def _stages(model: Transformer, plan: Plan, held: Any) -> dict[str, Any]:
    rows = []
    for stage in sorted(fullest_stages(model, plan.pipeline, plan.interleave)):
        found = held(plan, stage=stage)
        layers = sum(layers_on_stage(model, plan, stage))
        states = found.parameters + found.gradients + found.optimizer
        rows.append([str(stage), layers, states, found.activations, found.buffers, found.total])
    return {
        "id": "stages",
        "caption": "Stages that differ, the first of those that hold the same layers",
        "columns": [{"label": "Stage"}, {"label": "Layers", "unit": "1"}, {"label": "States", "unit": "byte"},
                    {"label": "Activations", "unit": "byte"}, {"label": "Buffers", "unit": "byte"},
                    {"label": "Needed", "unit": "byte"}],
        "rows": rows,
    }
