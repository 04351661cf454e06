"""The plans lab: how a model can be split over a machine, the fastest ways first, and why others are impossible."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from labs.lab import Choice, Control, Frame, Lab, Preset, doublings
from labs.model.device_memory.conventions import CONVENTIONS, convention
from labs.model.machines.named import MACHINES, named_machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.model.steps.search import Candidate, Search, search_plans
from labs.model.transformers.named import MODELS, named_model
from labs.model.transformers.transformer import Transformer
from labs.parts.execution.words import of_16_bits
from labs.parts.memory.plan import COUNTS, Inputs, typed
from labs.parts.plans.views import bars_of_steps, plan_name, refused_table, sentence_of_parts
from labs.parts.plans.words import notes

SHOWN = 20
LONGEST = 2**20  # tokens of a sequence
SWITCHES = ("sequence_parallel", "uneven", "replicate_kv")

LAB = Lab(
    id="plans",
    title="Plans compared",
    scope=(
        "Splits of a model over all devices of a machine, ranked by the predicted time of a step; a note says which "
        "are tried. The prediction has one efficiency of arithmetic, and lets exchanges run behind it where "
        "dependencies allow."
    ),
    controls=(
        Choice(name="model", label="Model", options=tuple((name, name) for name in MODELS), default="Llama 3 8B"),
        Control(name="sequence", label="Sequence", symbol="s", unit="1", whole=True, default=0,
                stops=(0, *doublings(1024, 2**20)), note="tokens; 0: that of its pre-training"),
        Choice(name="machine", label="Machine", options=tuple((name, name) for name in MACHINES), default="DGX H100"),
        Control(name="devices", label="Devices", symbol="N", unit="1", whole=True, default=16,
                stops=doublings(1, 16384), note="which all take part"),
        Control(name="batch", label="Global batch", symbol="B", unit="1", whole=True, default=128,
                stops=doublings(8, 16384), note="sequences of a step"),
        Choice(name="convention", label="Bytes of a parameter", default="mixed",
               options=tuple((name, f"{name}: {found.total} bytes") for name, found in CONVENTIONS.items())),
    ),
    presets=(
        Preset(id="gpt", label="GPT-3 175B on 384 A100",
               inputs={"model": "GPT-3 175B", "machine": "DGX A100 80GB", "devices": 384, "batch": 1536},
               note="Published at this size: 153 TFLOP/s of 312 with 96 devices to a replica, and 144 with ZeRO-3. "
                    "Those runs did not hide their exchanges.",
               source="Narayanan et al. 2021 (arXiv 2104.04473), table 2"),
        Preset(id="llama", label="Llama 3 405B on 16,384 H100",
               inputs={"model": "Llama 3 405B", "devices": 16384, "batch": 2048, "convention": "megatron-bf16"},
               note="Published: 41 % of the peak, with 8 tensor ranks, 16 stages and 128 replicas. The stages are "
                    "uneven, as 16 do not divide 126 layers.",
               source="Grattafiori et al. 2024, The Llama 3 Herd of Models (arXiv 2407.21783), table 4"),
        Preset(id="mixtral", label="Mixtral 8x7B on 64 H100", inputs={"model": "Mixtral 8x7B", "devices": 64},
               note="Experts are split where that is faster. The model was trained on sequences of 32,768 tokens."),
        Preset(id="small", label="A batch too small", inputs={"model": "GPT 1.3B", "devices": 64, "batch": 8},
               note="Eight sequences for 64 devices: tensor ranks and stages must take what replicas cannot."),
    ),
)

DOUBLINGS, MOST_DEVICES, MOST_BATCH = 4, 2**15, 2**20  # tried where no plan is possible; beyond, it would take seconds


@lru_cache(maxsize=32)
def _searched(model: Transformer, machine: str, devices: int, batch: int, name: str) -> Search:
    return search_plans(
        model=model,
        machine=named_machine(name=machine, devices=devices),
        global_batch=batch,
        convention=convention(name=name),
        most=SHOWN,
    )


def frame(**inputs: Any) -> Frame:
    """Return the fastest plans, what their steps are made of, and the refused ones by reason."""
    devices, batch = count("devices", inputs["devices"]), count("batch", inputs["batch"])
    try:
        machine = named_machine(name=inputs["machine"], devices=devices)
    except ModelError as error:
        return _empty([f"This machine is impossible: {error}.", *_whole_groups(inputs["machine"], devices)])
    sequence = count("sequence", inputs["sequence"], at_least=0, at_most=LONGEST)
    model = named_model(name=inputs["model"], sequence=sequence or None)
    search = _searched(model, inputs["machine"], devices, batch, inputs["convention"])
    refused = refused_table(search)
    tried = len(search.feasible) + len(search.refused) + len(search.slower)
    if not search.feasible:
        said = [
            f"None of the {tried:,} plans tried is possible: the table has the reasons.",
            *_offers(inputs, model, search, devices, batch),
        ]
        return _empty(said) | {"tables": [refused], "notes": [*notes(search), _length(model)]}
    best = search.feasible[0]
    return {
        "verdict": _verdict(inputs, best, machine.memory, tried),
        "metrics": [
            {"name": "time", "label": "Step of the fastest", "symbol": "T", "value": best.step.time, "unit": "s"},
            {"name": "utilization", "label": "Share of the peak", "symbol": "MFU", "value": best.step.utilization,
             "unit": "%"},
            {"name": "tokens", "label": "Tokens in a second", "symbol": "", "value": best.step.tokens_per_second,
             "unit": "1"},
            {"name": "memory", "label": "Memory of a device", "symbol": "", "value": best.memory.total, "unit": "byte"},
            {"name": "tried", "label": "Plans tried", "symbol": "", "value": tried, "unit": "1"},
            {"name": "refused", "label": "Of these refused", "symbol": "", "value": len(search.refused), "unit": "1"},
        ],
        "series": [bars_of_steps(search)],
        "tables": [_ranked(inputs, search), refused],
        "notes": [*of_16_bits(convention(name=inputs["convention"])), *notes(search), _length(model)],
    }


def _offers(
    inputs: Inputs, model: Transformer, search: Search, devices: int, batch: int
) -> Iterator[dict[str, Any]]:
    """Yield more devices, and another batch, with which there is a plan; each was tried."""

    def is_possible(devices: int, batch: int) -> bool:
        try:
            return bool(_searched(model, inputs["machine"], devices, batch, inputs["convention"]).feasible)
        except ModelError:  # no machine of so many
            return False

    if devices > MOST_DEVICES or batch > MOST_BATCH:
        return
    # More devices help only where memory is short.
    doublings = DOUBLINGS if any("on a device" in refused.reason for refused in search.refused) else 0
    for more in (devices * 2**step for step in range(1, doublings + 1)):
        if is_possible(more, batch):
            yield {"text": f"Take {more} devices", "sets": {"devices": str(more)}}
            break
    even = -(-batch // devices) * devices
    if even != batch and is_possible(devices, even):
        yield {"text": f"Take a batch of {even}", "sets": {"batch": str(even)}}


def _length(model: Transformer) -> str:
    return f"Sequences are of {model.sequence:,} tokens."


def _empty(verdict: list[Any]) -> Frame:
    metrics = [{"name": "time", "label": "Step of the fastest", "symbol": "T", "value": None, "unit": "s"}]
    return {"verdict": verdict, "metrics": metrics, "series": [], "tables": []}


def _whole_groups(machine: str, devices: int) -> list[dict[str, Any]]:
    """Return how many devices make whole nodes or racks, below and above."""
    group = named_machine(name=machine).levels[-2].devices
    below = devices // group * group
    return [{"text": f"Take {n} devices", "sets": {"devices": str(n)}} for n in (below, below + group) if n]


def _verdict(inputs: Inputs, best: Candidate, capacity: float, tried: int) -> list[Any]:
    needs, has = format_quantity(best.memory.total, "byte", 3), format_quantity(capacity, "byte", 3)
    return [
        f"The fastest of the {tried:,} plans tried is {plan_name(best.plan)}: "
        f"{format_quantity(best.step.time, 's', 3)} for a step, {100 * best.step.utilization:.3g} % of the peak, "
        f"{needs} of {has} on the fullest device.",
        sentence_of_parts(best.step),
        {"says": "What it exchanges, and when:", "text": "open it in the explorer", "lab": "execution",
         "inputs": _explorer(inputs, best.plan)},
    ]


def _explorer(inputs: Inputs, plan: Plan) -> dict[str, str]:
    return typed({
        **{name: inputs[name] for name in ("model", "sequence", "machine", "devices", "convention")},
        **{name: getattr(plan, name) for name in (*COUNTS, "zero", "recompute")},
        **{name: "on" if getattr(plan, name) else "off" for name in SWITCHES},
    })


def _ranked(inputs: Inputs, search: Search) -> dict[str, Any]:
    rows = []
    for candidate in search.feasible:
        plan, step = candidate.plan, candidate.step
        link = {"text": plan_name(plan), "lab": "execution", "inputs": _explorer(inputs, plan)}
        rows.append([
            link, plan.zero, plan.recompute, plan.microbatch, plan.accumulation, plan.interleave,
            candidate.memory.total, step.time, step.utilization,
        ])  # fmt: skip
    return {
        "id": "plans",
        "caption": f"The {len(rows)} fastest of those tried: t tensor, c context, p pipeline, e expert, d data ranks",
        "columns": [{"label": "Plan"}, {"label": "ZeRO", "unit": "1"}, {"label": "Recomputed"},
                    {"label": "Microbatch", "unit": "1"}, {"label": "Microbatches", "unit": "1"},
                    {"label": "Chunks", "unit": "1"}, {"label": "Memory", "unit": "byte"},
                    {"label": "Step", "unit": "s"}, {"label": "Share of the peak", "unit": "%"}],
        "rows": rows,
        "keys": [f"{plan_name(c.plan)} b{c.plan.microbatch} v{c.plan.interleave}" for c in search.feasible],
    }


def code(**inputs: Any) -> str:
    """Return the Python text that searches."""
    return f"""\
from labs.model import convention, named_machine, named_model, search_plans

found = search_plans(
    model=named_model(name={inputs["model"]!r}, sequence={inputs["sequence"] or None}),
    machine=named_machine(name={inputs["machine"]!r}, devices={inputs["devices"]}),
    global_batch={inputs["batch"]},
    convention=convention(name={inputs["convention"]!r}),
    most={SHOWN},
)
for candidate in found.feasible:
    print(f"{{candidate.step.time:.4g}} s", candidate.plan)
found.feasible[:1]
"""
