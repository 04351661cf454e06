"""An example's call of the model: its function, its inputs in base units, and the value that it gives."""

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity, parse_quantity
from macros.cards.amounts import MICRO
from macros.cards.types import Example
from macros.model_calls import Function, Quantity, functions
from macros.names import did_you_mean, nearest
from macros.problem import Finding, Pointer, listed, quoted

LARGEST_COUNT = 2**53  # beyond, a float no longer holds every whole number


class Refused(Exception):
    """The call cannot be made; what is wrong with it."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


@dataclass(frozen=True)
class Given:
    """An input as the card writes it, and its value in the base unit."""

    text: str
    value: float
    unit: str


@dataclass(frozen=True)
class Call:
    """A call that was made: the text a reader sees, its inputs, the value in its base unit."""

    name: str
    text: str
    inputs: tuple[Given, ...]
    value: float
    unit: str

    def gives(self) -> str:
        """Return value and call in words."""
        return f"{format_quantity(self.value, self.unit)} from {self.text}"


def made(example: Example, at: Pointer) -> Call:
    """Return the call of an example, made.

    Raises:
        Refused: the function, an input or the stated field is not there, or the model refuses an input
    """
    function = functions().get(example.call)
    if function is None:
        message = f"expected a function of labs.model, found {quoted(example.call)}"
        raise Refused(Finding(at=(*at, "call"), message=message, hint=did_you_mean(example.call, tuple(functions()))))
    _expect_inputs(example, function, at)
    given = {
        name: _given(value, function.argument(name), (*at, "inputs", name)) for name, value in example.inputs.items()
    }
    if wrong := [finding for finding in given.values() if isinstance(finding, Finding)]:
        raise Refused(*wrong)
    inputs = {name: value for name, value in given.items() if isinstance(value, Given)}
    try:
        result = function.callable(**{name: _number(value.value) for name, value in inputs.items()})
    except ModelError as error:
        named = error.argument in example.inputs
        place = (*at, "inputs", error.argument) if named and error.argument else (*at, "call")
        raise Refused(Finding(at=place, message=error.message, hint=error.hint)) from None
    value, unit = _result(example, function, result, at)
    field = f".{example.states.field}" if example.states.field else ""
    text = f"{function.name}({', '.join(f'{name}={value.text}' for name, value in inputs.items())}){field}"
    return Call(function.name, text, tuple(inputs.values()), value, unit)


def _expect_inputs(example: Example, function: Function, at: Pointer) -> None:
    names = [argument.name for argument in function.arguments]
    findings = [
        Finding(
            at=(*at, "inputs", name),
            on_key=True,
            message=f"expected an input of {function.name} ({listed(names)}), found {quoted(name)}",
            hint=did_you_mean(name, [known for known in names if known not in example.inputs]),
        )
        for name in example.inputs
        if name not in names
    ]
    meant = {nearest(name, names) for name in example.inputs if name not in names}
    missing = [name for name in names if name not in {*example.inputs, *function.optional, *meant}]
    if missing:
        findings.append(
            Finding(
                at=(*at, "inputs"),
                message=f"expected the inputs {listed(names)} of {function.name}, found no {listed(missing)}",
            )
        )
    if findings:
        raise Refused(*findings)


def _given(value: str | Decimal, argument: Quantity | None, at: Pointer) -> Given | Finding:
    unit = argument.unit if argument and argument.unit else "1"
    if isinstance(value, Decimal):
        text = (
            f"{value:f}"
            if unit == "1" and abs(value.adjusted()) < 12
            else format_quantity(float(value), unit, digits=12)
        )
        return Given(text, float(value), unit)
    try:
        number = parse_quantity(value, unit)
    except ModelError as error:
        return Finding(at=at, message=error.message, hint=error.hint)
    bare = unit != "1" and not any(mark.isalpha() and mark not in "eE" for mark in value)
    return Given(format_quantity(number, unit, digits=12) if bare else value.translate(MICRO), number, unit)


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < LARGEST_COUNT else value


def _result(example: Example, function: Function, result: Any, at: Pointer) -> tuple[float, str]:
    """Return the number that the example states, and its base unit."""
    name, place = example.states.field, (*at, "states", "field")
    described = function.result
    if function.fields:
        names = [field.name for field in function.fields]
        if name is None:
            message = f"expected which of {listed(names)} is stated, as {function.name} gives a record, found none"
            raise Refused(Finding(at=place, message=message))
        described = next((field for field in function.fields if field.name == name), None)
        if described is None:
            message = f"expected one of {listed(names)}, found {quoted(name)}"
            raise Refused(Finding(at=place, message=message, hint=did_you_mean(name, names)))
        result = getattr(result, name)
    elif name is not None:
        raise Refused(
            Finding(at=place, message=f"expected no field, as {function.name} gives a number, found {quoted(name)}")
        )
    if described is None or described.unit is None or isinstance(result, bool) or not isinstance(result, Real):
        what = f"{function.name}.{name}" if name else function.name
        raise Refused(
            Finding(at=(*at, "call"), message=f"expected a call that gives a number, found that {what} gives none here")
        )
    return float(result), described.unit
