"""The time of a step in its parts, and the results that lead the frame."""

from typing import Any

from labs.model.device_memory.budget import Memory
from labs.model.plans.plan import Plan
from labs.model.steps.crossing_times import TimedCrossing, timed_crossings
from labs.model.steps.step import Step, step_time
from labs.parts.execution.bars import without_nothing
from labs.parts.execution.scenario import Scenario

PARTS = (
    ("traffic", "memory traffic", None),
    ("arithmetic", "arithmetic", None),
    ("tensor", "tensor exchanges", "tensor"),
    ("context", "context exchanges", "sequence"),
    ("expert", "expert exchanges", "expert"),
    ("data", "gradients and weights", "data"),
    ("bubble", "bubble", "pipeline"),
)


def timed(scene: Scenario, plan: Plan) -> tuple[Step, tuple[TimedCrossing, ...]]:
    """Return a step, and each tensor that crosses in it with its time."""
    asked: dict[str, Any] = {
        "model": scene.model,
        "plan": plan,
        "machine": scene.machine,
        "convention": scene.convention,
        "overlap": scene.overlap,
        "flash": scene.flash,
    }
    return step_time(**asked), timed_crossings(**asked)


def exposed(step: Step) -> float:
    """Return the communication of a step that nothing hides, waiting for sends between stages apart."""
    return step.tensor + step.context + step.expert + step.data


def step_bars(step: Step) -> dict[str, Any]:
    """Return the parts of a step, and beside it what is hidden behind its compute."""
    parts = [{"name": name, "label": words} | ({"kind": kind} if kind else {}) for name, words, kind in PARTS]
    parts.append({"name": "hidden", "label": "hidden communication"})
    values = [getattr(step, name) for name, _, _ in PARTS]
    return {
        "kind": "bars",
        "id": "step",
        "title": "A training step",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "row": "what",
        **without_nothing(
            parts,
            [
                {"label": "the step, part by part", "values": [*values, 0.0], "now": True},
                {"label": "meanwhile, behind its compute", "values": [0.0] * len(values) + [step.hidden]},
            ],
        ),
    }


def metrics(scene: Scenario, step: Step | None, fullest: Memory | None) -> list[dict[str, Any]]:
    """Return the results that lead the frame; those that an impossible plan has none of are empty."""
    time = step.time if step else None
    rows: tuple[tuple[str, str, str, float | None, str], ...] = (
        ("devices", "Devices", "N = t c d p", scene.devices, "1"),
        ("global_batch", "Global batch, sequences", "b m d", scene.sequences, "1"),
        ("memory", "Memory of the fullest device", "", fullest.total if fullest else None, "byte"),
        ("step_time", "Step time", "T", time, "s"),
        ("exposed", "Exposed communication", "of T", exposed(step) / step.time if step else None, "%"),
        ("bubble", "Bubble", "of T", step.bubble / step.time if step else None, "%"),
        ("utilization", "Model FLOPs utilization", "MFU", step.utilization if step else None, "%"),
        ("tokens", "Tokens in a step", "b m d s", scene.sequences * scene.model.sequence, "1"),
    )
    return [
        {"name": name, "label": label, "symbol": symbol, "value": value, "unit": unit}
        for name, label, symbol, value, unit in rows
    ]
