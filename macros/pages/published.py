"""Published training runs beside what the model says of them."""

from labs.model.quantities.units import format_quantity
from labs.model.steps.compute import EFFICIENCY
from labs.model.steps.published import KORTHIKANTI, MEGATRON, PUBLISHED_RUNS, Prediction, predicted
from macros.pages.prepared import Prepared
from macros.pages.template import render

NBSP = "\N{NO-BREAK SPACE}"
PARTS = {
    "arithmetic": "Arithmetic",
    "traffic": "Memory traffic",
    "tensor": "Tensor exchanges",
    "bubble": "Bubble and sends",
    "data": "Gradients",
}
SECTIONS = {"runs": "Every run", "parts": "What the time is made of", "limits": "Where the model is wrong"}


def published_page() -> Prepared:
    """Return the table of runs, each with its error, and what is said of all of them."""
    predictions = [predicted(run=run) for run in PUBLISHED_RUNS]
    errors = [abs(prediction.error) for prediction in predictions]
    html = render(
        "published.html.jinja",
        sections=SECTIONS,
        efficiency=_percent(EFFICIENCY),
        mean=_percent(sum(errors) / len(errors)),
        worst=_shown(max(predictions, key=lambda prediction: abs(prediction.error))),
        near=sum(error <= 0.05 for error in errors),
        runs=[_shown(prediction) for prediction in predictions],
        titles=list(PARTS.values()),
        sources={"a": MEGATRON, "b": KORTHIKANTI},
    )
    return Prepared(html, tuple(SECTIONS.items()))


def _shown(prediction: Prediction) -> dict[str, object]:
    run, step = prediction.run, prediction.step
    plan = run.plan
    return {
        "name": run.name,
        "paper": "a" if run.source == MEGATRON else "b",
        "devices": plan.devices,
        "split": f"{plan.tensor} × {plan.pipeline} × {plan.data}",
        "published": format_quantity(run.time, "s", 4),
        "predicted": format_quantity(step.time, "s", 4),
        "error": f"{prediction.error:+.1%}".replace("-", "−").replace("%", NBSP + "%"),
        "shares": [_percent(getattr(step, part) / step.time) for part in PARTS],
    }


def _percent(share: float) -> str:
    return (f"{share:.0%}" if share >= 0.1 else f"{share:.1%}").replace("%", NBSP + "%")
