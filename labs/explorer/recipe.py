"""The lab's numbers as a few lines of Python with the public functions of labs.model."""

from dataclasses import fields

from labs.explorer.scenario import Scenario
from labs.model.named import MODELS, named_model
from labs.model.plan import Plan
from labs.model.transformer import Transformer


def recipe(scene: Scenario) -> str:
    """Return Python that prints what crosses, the memory and the step of a plan, or why it is refused."""
    model = _model(scene.model)
    head = f"from labs.model import *\n\nmodel = {model}\n"
    if scene.plan is None:
        degrees = ", ".join(f"{name}={value}" for name, value in scene.degrees.items() if value != 1)
        return f"{head}plan = Plan({degrees})\nfor reason in refusals(model=model, plan=plan):\n    print(reason)\n"
    step = f"model=model, plan=plan, machine=machine, overlap={scene.overlap}, flash={scene.flash}"
    return (
        f"{head}plan = {_call(scene.plan)}\n"
        f"machine = named_machine(name={scene.machine.name!r}, devices={scene.machine.devices})\n"
        f"\nfor one in timed_crossings({step}):\n"
        "    crossing = one.crossing\n"
        "    print(crossing.name, crossing.operation, crossing.payload, crossing.times, one.time, one.hidden)\n"
        f"\nprint(step_time({step}))\n"
        "print(memory(\n"
        f"    model=model, plan=plan, convention=convention(name={scene.convention.name!r}),\n"
        f"    machine_memory=machine.memory, flash={scene.flash}, dropout=False,\n"
        "))\n"
        f"print(shards(model=model, plan=plan, device={scene.device}))\n"
        "both = training_beside_serving(\n"
        f"    model=model, plan=plan, machine=machine, prompt={scene.prompt}, context={scene.prompt}, "
        f"sequences={scene.served},\n"
        ")\n"
        "print(both.training_share, both.decode_share)\n"
    )


def _model(model: Transformer) -> str:
    if model.name in MODELS:
        named = named_model(name=model.name)
        if named == model:
            return f"named_model(name={model.name!r})"
        if named_model(name=model.name, sequence=model.sequence) == model:
            return f"named_model(name={model.name!r}, sequence={model.sequence})"
    return _call(model)


def _call(made: Transformer | Plan) -> str:
    """Return the call that makes a transformer or a plan, what is as by default left out."""
    given = [(one.name, getattr(made, one.name)) for one in fields(made) if getattr(made, one.name) != one.default]
    return f"{type(made).__name__}({', '.join(f'{name}={value!r}' for name, value in given)})"
