"""The pipeline lab's charts and its table."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from labs.model.pipelines.run import PipelineRun
from labs.model.quantities.units import format_quantity
from labs.parts.pipeline.forms import Inputs, closed_time

STAGES, OPERATIONS = 16, 300  # as many as one picture shows and a page of some 60 kB holds


def gantt(inputs: Inputs, run: PipelineRun) -> dict[str, Any]:
    """Return the operations of the first stages, until a picture is full."""
    drawn = min(len(run.idle), STAGES)
    ours = [operation for operation in run.operations if operation.stage < drawn]
    first = sorted(ours, key=attrgetter("start"))[:OPERATIONS]
    rows: list[dict[str, Any]] = [
        {
            "label": f"stage {stage}",
            "values": [run.step_time - run.idle[stage], run.idle[stage], run.in_flight[stage]],
            "spans": [],
        }
        for stage in range(drawn)
    ]
    for operation in first:
        part = operation.kind + ("′" if operation.chunk % 2 else "")
        rows[operation.stage]["spans"].append((part, str(operation.microbatch), operation.start, operation.end))
    return {
        "kind": "gantt",
        "id": "schedule",
        "title": _title(run, ours, first, drawn),
        "row": "stage",
        "x": {"label": "Time", "symbol": "t", "unit": "s"},
        "parts": _parts(inputs["schedule"], inputs["chunks"]),
        "columns": [{"label": "works", "unit": "s"}, {"label": "idle", "unit": "s"},
                    {"label": "in flight", "unit": "1"}],
        "rows": rows,
    }


def _title(run: PipelineRun, ours: list[Any], first: list[Any], drawn: int) -> str:
    title = "The step, microbatches by number"
    if len(run.idle) > drawn:
        title += f"; the first {drawn} of {len(run.idle)} stages"
    if len(ours) > len(first):
        title += f"; the first {len(first)} of {len(ours)} operations, until {format_quantity(first[-1].start, 's', 3)}"
    return title


def _parts(schedule: str, chunks: int) -> list[dict[str, str]]:
    split, odd = schedule == "zb-h1", schedule == "interleaved" and chunks > 1
    parts = [("F", "forward", "light"), ("B", "backward, of inputs" if split else "backward", "middle")]
    if split:
        parts.append(("W", "backward, of weights", "dark"))
    if odd:
        parts += [("F′", "forward, odd chunk", "light accent"), ("B′", "backward, odd chunk", "accent")]
    return [{"name": name, "label": label, "shade": shade} for name, label, shade in parts]


def bars_of_steps(inputs: Inputs, steps: Mapping[str, float | None], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the steps of all schedules that are possible, work and bubble apart."""
    p, slow = inputs["stages"], inputs["slow"]
    work = inputs["microbatches"] * (inputs["forward"] + inputs["backward"]) * (p - 1 + slow) / p
    return {
        "kind": "bars",
        "id": "steps",
        "title": "The step by schedule",
        "row": "schedule",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "parts": [{"name": "work", "label": "work of a stage, on average"}, {"name": "idle", "label": "bubble"}],
        "rows": [
            {
                "label": name,
                "now": schedule == inputs["schedule"],
                "values": [work, max(0.0, step - work)],
                "sets": {"schedule": schedule},
            }
            for schedule, name in names.items()
            if (step := steps[schedule]) is not None
        ],
    }


def in_flight(run: PipelineRun) -> dict[str, Any]:
    """Return what each stage holds at most, of the first stages."""
    drawn = run.in_flight[:STAGES]
    more = f", the first {STAGES} stages" if len(run.in_flight) > STAGES else ""
    return {
        "kind": "bars",
        "id": "in-flight",
        "title": f"Most microbatches in flight{more}",
        "row": "stage",
        "x": {"label": "Microbatches", "symbol": "", "unit": "1"},
        "parts": [{"name": "in_flight", "label": "in flight"}],
        "rows": [{"label": f"stage {stage}", "values": [held]} for stage, held in enumerate(drawn)],
    }


def table(inputs: Inputs, runs: Mapping[str, PipelineRun | None], names: Mapping[str, str]) -> dict[str, Any]:
    """Return all schedules at these inputs: simulated where they are few enough operations, and in closed form."""
    rows = []
    for schedule, name in names.items():
        run, closed = runs[schedule], closed_time(inputs, schedule)
        named = name if schedule == inputs["schedule"] else {"text": name, "sets": {"schedule": schedule}}
        found = (run.step_time, run.bubble_overhead, run.bubble_share) if run else (None, None, None)
        rows.append([named, *found, closed, max(run.in_flight) if run else None])
    return {
        "id": "schedules",
        "caption": "All schedules at these inputs",
        "columns": [{"label": "Schedule"}, {"label": "Step, simulated", "unit": "s"},
                    {"label": "Bubble overhead", "unit": "%"}, {"label": "Bubble share", "unit": "%"},
                    {"label": "Step, closed form", "unit": "s"}, {"label": "Most in flight", "unit": "1"}],
        "rows": rows,
    }
