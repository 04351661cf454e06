"""Inputs at which a lab must give one frame wherever it runs: its defaults, its presets, the ends of its controls."""

import json
from collections.abc import Iterator, Sequence

from labs.answer import answer
from labs.catalog import LABS
from labs.lab import Choice, Control, Value


def ends(control: Control | Choice) -> Sequence[Value]:
    """Return the ends of a control's slider, or all that can be chosen."""
    return control.values if isinstance(control, Choice) else (control.stops[0], control.stops[-1])


def requests() -> Iterator[dict[str, object]]:
    """Yield a request for each case, in the page's own form."""
    number = 0
    for lab_id, module in LABS.items():
        defaults = module.LAB.defaults()
        cases = [defaults, *(defaults | dict(preset.inputs) for preset in module.LAB.presets)]
        for control in module.LAB.controls:
            cases += [defaults | {control.name: end} for end in ends(control)]
        for inputs in cases:
            number += 1
            given = {name: value if isinstance(value, str) else repr(value) for name, value in inputs.items()}
            yield {"id": number, "lab": lab_id, "inputs": given, "numbers": True}


def cases() -> list[dict[str, object]]:
    """Return each request with the reply that this Python gives."""
    return [{"request": request, "reply": json.loads(answer(json.dumps(request)) or "")} for request in requests()]
