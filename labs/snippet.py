"""A call of the model as Python text, for a reader to run and to change."""

from collections.abc import Iterable, Mapping

from labs.lab import Choice, Control, TextControl, Value
from labs.model.quantities.units import format_quantity

LONGEST_TEXT = 20_000  # characters; what is longer is cut, or every frame would carry a file
POWERS = (18, 15, 12, 9, 6, 3, -3, -6, -9, -12)


def call(function: str, controls: Iterable[Control | Choice | TextControl], inputs: Mapping[str, Value]) -> str:
    """Return the call with one argument a line: the value in base units, and beside it the quantity as people write it.

    Args:
        function: its name
        controls: the lab's controls, whose names are those of the arguments
        inputs: control's name -> value in base units
    """
    arguments = ((control.name, literal(inputs[control.name]), _about(control, inputs)) for control in controls)
    lines = (f"    {name}={value},  # {about}\n" for name, value, about in arguments)
    return f"{function}(\n{''.join(lines)})"


def _about(control: Control | Choice | TextControl, inputs: Mapping[str, Value]) -> str:
    if not isinstance(control, Control):
        about, length = control.note or control.label.lower(), len(str(inputs[control.name]))
        return f"{about}; cut: {length:,} characters" if length > LONGEST_TEXT else about
    if control.unit == "1":
        return f"{control.symbol}: {control.note or control.label.lower()}"
    note = f", {control.note}" if control.note else ""
    quantity = format_quantity(float(inputs[control.name]), control.unit, digits=15)
    return f"{control.symbol} [{control.unit}]: {quantity}{note}"


def literal(value: Value) -> str:
    """Return a value as Python text that reads back as the same, a number in steps of a thousand where that is shorter.

    >>> literal(5e10), literal(5e-06), literal(67108864.0), literal(0.25), literal(8)
    ('50e9', '5e-6', '67108864.0', '0.25', '8')
    """
    if isinstance(value, str):
        return repr(value[:LONGEST_TEXT])
    exact = repr(value).replace("e-0", "e-").replace("e+", "e")
    if isinstance(value, int):
        return exact
    shorter = (f"{value / 10.0**power:.15g}e{power}" for power in POWERS if 1 <= abs(value) / 10.0**power < 1000)
    return min((text for text in (exact, *shorter) if float(text) == value), key=len)
