"""What the pipeline lab says of a step: how long it is, what is faster, and what was not compared."""

from collections.abc import Mapping
from typing import Any

from labs.model.pipelines.run import PipelineRun
from labs.model.quantities.units import format_quantity
from labs.parts.pipeline.forms import Inputs
from labs.parts.pipeline.runs import SIMULATED, impossible, operations
from labs.views.text import shown

Names = Mapping[str, str]
Steps = Mapping[str, float | None]


def refused(inputs: Inputs, reason: str) -> list[Any]:
    """Return why the chosen schedule is impossible, and what mends it."""
    p, m = inputs["stages"], inputs["microbatches"]
    up = -(-m // p) * p
    return [
        f"This schedule is impossible: {reason}.",
        {"text": f"Take {up} microbatches", "sets": {"microbatches": str(up)}},
        {"text": "Take 1F1B", "sets": {"schedule": "1f1b"}},
    ]


def verdict(inputs: Inputs, now: PipelineRun | None, steps: Steps, names: Names) -> list[Any]:
    """Return the step of the chosen schedule in words, and how the others compare."""
    chosen = inputs["schedule"]
    step = steps[chosen]
    if step is None:
        return _unknown(inputs)
    return [_length(names[chosen], now, step), *_comparison(inputs, step, steps, names)]


def _length(name: str, now: PipelineRun | None, step: float) -> str:
    takes = f"{name} takes {format_quantity(step, 's', 4)} for a step"
    if now is None:
        return f"{takes}, by its closed form."
    idle = sum(now.idle) / len(now.idle)
    return (
        f"{takes}: a stage works {format_quantity(now.step_time - idle, 's', 4)} of it on average, and stands idle "
        f"for {format_quantity(idle, 's', 4)}. The bubble is {shown(now.bubble_overhead, '%')} of the work, and "
        f"{shown(now.bubble_share, '%')} of the step."
    )


def _comparison(inputs: Inputs, step: float, steps: Steps, names: Names) -> list[Any]:
    known = {schedule: time for schedule, time in steps.items() if time is not None}
    left = [names[each] for each in names if each not in known and not impossible(inputs, each)]
    best = min(known, key=lambda schedule: known[schedule])
    said: list[Any] = []
    if known[best] < step * (1 - 1e-9):
        shorter = 1 - known[best] / step
        said.append({
            "says": f"{names[best]} takes {format_quantity(known[best], 's', 4)}, {100 * shorter:.3g} % less.",
            "text": "Show it",
            "sets": {"schedule": best},
        })
    elif len(known) > 1:
        among = "None of the schedules compared" if left else "None of the schedules that are possible here"
        said.append(f"{among} is faster.")
    if left:
        were = "was" if len(left) == 1 else "were"
        said.append(f"{' and '.join(left)} {were} not compared: too many operations to simulate here.")
    return said


def _unknown(inputs: Inputs) -> list[Any]:
    """Return why there is no number, and inputs with which there is one."""
    p, m, schedule = inputs["stages"], inputs["microbatches"], inputs["schedule"]
    size = operations(inputs, schedule)
    said: list[Any] = [
        f"A step of {size:,} operations is not simulated here, where {SIMULATED:,} are the most, and there is no "
        "closed form for these times."
    ]
    if inputs["slow"] != 1:
        said.append({"text": "Make all stages equal", "sets": {"slow": "1"}})
    fewer = SIMULATED * m // size
    if schedule == "interleaved":
        fewer = fewer // p * p
    if fewer:
        said.append({"text": f"Take {fewer} microbatches", "sets": {"microbatches": str(fewer)}})
    else:
        small = {"stages": "8", "microbatches": "16", "chunks": "2"}
        said.append({"text": "Take 8 stages and 16 microbatches", "sets": small})
    return said
