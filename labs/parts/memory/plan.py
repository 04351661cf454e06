"""The plan that the memory lab's inputs describe, and what makes an impossible one possible."""

from collections.abc import Iterator, Mapping
from typing import Any

from labs.model.machines.named import named_machine
from labs.model.plans.feasibility import reasons
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.quantities.units import format_quantity
from labs.model.transformers.transformer import Transformer
from labs.parts.execution import spoken

Inputs = Mapping[str, Any]

DEGREES = ("tensor", "context", "data", "pipeline", "expert")
COUNTS = (*DEGREES, "microbatch", "accumulation", "interleave")
# What the explorer of a step takes by the same names.
SHARED = ("model", "machine", *COUNTS, "sequence_parallel", "zero", "recompute", "convention", "flash")


def plan_of(inputs: Inputs, model: Transformer) -> tuple[Plan | None, tuple[str, ...]]:
    """Return the plan, or none and why. Layers that stages do not share evenly make stages that differ by one.

    Raises:
        ModelError: a count below one, which is the matter of one input
    """
    counts = {name: count(name, inputs[name]) for name in COUNTS}
    try:
        plan = Plan(
            tensor=counts["tensor"],
            context=counts["context"],
            data=counts["data"],
            pipeline=counts["pipeline"],
            expert=counts["expert"],
            microbatch=counts["microbatch"],
            accumulation=counts["accumulation"],
            interleave=counts["interleave"],
            zero=int(inputs["zero"]),
            sequence_parallel=inputs["sequence_parallel"] == "on",
            recompute=inputs["recompute"],
            uneven=_uneven(inputs, model),
        )
    except ModelError as error:
        return None, (_sentence(error.message),)
    refused = tuple(_sentence(found.message) for found in reasons(model=model, plan=plan))
    return (None, refused) if refused else (plan, ())


def _sentence(message: str) -> str:
    said = spoken.reason(message)
    return f"{said[:1].upper()}{said[1:]}."


def mends(inputs: Inputs, model: Transformer) -> list[dict[str, Any]]:
    """Return the smallest change of each input that alone makes the plan possible; if there is none, all of them."""
    found = []
    for name in ("tensor", "context", "pipeline", "interleave", "expert", "accumulation"):
        for value in _others(name, inputs):
            if plan_of({**inputs, name: value}, model)[0]:
                found.append({"text": f"Take {spoken.change(name, value)}", "sets": {name: str(value)}})
                break
    whole = dict.fromkeys(("tensor", "context", "pipeline", "interleave", "expert"), "1")
    return found or [{"text": "Split over data ranks alone", "sets": whole}]


def _others(name: str, inputs: Inputs) -> Iterator[int]:
    """Yield values of an input, the nearest below first; a step of more microbatches comes before one of fewer."""
    now = inputs[name]
    if name == "accumulation":
        yield -(-now // inputs["pipeline"]) * inputs["pipeline"]
    yield from range(now - 1, max(0, now - 17), -1)
    while now > 1:
        now //= 2
        yield now


def offer(sets: Mapping[str, Any], named: str, plan: Plan, needed: float) -> dict[str, Any]:
    """Return a change that makes it fit: with what, on how many devices if it splits otherwise, and what it needs.

    Args:
        sets: inputs and their values
        named: these in words
        plan: the one that they make
        needed: by its fullest device [byte]
    """
    split = any(name in DEGREES for name in sets)
    on = f", on {plan.devices:,} {'device' if plan.devices == 1 else 'devices'}" if split else ""
    said = f"It fits with {named}{on}, and needs {format_quantity(needed, 'byte', 3)}."
    return {"says": said, "text": f"Take {named}", "sets": typed(sets)}


def plan_text(inputs: Inputs, model: Transformer) -> str:
    """Return the plan as Python text, what is as by default left out."""
    given = {name: inputs[name] for name in COUNTS if inputs[name] != 1}
    given |= {"zero": int(inputs["zero"])} if inputs["zero"] != "0" else {}
    given |= {"sequence_parallel": True} if inputs["sequence_parallel"] == "on" else {}
    given |= {"recompute": inputs["recompute"]} if inputs["recompute"] != "none" else {}
    given |= {"uneven": True} if _uneven(inputs, model) else {}
    return f"Plan({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def explorer(inputs: Inputs, model: Transformer, devices: int) -> dict[str, str]:
    """Return what the explorer of a step takes to show the same plan, on more devices than are there if it must."""
    given = {name: inputs[name] for name in SHARED} | {"uneven": "on" if _uneven(inputs, model) else "off"}
    if devices > named_machine(name=inputs["machine"]).devices:
        given["devices"] = devices
    return typed(given)


def _uneven(inputs: Inputs, model: Transformer) -> bool:
    return bool(inputs["interleave"] == 1 and model.layers % inputs["pipeline"])


def typed(sets: Mapping[str, Any]) -> dict[str, str]:
    """Return inputs as a person types them."""
    return {name: str(value) for name, value in sets.items()}
