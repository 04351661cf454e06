"""The overlap lab: compute and exchanges of a step side by side, and what keeps them apart."""

from typing import Any

from labs.lab import Choice, Control, Frame, Lab, Preset, decades, doublings
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import LARGEST_COUNT, count
from labs.model.quantities.units import format_quantity, parse_quantity
from labs.model.timelines.overlap import overlap_bounds
from labs.model.timelines.run import Timeline, simulate_timeline
from labs.parts.overlap.tasks import Inputs, Tasks, exchanges, moved, tasks_of
from labs.parts.overlap.views import changes, picture, waits_table

LAB = Lab(
    id="overlap",
    title="Overlap of compute and communication",
    scope=(
        "One device with a stream of compute and a stream of exchanges: each runs in its order, and waits where data "
        "demand it. Neither slows the other, which on a real device it does."
    ),
    controls=(
        Choice(name="mode", label="Step", default="collective",
               options=(("collective", "one collective"), ("gradients", "gradients in buckets"),
                        ("prefetch", "ZeRO-3, gathered ahead"))),
        Control(name="compute", label="Compute", symbol="c", unit="s", default=1e-3, stops=decades(1e-5, 1e-1),
                note="of a layer, forward or backward; of ZeRO-3 twice that backward"),
        Control(name="payload", label="Payload", symbol="M", unit="byte", default=100e6, stops=decades(1e5, 1e10),
                note="of a layer, or of the collective"),
        Control(name="bandwidth", label="Effective bandwidth", symbol="B", unit="byte/s", default=50e9,
                stops=decades(1e9, 1e12)),
        Control(name="latency", label="Startup", symbol="α", unit="s", default=5e-6, stops=(0, *decades(1e-7, 1e-3)),
                note="of a step of a ring, or of a phase"),
        Control(name="phases", label="Phases", symbol="n", unit="1", whole=True, default=4, stops=doublings(1, 64),
                group="One collective"),
        Choice(name="needs", label="Dependency", default="result", group="One collective",
               options=(("nothing", "none"), ("result", "compute needs its result"),
                        ("output", "it needs what is computed"))),
        Control(name="layers", label="Layers", symbol="L", unit="1", whole=True, default=8,
                stops=(1, 2, 3, 4, 6, 8), group="Layers"),
        Control(name="ranks", label="Ranks", symbol="p", unit="1", whole=True, default=8, stops=doublings(1, 1024),
                group="Layers", note="in a ring"),
        Control(name="size", label="Size of a bucket", symbol="b", unit="byte", default=100e6, stops=decades(1e6, 1e11),
                group="Layers", note="the gradient that fills it closes it"),
        Control(name="buffers", label="Buffers", symbol="k", unit="1", whole=True, default=2, stops=(1, 2, 3, 4),
                group="Layers", note="for gathered layers"),
        Control(name="bucket", label="Exchange to move", symbol="from 0", unit="1", whole=True, default=0,
                stops=tuple(range(24)), group="Move"),
        Control(name="start", label="Start it later by", symbol="layers", unit="1", whole=True, default=0,
                stops=tuple(range(-4, 5)), group="Move", note="earlier, where negative"),
    ),
    presets=(
        Preset(id="beside", label="Independent of it", inputs={"needs": "nothing"},
               note="Four phases of 5 µs and 100 MB at 50 GB/s are 2.02 ms; beside 1 ms of compute, 1.02 ms of them "
                    "stay exposed."),
        Preset(id="buckets", label="A bucket for each layer",
               inputs={"mode": "gradients", "payload": 384 * 2**20, "bandwidth": 200e9, "compute": 5e-3},
               note="Layers of width 4,096 reduce their gradients while the layer before computes: of eight "
                    "reductions only the last one is exposed.",
               source="Li et al. 2020, PyTorch Distributed (arXiv 2006.15704), section 3.2"),
        Preset(id="whole", label="All gradients in one",
               inputs={"mode": "gradients", "payload": 384 * 2**20, "bandwidth": 200e9, "compute": 5e-3, "size": 5e9},
               note="The same with one bucket, which is full when the backward pass ends: nothing hides."),
        Preset(id="prefetch", label="ZeRO-3, two buffers",
               inputs={"mode": "prefetch", "payload": 384 * 2**20, "bandwidth": 200e9, "compute": 2e-3, "layers": 6},
               note="Each layer is gathered while the one before computes; the first gather and the last scatter have "
                    "nothing to hide behind.",
               source="Zhao et al. 2023, PyTorch FSDP (arXiv 2304.11277), section 3.3"),
        Preset(id="reuse", label="A buffer used too early",
               inputs={"mode": "prefetch", "payload": 384 * 2**20, "bandwidth": 200e9, "compute": 2e-3, "layers": 6,
                       "bucket": 2, "start": -1},
               note="The third gather would overwrite the parameters of the first layer while that still computes."),
    ),
)

ROUNDING = 1e-12  # what is hidden less than this share of all is arithmetic's rest


