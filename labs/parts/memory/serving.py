"""What the memory lab shows of serving."""

from collections.abc import Iterator
from typing import Any

from labs.lab import Frame, doublings
from labs.model.device_memory.counting import fullest_stages
from labs.model.plans.plan import Plan
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.model.serving.cache import cache_per_token, device_cache, sequences_that_fit, serving_weights
from labs.model.transformers.named import MODELS, named_model
from labs.model.transformers.transformer import Transformer
from labs.parts.execution import spoken
from labs.parts.memory.plan import Inputs, offer, plan_of, plan_text, typed

FACTORS = (2, 4, 8, 16, 32, 64)


def frame_of(inputs: Inputs, model: Transformer, plan: Plan, capacity: float) -> Frame:
    """Return the frame of a plan that is possible."""
    sequences = count("sequences", inputs["sequences"])
    weights, cache = held(inputs, model, plan)
    room = _room(inputs, model, plan, capacity)
    token = cache_per_token(model=model, width=int(inputs["width"]))
    numbers = [
        (_counted(n, "sequence"), {"sequences": n}, held({**inputs, "sequences": n}, model, plan))
        for n in sorted({1, *(max(1, sequences * part // 2) for part in (1, 2, 4)), *([room] if room else [])})
    ]
    ranks = []
    for t in sorted({*doublings(1, 64), plan.tensor}):
        made, _ = plan_of({**inputs, "tensor": t}, model)
        if made:
            ranks.append((_counted(t, "tensor rank"), {"tensor": t}, held(inputs, model, made)))
    return {
        "verdict": _verdict(inputs, model, plan, capacity, room),
        "metrics": [
            {"name": "total", "label": "Needed", "symbol": "", "value": weights + cache, "unit": "byte"},
            {"name": "spare", "label": "Spare", "symbol": "", "value": capacity - weights - cache, "unit": "byte"},
            {"name": "capacity", "label": "Device", "symbol": "", "value": capacity, "unit": "byte"},
            {"name": "weights", "label": "Weights", "symbol": "", "value": weights, "unit": "byte"},
            {"name": "cache", "label": "Cache", "symbol": "", "value": cache, "unit": "byte"},
            {"name": "room", "label": "Sequences that fit", "symbol": "of a replica", "value": room, "unit": "1"},
            {"name": "token", "label": "Cache of a token", "symbol": "all layers", "value": token, "unit": "byte"},
        ],
        "series": [
            _bars("sequences", "By sequences at once", numbers, inputs, capacity),
            _bars("tensor", "By tensor ranks", ranks, inputs, capacity),
        ],
        "tables": [_tokens(inputs)],
    }


def code_of(inputs: Inputs, model: Transformer) -> str:
    """Return the Python text that gives weights and cache of the first stage, and the room of a replica."""
    return f"""\
from labs.model import Plan, device_cache, named_machine, named_model, sequences_that_fit, serving_weights

model = named_model(name={inputs["model"]!r})
plan = {plan_text(inputs, model)}
split = {{"model": model, "plan": plan, "width": {inputs["width"]}}}
print(serving_weights(**split), "bytes of weights")
print(device_cache(**split, tokens={inputs["tokens"]}, sequences={inputs["sequences"]}), "bytes of cache")
memory = named_machine(name={inputs["machine"]!r}).memory
sequences_that_fit(**split, machine_memory=memory, tokens={inputs["tokens"]})
"""


def held(inputs: Inputs, model: Transformer, plan: Plan) -> tuple[float, float]:
    """Return weights and cache of the fullest device."""
    width, tokens, sequences = int(inputs["width"]), inputs["tokens"], inputs["sequences"]
    found = [
        (
            serving_weights(model=model, plan=plan, stage=stage, width=width),
            device_cache(model=model, plan=plan, tokens=tokens, sequences=sequences, stage=stage, width=width),
        )
        for stage in fullest_stages(model, plan.pipeline, plan.interleave)
    ]
    return max(found, key=sum)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _room(inputs: Inputs, model: Transformer, plan: Plan, capacity: float) -> int:
    return sequences_that_fit(
        model=model, plan=plan, machine_memory=capacity, tokens=inputs["tokens"], width=int(inputs["width"])
    )


def _verdict(inputs: Inputs, model: Transformer, plan: Plan, capacity: float, room: int) -> list[Any]:
    total, has = sum(held(inputs, model, plan)), format_quantity(capacity, "byte", 3)
    fullest = f"The fullest device needs {format_quantity(total, 'byte', 3)} of {has}"
    if total <= capacity:
        return [f"It fits. {fullest}; a replica has room for {room} such sequences at once."]
    said: list[Any] = [f"It does not fit. {fullest}: {format_quantity(total - capacity, 'byte', 3)} are lacking."]
    for ways in _ways(inputs, room):
        for sets in ways:
            made, _ = plan_of({**inputs, **sets}, model)
            needed = sum(held({**inputs, **sets}, model, made)) if made else capacity + 1
            if made and needed <= capacity:
                named = ", ".join(_named(name, value) for name, value in sets.items())
                said.append(offer(sets, named, made, needed))
                break
    return said


def _ways(inputs: Inputs, room: int) -> Iterator[Iterator[dict[str, Any]]]:
    """Yield for each input its changes, the smallest first."""
    yield iter([{"sequences": room}] if room else [])
    yield iter([{"width": 1}] if inputs["width"] == "2" else [])
    for name in ("tensor", "pipeline", "context"):
        yield ({name: inputs[name] * factor} for factor in FACTORS)


def _named(name: str, value: int) -> str:
    if name == "sequences":
        return f"{_counted(value, 'sequence')} at once"
    return f"elements of {8 * value} bits" if name == "width" else spoken.change(name, value)


def _bars(name: str, title: str, rows: list[Any], inputs: Inputs, capacity: float) -> dict[str, Any]:
    return {
        "kind": "bars",
        "id": name,
        "title": title,
        "row": "choice",
        "x": {"label": "Memory", "symbol": "", "unit": "byte"},
        "parts": [{"name": "weights", "label": "weights"}, {"name": "cache", "label": "keys and values"}],
        "limit": {"label": "a device has", "value": capacity},
        "rows": [
            {"label": label, "now": sets[name] == inputs[name], "values": list(values), "sets": typed(sets)}
            for label, sets, values in rows
        ],
    }


def _tokens(inputs: Inputs) -> dict[str, Any]:
    rows = []
    for name in MODELS:
        model = named_model(name=name)
        one = cache_per_token(model=model, width=int(inputs["width"]))
        kept = "a latent" if model.latent else f"{model.kv_heads} heads of {model.head_width}"
        rows.append([{"text": name, "sets": {"model": name}}, kept, model.layers, one, one * inputs["tokens"]])
    return {
        "id": "tokens",
        "caption": "Cache by model",
        "columns": [{"label": "Model"}, {"label": "Kept of a layer"}, {"label": "Layers", "unit": "1"},
                    {"label": "Of a token", "unit": "byte"}, {"label": "Of a sequence", "unit": "byte"}],
        "rows": rows,
    }
