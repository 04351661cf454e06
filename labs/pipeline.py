"""The pipeline lab: schedules of a pipeline, drawn, simulated and in closed form."""

from typing import Any

from labs.lab import Choice, Control, Frame, Lab, Preset, decades
from labs.model.pipelines.orders import LARGEST_ORDER
from labs.model.pipelines.run import PipelineRun
from labs.model.quantities.inputs import amount, count
from labs.parts.pipeline.forms import Inputs, closed_overhead, closed_time, slow_place, times
from labs.parts.pipeline.runs import SIMULATED, impossible, operations, runs_of
from labs.parts.pipeline.verdict import refused, verdict
from labs.parts.pipeline.views import bars_of_steps, gantt, in_flight, table

SCHEDULES: dict[str, str] = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "interleaved": "Interleaved 1F1B",
    "zb-h1": "Zero bubble (ZB-H1)",
}
_TIMES = decades(1e-6, 1)

LAB = Lab(
    id="pipeline",
    title="Pipeline schedules",
    scope=(
        "The forward and backward passes of one step on stages in a row, each in the order of its schedule. One stage "
        "may be slower. What a stage hands on takes the same time everywhere, and nothing else is exchanged."
    ),
    controls=(
        Choice(name="schedule", label="Schedule", options=tuple(SCHEDULES.items()), default="1f1b"),
        Control(name="stages", label="Stages", symbol="p", unit="1", whole=True, default=4,
                stops=(1, 2, 3, 4, 6, 8, 12, 16, 24, 32)),
        Control(name="microbatches", label="Microbatches", symbol="m", unit="1", whole=True, default=8,
                stops=(1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64)),
        Control(name="chunks", label="Chunks of a stage", symbol="v", unit="1", whole=True, default=2,
                stops=(1, 2, 3, 4), note="in the interleaved schedule alone"),
        Control(name="forward", label="Forward", symbol="F", unit="s", default=1e-3, stops=_TIMES,
                note="of a microbatch on a stage"),
        Control(name="backward", label="Backward", symbol="B", unit="s", default=2e-3, stops=_TIMES,
                note="of a microbatch on a stage"),
        Control(name="weight", label="Weights' part of it", symbol="W/B", unit="1", default=0.5,
                stops=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), note="which zero bubble runs apart"),
        Control(name="slow", label="One stage slower by", symbol="×", unit="1", default=1,
                stops=(1, 1.1, 1.25, 1.5, 2, 3)),
        Choice(name="slow_stage", label="Which stage", default="last",
               options=(("first", "the first"), ("middle", "the middle one"), ("last", "the last"))),
        Control(name="delay", label="Delay between stages", symbol="δ", unit="s", default=0,
                stops=(0, *decades(1e-6, 1e-2))),
    ),
    presets=(
        Preset(id="gpipe", label="GPipe, 4 × 4 microbatches", inputs={"schedule": "gpipe", "microbatches": 16},
               note="Four microbatches for each stage: the paper calls the bubble negligible from there on; it is 3/19 "
                    "of the step.",
               source="Huang et al. 2019, GPipe (arXiv 1811.06965), section 2.3"),
        Preset(id="interleaved", label="Interleaved 1F1B", inputs={"schedule": "interleaved"},
               note="Two chunks on each of four stages, eight microbatches: half the bubble of 1F1B, more microbatches "
                    "in flight.",
               source="Narayanan et al. 2021 (arXiv 2104.04473), figure 4"),
        Preset(id="zero", label="Zero bubble", inputs={"schedule": "zb-h1"},
               note="Forward and both halves of the backward take the same time: a third of 1F1B's bubble is left, and "
                    "no stage holds more than the first one of 1F1B.",
               source="Qi et al. 2023, Zero Bubble Pipeline Parallelism (arXiv 2401.10241), figure 3 and table 1"),
        Preset(id="head", label="A slower last stage", inputs={"microbatches": 16, "slow": 1.25},
               note="The last stage has the head besides its layers: all others wait for it in each microbatch."),
        Preset(id="large", label="GPT of 145B, 8 stages",
               inputs={"schedule": "interleaved", "stages": 8, "microbatches": 48},
               note="The published split: 2,304 sequences over 24 replicas, two to a microbatch. The bubble is 7/96 of "
                    "the work. The times of the passes are round ones.",
               source="Narayanan et al. 2021 (arXiv 2104.04473), table 1"),
    ),
)


