"""The lab's numbers as a few lines of Python with the public functions of labs.model."""

from dataclasses import fields

from labs.model.plans.plan import Plan
from labs.model.transformers.named import MODELS, named_model
from labs.model.transformers.transformer import Transformer
from labs.parts.execution.scenario import Scenario

SHORT = 80  # characters of arguments that stand in one line
NAMES = (
    "Experts",
    "LatentAttention",
    "ModelError",
    "Plan",
    "Transformer",
    "convention",
    "memory",
    "named_machine",
    "named_model",
    "refusals",
    "shards",
    "step_time",
    "timed_crossings",
    "training_beside_serving",
)


def recipe(scene: Scenario) -> str:
    """Return Python that prints what crosses, the memory and the step of a plan, or why it is refused."""
    model = _model(scene.model)
    if scene.plan is None:
        return _refusal(scene, model)
    step = "model=model, plan=plan, machine=machine, convention=kept"
    step += f", overlap={scene.overlap}, flash={scene.flash}"
    body = (
        f"model = {model}\n"
        f"plan = {_call(scene.plan)}\n"
        f"machine = named_machine(name={scene.machine.name!r}, devices={scene.machine.devices})\n"
        f"kept = convention(name={scene.convention.name!r})\n"
        f"\nfor one in timed_crossings({step}):\n"
        "    crossing = one.crossing\n"
        "    print(crossing.name, crossing.operation, crossing.payload, crossing.times, one.time, one.hidden)\n"
        f"\nprint(step_time({step}))\n"
        "print(memory(\n"
        "    model=model, plan=plan, convention=kept,\n"
        f"    machine_memory=machine.memory, flash={scene.flash}, dropout=False,\n"
        "))\n"
        f"for shard in shards(model=model, plan=plan, device={scene.device}):\n"
        "    print(shard.tensor, shard.tile, shard.layers, shard.bytes, shard.holders)\n\n"
        "both = training_beside_serving(\n"
        f"    model=model, plan=plan, machine=machine, prompt={scene.prompt}, context={scene.prompt}, "
        f"sequences={scene.served},\n"
        ")\n"
        "print(both.training_share, both.decode_share)\n"
    )
    return _with_imports(body)


def _refusal(scene: Scenario, model: str) -> str:
    """Return Python that refuses as the lab does, with what was asked."""
    by_default = {one.name: one.default for one in fields(Plan)}
    asked = ", ".join(f"{name}={value!r}" for name, value in scene.arguments.items() if value != by_default[name])
    return _with_imports(
        f"model = {model}\n"
        "try:\n"
        f"    plan = Plan({asked})\n"
        "except ModelError as error:\n"
        "    print(error)\n"
        "else:\n"
        "    for reason in refusals(model=model, plan=plan):\n"
        "        print(reason)\n"
    )


def _with_imports(body: str) -> str:
    """Return the text with the import of the names that it calls."""
    used = [name for name in NAMES if f"{name}(" in body or f" {name} " in body]
    return f"from labs.model import (\n    {',\n    '.join(used)},\n)\n\n{body}"


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
    said = ", ".join(f"{name}={value!r}" for name, value in given)
    if len(said) <= SHORT:
        return f"{type(made).__name__}({said})"
    return f"{type(made).__name__}(\n{''.join(f'    {name}={value!r},\n' for name, value in given)})"
