"""The partition explorer: a transformer, a plan, and every tensor that crosses a device boundary."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labs.lab import Frame, Lab, Value
from labs.model.boundaries.training_step import crossings
from labs.model.plans.plan import Plan
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.crossing_times import TimedCrossing
from labs.parts.execution.controls import CONTROLS, FOLDED, TEXTS
from labs.parts.execution.crossings import crossings_table, traffic_table
from labs.parts.execution.diagram import diagram
from labs.parts.execution.measured import MEASURED, Measured
from labs.parts.execution.memory import device_memory, memory_bars, too_large, zero_table
from labs.parts.execution.presets import PRESETS
from labs.parts.execution.recipe import recipe
from labs.parts.execution.scenario import Scenario, scenario
from labs.parts.execution.selection import crossing_table, device_table, reading_table, weight_table
from labs.parts.execution.serving import both, exchanges_table, passes_table
from labs.parts.execution.step import metrics, step_bars, timed
from labs.parts.execution.verdict import essence, outcome
from labs.parts.execution.words import of_16_bits, share

LAB = Lab(
    id="execution",
    title="Partition explorer",
    scope=(
        "Splits a transformer over devices, and shows what each holds and every tensor that crosses between them. "
        "Training is synchronous, experts get equal shares of tokens, and times are predictions, not measurements."
    ),
    controls=CONTROLS,
    presets=PRESETS,
    texts=TEXTS,
    folded=FOLDED,
)


def frame(**inputs: Value) -> Frame:
    """Return a plan's diagram, what crosses and what it comes to; of an impossible plan why, and what mends it."""
    scene = scenario(inputs)
    return _possible(scene, scene.plan, _measured(inputs)) if scene.plan else _impossible(scene)


def code(**inputs: Value) -> str:
    """Return the same numbers as a few lines of Python."""
    return recipe(scenario(inputs))


def _impossible(scene: Scenario) -> Frame:
    return {
        "taken": {"device": scene.device},
        "verdict": [sentence for refused in scene.refused for sentence in refused.sentences()],
        "diagrams": [diagram(scene, ())],
        "metrics": metrics(scene, None, None),
        "summary": "This plan is impossible.",
        "series": [],
        "tables": [],
        "notes": [*_whole(scene), _sequence(scene)],
    }


def _whole(scene: Scenario) -> list[str]:
    return [f"Device {scene.asked:,} was asked for: shown is device 0, with the whole model."] if scene.asked else []


def _measured(inputs: Mapping[str, Value]) -> Measured | None:
    """Return what was measured of the published run that the inputs describe, if they do; wherever one looks in it."""
    aside = [control.name for control in (*CONTROLS, *TEXTS) if control.group == "Look at"]
    for preset in PRESETS:
        asked = LAB.inputs(preset.inputs)
        if all(inputs[name] == asked[name] for name in asked if name not in aside):
            return MEASURED.get(preset.id)
    return None


def _possible(scene: Scenario, plan: Plan, measured: Measured | None) -> Frame:
    step, found = timed(scene, plan)
    tensors = tuple(one.crossing for one in found)
    fullest = device_memory(scene, plan)
    sent = _sent_by_zero(scene, plan)
    refused = list(scene.refused) + ([] if fullest.fits else [too_large(scene, plan, fullest)])
    served = both(scene, plan)
    return {
        "taken": {"device": scene.device},
        "verdict": [
            *_elsewhere(scene, plan),
            essence(scene, plan, tensors, sent),
            *(sentence for reason in refused for sentence in reason.sentences()),
            outcome(scene, plan, step, fullest),
            *([measured.beside(step)] if measured else []),
        ],
        "diagrams": [diagram(scene, tensors) | {"aside": _selected(scene, plan, found) or reading_table(scene)}],
        "metrics": metrics(scene, step, fullest),
        "series": [memory_bars(scene, plan, fullest), step_bars(step)],
        "tables": [
            *([crossings_table(scene, plan, found), traffic_table(plan, found)] if found else []),
            *([zero_table(scene, plan, sent)] if sent else []),
            passes_table(served, scene, plan),
            *([exchanges_table(served, plan)] if served.training.exchanges else []),
            device_table(scene, plan),
        ],
        "notes": [*([measured.why] if measured and measured.why else []), *_notes(scene, plan, found)],
    }


def _elsewhere(scene: Scenario, plan: Plan) -> list[dict[str, Any]]:
    """Return that a device was asked for which is not there, and which one is shown."""
    if scene.asked == scene.device:
        return []
    there = f"{plan.devices:,} devices, 0 to {plan.devices - 1:,}" if plan.devices > 1 else "one device, 0"
    last = ", the last one" if plan.devices > 1 else ""
    return [{
        "says": f"Device {scene.asked:,} was asked for, and this plan has {there}: shown is device {scene.device:,}"
        f"{last}.",
        "text": f"look at device {scene.device:,}",
        "sets": {"device": str(scene.device)},
    }]


def _sent_by_zero(scene: Scenario, plan: Plan) -> dict[int, float]:
    """Return what a device sends to replicas in a step under each stage of ZeRO; nothing where there are none."""
    if plan.data * plan.context == 1:
        return {}
    return {
        zero: sum(
            one.bytes_per_step
            for one in crossings(
                model=scene.model,
                plan=replace(plan, zero=zero),
                parameter_bytes=scene.convention.working,
                gradient_bytes=scene.convention.reduced,
            )
            if one.axis == "data"
        )
        for zero in range(4)
    }


def _sequence(scene: Scenario) -> str:
    """Return how long sequences are: nobody may have typed it, and memory and time grow with it."""
    return f"Sequences in training have {scene.model.sequence:,} tokens: {scene.length_from}."


def _selected(scene: Scenario, plan: Plan, found: tuple[TimedCrossing, ...]) -> dict[str, Any] | None:
    for one in found:
        if one.crossing.name == scene.selected:
            return crossing_table(scene, plan, one)
    return weight_table(scene, plan)


def _notes(scene: Scenario, plan: Plan, found: tuple[TimedCrossing, ...]) -> list[str]:
    notes = []
    if not scene.selected:
        notes.append("Press an arrow, a matrix or a name in a table, and a table says all about it.")
    elif not _selected(scene, plan, found):
        notes.append(f"Nothing called {scene.selected} crosses here, and no weight has that name.")
    if scene.overlap and any(one.crossing.alone for one in found):
        notes.append(
            "Compute hides one exchange at a time, and a bubble hides none. A step's first weights and last gradients "
            "have nothing to run behind."
        )
    return [
        *notes,
        _sequence(scene),
        f"Activations cross in 2 byte an element, the loss in 4, weights in {scene.convention.working} and gradients "
        f"in {scene.convention.reduced}. A device's bytes are the fewest that any algorithm sends.",
        *of_16_bits(scene.convention),
        f"A step's arithmetic reaches {share(EFFICIENCY)} of the peak: the only number fitted, to runs on A100 GPUs. "
        "It counts attention as published utilizations do, as if every token saw all others; the table of passes "
        "counts earlier tokens only, and is at the peak.",
        "Masks of dropout are in no memory. Serving is at the peak: its times are bounds from below.",
    ]
