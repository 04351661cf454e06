"""One question from the page, one reply: JSON text in, JSON text out.

The page sends what a person typed; units are read and written here, in Python, and nowhere else.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from labs.catalog import LABS
from labs.cell import run, source
from labs.lab import Choice, Control, Frame, LabModule, TextControl, Value
from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity, parse_quantity
from labs.views.code import code_html
from labs.views.csv import csv_text
from labs.views.frame import frame_html, frame_summary, numbers_html

LONGEST_NAME = 200  # characters of a text of one row


class Refused(Exception):
    """An input that a lab can't take: which control, and the sentence for the person."""

    def __init__(self, control: str | None, message: str) -> None:
        super().__init__(message)
        self.control = control
        self.message = message


def answer(text: str, write: Callable[[str, str], object] | None = None) -> str | None:
    """Return the reply to one request, as the page understands it: a lab's frame, or what a reader's code came to.

    None says that the lab's code is not here yet (labs/supplement.py).

    Args:
        text: the request
        write: called with stream and text as a reader's code prints
    """
    request = json.loads(text)
    if "code" in request:
        return json.dumps(run(request, write or _nowhere))
    reply: dict[str, Any] = {"id": request.get("id"), "lab": request.get("lab")}
    try:
        module = _lab(request)
        values = read_inputs(module, request.get("inputs", {}))
        answered = answered_frame(module, values, numbers=bool(request.get("numbers")))
    except Refused as refused:
        return json.dumps(reply | {"ok": False, "control": refused.control, "message": refused.message})
    except ModuleNotFoundError:
        return None
    return json.dumps(reply | {"ok": True} | answered, allow_nan=False)


def answered_frame(module: LabModule, values: Mapping[str, Value], *, numbers: bool = False) -> dict[str, Any]:
    """Return a lab's answer to these inputs, as the build writes it into the page and Python sends it there.

    Args:
        module: the lab
        values: its inputs in base units
        numbers: whether the frame itself goes along, for other programs; the page shows only its HTML

    Raises:
        Refused: an input that the model can't take
    """
    frame = compute(module, values)
    lab = module.LAB
    return {
        "inputs": {
            **{text.name: {"value": None, "text": values[text.name]} for text in lab.texts},
            **{
                control.name: {"value": values[control.name], "text": shown_input(control, values[control.name])}
                for control in lab.controls
            },
        },
        **({"frame": frame} if numbers else {}),
        **({"limits": frame["limits"]} if "limits" in frame else {}),
        "html": frame_html(frame) + numbers_html(csv_text(lab, values, frame)) + code_html(source(module, values)),
        "summary": frame_summary(frame),
    }


def read_inputs(module: LabModule, given: Mapping[str, Any]) -> dict[str, Value]:
    """Return every control's value, quantities in base units; what is not given keeps its default."""
    values = module.LAB.defaults()
    for name in given:
        if name not in values:
            raise Refused(None, f"expected one of {', '.join(values)}, found {name}")
    for text in module.LAB.texts:
        if text.name in given:
            values[text.name] = _text(text, str(given[text.name]))
    for control in module.LAB.controls:
        if control.name in given:
            values[control.name] = _read(control, given[control.name])
    return values


def compute(module: LabModule, values: Mapping[str, Value]) -> Frame:
    """Return the lab's frame, or the model's own sentence against the control that it speaks of."""
    try:
        return module.frame(**values)
    except ModelError as error:
        raise Refused(error.argument if error.argument in values else None, str(error)) from error


def shown_input(control: Control | Choice, value: Value) -> str:
    """Return a value as the control's field shows it, exact enough to be read back."""
    if isinstance(control, Choice):
        return str(value)
    text = format_quantity(value, control.unit, digits=15)  # type: ignore[arg-type]
    plain = f"{value:.15g} {control.unit}"
    # 1000 s are 16.6666666666667 min; a count has no unit.
    return plain if control.unit != "1" and len(plain) < len(text) - 3 else text


def _lab(request: Mapping[str, Any]) -> LabModule:
    """Return the lab that is asked; the calculator comes with its equation, or has its own."""
    name = request.get("lab")
    if name == "engineering" and "equation" in request:
        from labs.engineering import calculator  # not in the memory that Python starts from

        try:
            return cast(LabModule, calculator(request["equation"]))
        except ModelError as error:
            raise Refused(None, str(error)) from error
    if not isinstance(name, str) or name not in LABS:
        raise Refused(None, f"expected one of the labs {', '.join(LABS)}, found {name}")
    return LABS[name]


def _text(control: TextControl, given: str) -> str:
    if control.rows == 1 and len(given) > LONGEST_NAME:
        raise Refused(control.name, f"expected at most {LONGEST_NAME} characters, found {len(given):,}")
    return given


def _read(control: Control | Choice, given: object) -> Value:
    if isinstance(control, Choice):
        if given not in control.values:
            raise Refused(control.name, f"expected one of {', '.join(control.values)}, found {given}")
        return str(given)
    try:
        value = parse_quantity(str(given), control.unit)
    except ModelError as error:
        raise Refused(control.name, str(error)) from error
    return int(value) if control.whole and value.is_integer() else value


def _nowhere(stream: str, text: str) -> None:
    """Take output that nobody asked to see."""
