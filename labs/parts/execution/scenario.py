"""What the inputs describe: a model, a plan if there is one, and the machine that it would run on."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from labs.lab import Value
from labs.model.configs.fields import LONGEST
from labs.model.device_memory.conventions import CONVENTIONS, Convention
from labs.model.machines.machine import Machine
from labs.model.machines.named import named_machine
from labs.model.plans.plan import Plan
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Transformer
from labs.parts.execution.controls import DEGREES, SWITCHES
from labs.parts.execution.models import chosen_model
from labs.parts.execution.refusals import Refused, impossible, too_few_devices, unfilled, unplanned

LARGEST = 2**17  # of a degree, a microbatch and their number: a step's sequences then stay a whole number of a float


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The inputs as the model's own types.

    Attributes:
        model: the transformer
        plan: that is possible for it, or None
        machine: as large as the plan needs, even where there are fewer devices
        refused: why there is no plan, or too small a machine
        arguments: of the plan as asked, be it one or not
        convention: bytes of a parameter
        overlap: whether exchanges run behind compute where they may
        flash: whether attention's scores stay out of memory
        device: that is looked at
        asked: device that was asked for, perhaps one that is not there
        prompt: tokens, in serving
        served: sequences together
        selected: name of a tensor, or nothing
        own_length: whether the length of a sequence is the model's own, since none was asked for
        length_from: where it comes from, in words
    """

    model: Transformer
    plan: Plan | None
    machine: Machine
    refused: tuple[Refused, ...]
    arguments: Mapping[str, Any]
    convention: Convention
    overlap: bool
    flash: bool
    device: int
    asked: int
    prompt: int
    served: int
    selected: str
    own_length: bool
    length_from: str

    @property
    def devices(self) -> int:
        """Devices that are asked for."""
        return self._product("tensor", "context", "data", "pipeline")

    @property
    def sequences(self) -> int:
        """Sequences of one step."""
        return self._product("microbatch", "accumulation", "data")

    def _product(self, *names: str) -> int:
        return prod(self.arguments[name] for name in names)


def scenario(inputs: Mapping[str, Value]) -> Scenario:
    """Return what the inputs describe; what no single input is to blame for is a refusal in it, not an error."""
    arguments: dict[str, Any] = {name: count(name, inputs[name], at_most=LARGEST) for name in DEGREES}
    arguments |= {name: inputs[name] == "on" for name in SWITCHES}
    arguments |= {"zero": int(inputs["zero"]), "recompute": inputs["recompute"]}
    sequence = count("sequence", inputs["sequence"], at_least=0, at_most=LONGEST)
    model = chosen_model(name=str(inputs["model"]), config=str(inputs["config"]), sequence=sequence)
    plan, refused = _plan(arguments, model)
    there, unfit = _machine(str(inputs["machine"]), count("devices", inputs["devices"], at_least=0))
    refused += unfit
    if plan and plan.devices > there.devices:
        refused += (too_few_devices(plan, there),)
        there = _large_enough(there, plan.devices)
    asked = count("device", inputs["device"], at_least=0)
    return Scenario(
        model=model,
        plan=plan,
        machine=there,
        refused=refused,
        arguments=arguments,
        convention=CONVENTIONS[str(inputs["convention"])],
        overlap=inputs["overlap"] == "on",
        flash=inputs["flash"] == "on",
        device=min(asked, plan.devices - 1 if plan else 0),
        asked=asked,
        prompt=count("prompt", inputs["prompt"]),
        served=count("served", inputs["served"]),
        selected=str(inputs["selected"]).strip(),
        own_length=not sequence,
        length_from=_length_from(sequence, str(inputs["config"])),
    )


def _length_from(sequence: int, config: str) -> str:
    if sequence:
        return "the length that was asked for"
    return "the longest that the config allows" if config.strip() else "the model's own length"


def _plan(arguments: Mapping[str, Any], model: Transformer) -> tuple[Plan | None, tuple[Refused, ...]]:
    try:
        plan = Plan(**arguments)
    except ModelError as error:
        return None, (unplanned(error, arguments, model),)
    refused = impossible(model, plan)
    return (None if refused else plan), refused


def _machine(name: str, devices: int) -> tuple[Machine, tuple[Refused, ...]]:
    try:
        return named_machine(name=name, devices=devices or None), ()
    except ModelError as error:
        whole = named_machine(name=name)
        return _large_enough(whole, devices), (unfilled(error, _whole(whole, devices)),)


def _large_enough(machine: Machine, devices: int) -> Machine:
    """Return the machine of so many devices, or as many more as fill the level below the cluster."""
    return named_machine(name=machine.name, devices=_whole(named_machine(name=machine.name), devices))


def _whole(machine: Machine, devices: int) -> int:
    within = machine.levels[-2].devices
    return -(-devices // within) * within