def frame(**inputs: Any) -> Frame:
    """Return the step of the chosen schedule, drawn, and of all others beside it."""
    for name in ("stages", "microbatches", "chunks"):
        count(name, inputs[name])
    times(inputs)
    amount("delay", inputs["delay"], "s")
    reason = impossible(inputs, inputs["schedule"])
    if reason:
        return _refused(inputs, reason)
    runs = runs_of(inputs, SCHEDULES)
    now = runs[inputs["schedule"]]
    steps = {name: run.step_time if (run := runs[name]) else closed_time(inputs, name) for name in SCHEDULES}
    return {
        "verdict": verdict(inputs, now, steps, SCHEDULES),
        "diagrams": [gantt(inputs, now)] if now else [],
        "metrics": _metrics(inputs, now, steps[inputs["schedule"]]),
        "series": [
            bars_of_steps(inputs, steps, SCHEDULES),
            *([in_flight(now)] if now else []),
        ],
        "tables": [table(inputs, runs, SCHEDULES)],
        "notes": _notes(inputs, now, steps[inputs["schedule"]]),
    }


def _refused(inputs: Inputs, reason: str) -> Frame:
    return {
        "verdict": refused(inputs, reason),
        "metrics": [{"name": "step_time", "label": "Step", "symbol": "T", "value": None, "unit": "s"}],
        "series": [],
        "tables": [],
    }


def _metrics(inputs: Inputs, now: PipelineRun | None, step: float | None) -> list[dict[str, Any]]:
    overhead = closed_overhead(inputs, inputs["schedule"])
    rounds = "(v m)" if inputs["schedule"] == "interleaved" else "m"  # the chunks of other schedules are not read
    values = [
        ("step_time", "Step", "T", step, "s"),
        ("bubble_overhead", "Bubble overhead", "idle / work", now.bubble_overhead if now else overhead, "%"),
        ("bubble_share", "Bubble share", "idle / step", now.bubble_share if now else _share(overhead), "%"),
        ("closed_overhead", "Overhead in closed form", f"(p − 1) / {rounds}", overhead, "%"),
        ("closed_share", "Share in closed form", f"(p − 1) / ({rounds.strip('()')} + p − 1)", _share(overhead), "%"),
        ("in_flight", "Most in flight", "microbatches", max(now.in_flight) if now else None, "1"),
    ]
    if inputs["schedule"] == "zb-h1":
        values[3:5] = [
            ("closed_overhead", "Overhead in closed form", "(p − 1)(F + B − 2W) / (m (F + B))", overhead, "%"),
            ("closed_share", "Share in closed form", "overhead / (1 + overhead)", _share(overhead), "%"),
        ]
    return [dict(zip(("name", "label", "symbol", "value", "unit"), value, strict=True)) for value in values]


def _share(overhead: float | None) -> float | None:
    return None if overhead is None else overhead / (1 + overhead)


def _notes(inputs: Inputs, now: PipelineRun | None, step: float | None) -> list[str]:
    if now is None:
        more = operations(inputs, inputs["schedule"]) <= LARGEST_ORDER
        return [
            f"More than {SIMULATED:,} operations are not simulated while a slider moves"
            + (": the numbers are those of the closed form." if step is not None else ".")
            + (" The Python below simulates this step." if more else "")
        ]
    if closed_overhead(inputs, inputs["schedule"]) is None:
        return ["The closed form of the bubble holds for equal stages without delay, and of zero bubble for m ≥ p and "
                "a W no longer than F and than B − W."]
    return []


def code(**inputs: Any) -> str:
    """Return the Python text that runs this schedule."""
    schedule = inputs["schedule"]
    forward, backward, weight = (_of_stages(inputs, time) for time in times(inputs))
    weights = f" weight={weight}," if schedule == "zb-h1" else ""
    return f"""\
from labs.model import pipeline_order, simulate_pipeline

order = pipeline_order(
    schedule={schedule!r},
    stages={inputs["stages"]},
    microbatches={inputs["microbatches"]},
    chunks={inputs["chunks"] if schedule == "interleaved" else 1},
)
run = simulate_pipeline(order=order, forward={forward}, backward={backward},{weights} delay={inputs["delay"]})
print(run.in_flight, "microbatches in flight")
run.step_time
"""


def _of_stages(inputs: Inputs, time: float) -> str:
    """Return the time of any stage as Python text, or of each where one is slower: short, however many there are."""
    if inputs["slow"] == 1:
        return repr(time)
    before = slow_place(inputs)
    after = inputs["stages"] - 1 - before
    same = [f"({time!r},) * {number}" if number else "" for number in (before, after)]
    return " + ".join(part for part in (same[0], f"({time * inputs['slow']!r},)", same[1]) if part)