def frame(**inputs: Any) -> Frame:
    """Return the step as it runs with one exchange moved, or why it may not be moved so."""
    tasks = tasks_of(inputs)
    number = count("bucket", inputs["bucket"], at_least=0)
    later = count("start", inputs["start"], at_least=-LARGEST_COUNT)
    most = len(exchanges(tasks)) - 1
    plain = simulate_timeline(tasks=tasks)
    if later and number > most:
        said = [f"There is no exchange {number}: they are counted from 0 to {most}.",
                {"text": f"Move exchange {most}", "sets": {"bucket": str(most)}}]
        return _refused(inputs, tasks, plain, said)
    made, places = moved(tasks, number, later) if later else (tasks, 0)
    name = exchanges(tasks)[number].name if later else ""
    try:
        step = simulate_timeline(tasks=made)
    except ModelError as error:
        said = [f"{name.capitalize()} may not start {_shift(places)}: {error}.",
                {"text": "Undo the move", "sets": {"start": "0"}}]
        return _refused(inputs, tasks, plain, said)
    return {
        "verdict": [*_cut_short(name, later, places), *_verdict(step), *_advice(inputs, step, plain)],
        "diagrams": [picture("The step", made, step, name if places else "")],
        "metrics": _metrics(step),
        "series": [changes(inputs, step)],
        "tables": [waits_table(made, step)],
    }


def _refused(inputs: Inputs, tasks: Tasks, plain: Timeline, said: list[Any]) -> Frame:
    return {
        "verdict": said,
        "diagrams": [picture("The step without the move", tasks, plain, "")],
        "metrics": [metric | {"value": None} for metric in _metrics(plain)],
        "series": [],
        "tables": [waits_table(tasks, plain)],
    }


def _cut_short(name: str, later: int, places: int) -> list[Any]:
    """Return that an exchange could not be moved so far, where it could not."""
    if later == places:
        return []
    end = "before the first piece of compute" if later < 0 else "behind the last piece of compute"
    done = f"it was moved by {abs(places)}" if places else "it was not moved"
    return [{"says": f"{name.capitalize()} cannot start {_shift(later)}: {done}, and {end} there is no place left.",
             "text": f"Move it by {abs(places)}" if places else "Undo the move", "sets": {"start": str(places)}}]


def _shift(places: int) -> str:
    return f"{'earlier' if places < 0 else 'later'} by {abs(places)}"


def _verdict(step: Timeline) -> list[str]:
    bounds = overlap_bounds(compute=step.compute, communication=step.communication)
    takes, compute, exposed, hidden, least, most = (
        format_quantity(time, "s", 4)
        for time in (
            step.step_time, step.compute, step.exposed, _hidden(step), bounds.shortest, bounds.longest
        )
    )  # fmt: skip
    return [
        f"The step takes {takes}: {compute} of compute, and {exposed} of communication that nothing hides; {hidden} "
        "are hidden.",
        f"If nothing depended on anything, it could be as short as {least}, the longer of both; with no overlap at all "
        f"it would be {most}.",
    ]


def _hidden(step: Timeline) -> float:
    hidden = step.communication - step.exposed
    return hidden if hidden > ROUNDING * step.communication else 0.0


def _advice(inputs: Inputs, step: Timeline, plain: Timeline) -> list[dict[str, Any]]:
    """Return what would take less time, each tried."""
    tried: list[tuple[str, dict[str, str]]] = []
    if plain.step_time < step.step_time:
        tried.append(("Undo the move", {"start": "0"}))
    if inputs["mode"] == "collective" and inputs["needs"] != "nothing":
        tried.append(("Make them independent", {"needs": "nothing"}))
    if inputs["mode"] == "prefetch":
        tried.append((f"Take {inputs['buffers'] + 1} buffers", {"buffers": str(inputs["buffers"] + 1)}))
    if inputs["mode"] == "gradients":
        sizes = [n * inputs["payload"] for n in range(1, inputs["layers"] + 1)]
        best = min(sizes, key=lambda size: _again(inputs, {"size": size}).step_time)
        layers = f"{round(best / inputs['payload'])} of {inputs['layers']} layers" if inputs["payload"] else ""
        tried.append((f"Fill a bucket with {layers}", {"size": format_quantity(best, "byte", 15)}))
    said = []
    for words, sets in tried:
        time = _again(inputs, {name: _value(name, text) for name, text in sets.items()}).step_time
        if time < step.step_time * (1 - 1e-9):
            takes = format_quantity(time, "s", 4)
            said.append({"says": f"It would take {takes} otherwise.", "text": words, "sets": sets})
    return said


def _value(name: str, text: str) -> float | str:
    """Return what a field reads from a text."""
    (control,) = [control for control in LAB.controls if control.name == name]
    if isinstance(control, Choice):
        return text
    value = parse_quantity(text, control.unit)
    return int(value) if control.whole else value


def _again(inputs: Inputs, sets: dict[str, Any]) -> Timeline:
    return simulate_timeline(tasks=tasks_of({**inputs, **sets}))


def _metrics(step: Timeline) -> list[dict[str, Any]]:
    bounds = overlap_bounds(compute=step.compute, communication=step.communication)
    values = [
        ("step", "Step", "T", step.step_time),
        ("exposed", "Exposed communication", "T − a", step.exposed),
        ("hidden", "Hidden communication", "a + b − T", _hidden(step)),
        ("compute", "Compute in all", "a", step.compute),
        ("communication", "Communication in all", "b", step.communication),
        ("shortest", "Without dependencies", "max(a, b)", bounds.shortest),
        ("longest", "Without overlap", "a + b", bounds.longest),
    ]
    return [{"name": name, "label": label, "symbol": symbol, "value": value, "unit": "s"}
            for name, label, symbol, value in values]
