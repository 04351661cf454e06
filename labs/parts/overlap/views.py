"""The overlap lab's pictures and its table."""

from typing import Any

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity
from labs.model.timelines.run import Timeline, simulate_timeline
from labs.model.timelines.tasks import COMPUTE
from labs.parts.overlap.tasks import Inputs, Tasks, exchanges, moved, tasks_of

# How an exchange and a piece of compute are called by the first word of their names.
PARTS = {
    "compute": ("compute", None),
    "forward": ("forward", None),
    "backward": ("backward", None),
    "gather": ("gather", "state"),
    "scatter": ("reduce-scatter", "data"),
    "reduce": ("all-reduce", "data"),
    "collective": ("collective", "data"),
    "moved": ("moved", "tensor"),
}


def picture(title: str, tasks: Tasks, step: Timeline, marked: str) -> dict[str, Any]:
    """Return the step with a row for each stream; the exchange that was moved looks different."""
    parts = {task.name: "moved" if task.name == marked else task.name.split()[0] for task in tasks}
    used = [name for name in PARTS if name in parts.values()]
    streams: dict[str, list[dict[str, Any]]] = {COMPUTE: [], "network": []}
    for timed in step.tasks:
        number = timed.name.split()[1] if " " in timed.name else ""
        streams[timed.stream].append(
            {"part": parts[timed.name], "label": number, "says": timed.name, "from": timed.start, "to": timed.end}
        )
    return {
        "kind": "timeline",
        "id": "step",
        "title": title,
        "row": "stream",
        "x": {"label": "Time", "symbol": "t", "unit": "s"},
        "parts": [{"name": name, "label": PARTS[name][0], "kind": PARTS[name][1]} for name in used],
        "rows": [{"label": stream, "spans": spans} for stream, spans in streams.items()],
        "wide": True,
    }


def changes(inputs: Inputs, step: Timeline) -> dict[str, Any]:
    """Return compute and exposed communication as they are, and with each input made better by a factor of two."""
    rows: list[dict[str, Any]] = [
        {"label": "none, as set", "now": True, "values": [step.compute, step.exposed]}
    ]
    for label, name, factor in (
        ("half the payload", "payload", 0.5),
        ("twice the bandwidth", "bandwidth", 2),
        ("half the startup", "latency", 0.5),
        ("half the compute", "compute", 0.5),
    ):
        value = inputs[name] * factor
        try:
            tasks = tasks_of({**inputs, name: value})
            if inputs["bucket"] < len(exchanges(tasks)):
                tasks, _ = moved(tasks, inputs["bucket"], int(inputs["start"]))
            found = simulate_timeline(tasks=tasks)
        except ModelError:
            continue  # the move is not possible with other buckets
        unit = {"payload": "byte", "bandwidth": "byte/s"}.get(name, "s")
        text = format_quantity(value, unit, 3)
        sets = {name: format_quantity(value, unit, 15)}
        rows.append({"label": f"{label}, {text}", "values": [found.compute, found.exposed], "sets": sets})
    return {
        "kind": "bars",
        "id": "changes",
        "title": "What a change would do",
        "row": "change",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "parts": [{"name": "compute", "label": "compute"}, {"name": "exposed", "label": "exposed communication"}],
        "rows": rows,
    }


def waits_table(tasks: Tasks, step: Timeline) -> dict[str, Any]:
    """Return each exchange, what it waits for, and when it runs."""
    times = {timed.name: timed for timed in step.tasks}
    rows = [
        [
            f"{number}: {task.name}",
            ", ".join(task.after) or "nothing",
            ", ".join(other.name for other in tasks if task.name in other.after) or "nothing",
            times[task.name].start,
            times[task.name].end,
        ]
        for number, task in enumerate(exchanges(tasks))
    ]
    return {
        "id": "waits",
        "caption": "Exchanges by number, and what they wait for",
        "folded": True,
        "columns": [{"label": "Exchange"}, {"label": "Waits for"}, {"label": "Waited for by"},
                    {"label": "From", "unit": "s"}, {"label": "To", "unit": "s"}],
        "rows": rows,
    }
