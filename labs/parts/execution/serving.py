"""The same plan in training, in prefill and in decode."""

from typing import Any

from labs.model.plans.plan import Plan
from labs.model.serving.exchanges import Exchange
from labs.model.serving.passes import Pass
from labs.model.serving.service import TrainingBesideServing, training_beside_serving
from labs.parts.execution.scenario import Scenario

Table = dict[str, Any]
GROUPS = ("tensor", "context", "expert", "pipeline")


def both(scene: Scenario, plan: Plan) -> TrainingBesideServing:
    """Return a plan in training beside itself in serving."""
    return training_beside_serving(
        model=scene.model,
        plan=plan,
        machine=scene.machine,
        prompt=scene.prompt,
        context=scene.prompt,
        sequences=scene.served,
    )


def passes_table(found: TrainingBesideServing, scene: Scenario, plan: Plan) -> Table:
    """Return for each pass what takes its time."""
    group = "sequence" if scene.served == 1 else "sequences"
    together = min(plan.pipeline, scene.served)
    at_once = f" in {together:,} groups" if together > 1 else ""
    rows = [
        _pass_row("a microbatch of training", found.training),
        _pass_row(f"prefill of {scene.prompt:,} tokens", found.serving.prefill),
        _pass_row(f"decode, {scene.served:,} {group}{at_once}", found.serving.decode),
    ]
    return {
        "id": "passes",
        "caption": "The same plan in training and in serving, on one stage; tokens attend to earlier ones only",
        "columns": [
            {"label": "Pass"},
            {"label": "Tokens on a device", "unit": "1"},
            {"label": "Arithmetic at peak", "unit": "s"},
            {"label": "Reading memory", "unit": "s"},
            {"label": "Exchanges", "unit": "s"},
            {"label": "Their share", "unit": "%"},
            {"label": "All stages", "unit": "s"},
        ],
        "rows": rows,
    }


def _pass_row(name: str, one: Pass) -> list[Any]:
    share = one.communication / one.stage_time
    return [name, one.tokens, one.compute, one.reading, one.communication, share, one.time]


def exchanges_table(found: TrainingBesideServing, plan: Plan) -> Table:
    """Return each kind of exchange in the three passes: size of one, how often, and time.

    A kind of several sizes has a row for each, told apart by the bytes of a token.
    """
    on_the_mean = " of one stage, on the mean of all" if plan.pipeline > 1 else ""
    columns = [{"label": "Exchange"}]
    for name in ("training", "prefill", "decode"):
        columns += [
            {"label": f"Each, {name}", "unit": "byte"},
            {"label": f"Times, {name}", "unit": "1"},
            {"label": f"Time, {name}", "unit": "s"},
        ]
    passes = [
        {(one.group, one.kind, round(one.payload / each.tokens)): one for one in each.exchanges}
        for each in (found.training, found.serving.prefill, found.serving.decode)
    ]
    rows = []
    for key in sorted(dict.fromkeys(key for each in passes for key in each), key=lambda key: GROUPS.index(key[0])):
        cells = [cell for each in passes for cell in _cells(each.get(key))]
        rows.append([f"{key[0]}: {key[1]}", *cells])
    return {
        "id": "exchanges",
        "caption": f"Its exchanges in one pass{on_the_mean}, embedding and head left out",
        "columns": columns,
        "rows": rows,
    }


def _cells(one: Exchange | None) -> tuple[Any, Any, Any]:
    return (one.payload, one.times, one.time) if one else (None, None, None)
