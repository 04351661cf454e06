"""The plans lab's chart, its refused plans, and its words."""

from typing import Any

from labs.model.plans.plan import Plan
from labs.model.steps.search import Refused, Search
from labs.model.steps.step import Step
from labs.parts.execution import spoken

BARS = 8
PARTS: tuple[tuple[str, str, str | None], ...] = (
    ("arithmetic", "arithmetic", None),
    ("traffic", "traffic of memory", None),
    ("tensor", "tensor exchanges", "tensor"),
    ("context", "context exchanges", "sequence"),
    ("expert", "expert exchanges", "expert"),
    ("bubble", "bubble and sends", "pipeline"),
    ("data", "gradients and weights", "data"),
)


def plan_name(plan: Plan) -> str:
    """Return a plan's degrees in short, those of one left out, and whether its stages are uneven."""
    degrees = (("t", plan.tensor), ("c", plan.context), ("p", plan.pipeline), ("e", plan.expert), ("d", plan.data))
    name = " ".join(f"{letter}{degree}" for letter, degree in degrees if degree > 1) or "one device"
    return f"{name}, uneven" if plan.uneven else name


def _chunks(plan: Plan) -> str:
    return f", v = {plan.interleave}" if plan.interleave > 1 else ""


def sentence_of_parts(step: Step) -> str:
    """Return what a step is limited by: its largest parts, and what is the largest that is no arithmetic."""
    shares = {label: getattr(step, name) / step.time for name, label, _ in PARTS}
    arithmetic = shares.pop("arithmetic")
    label, most = max(shares.items(), key=lambda item: item[1])
    first = f"{100 * arithmetic:.3g} % of its time is arithmetic"
    if most < 0.005:
        return f"{first}: nothing else limits it."
    return f"{first}; what else limits it most is {label}, {100 * most:.3g} %."


def bars_of_steps(search: Search) -> dict[str, Any]:
    """Return the steps of the fastest plans, part by part; parts that none of them has are left out."""
    best = search.feasible[:BARS]
    parts = [part for part in PARTS if any(getattr(each.step, part[0]) > 0 for each in best)]
    return {
        "kind": "bars",
        "id": "steps",
        "title": f"What a step of the {len(best)} fastest is made of",
        "row": "plan",
        "x": {"label": "Time", "symbol": "T", "unit": "s"},
        "parts": [{"name": name, "label": label, "kind": kind} for name, label, kind in parts],
        "rows": [
            {
                "label": f"{i}. {plan_name(each.plan)}, b = {each.plan.microbatch}"
                f"{_chunks(each.plan)}, ZeRO {each.plan.zero}",
                "now": i == 1,
                "values": [getattr(each.step, name) for name, _, _ in parts],
            }
            for i, each in enumerate(best, start=1)
        ],
    }


def refused_table(search: Search) -> dict[str, Any]:
    """Return the reasons why plans were refused, the most frequent first, each with an example."""
    groups: dict[str, list[Refused]] = {}
    for refused in search.refused:
        groups.setdefault(_kind(_said(refused)), []).append(refused)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return {
        "id": "refused",
        "caption": f"Why {len(search.refused):,} plans were refused",
        "folded": True,
        "columns": [{"label": "Reason"}, {"label": "Plans", "unit": "1"}, {"label": "Such as"}, {"label": "There"}],
        "rows": [[kind, len(all_of), plan_name(all_of[0].plan), _said(all_of[0])] for kind, all_of in ordered],
    }


def _said(refused: Refused) -> str:
    """Return why a plan was refused, without a remedy: this lab has no control for it."""
    return spoken.reason(refused.reason.partition(" (take ")[0])


def _kind(reason: str) -> str:
    """Return a reason without its numbers: what was expected, up to what was found."""
    return reason.partition(", found")[0].partition(" = ")[0]
