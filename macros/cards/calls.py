"""An example's call of the model: its function, its inputs in base units, and the value that it gives."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from numbers import Real

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import format_quantity, parse_quantity
from macros.cards.amounts import MICRO
from macros.model_calls import Function, Quantity, functions, public_functions
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


def made(name: str, inputs: Mapping[str, str | Decimal], field: str | None, at: Pointer) -> Call:
    """Return a call, made; `field` names what is meant of a record.

    Raises:
        Refused: the function, an input or the field is not there, or the model refuses an input
    """
    function = functions().get(name)
    if function is None:
        raise Refused(unknown_function(name, (*at, "call")))
    _expect_inputs(inputs, function, at)
    stated = _stated(function, field, at)
    given = {name: _given(value, function.argument(name), (*at, "inputs", name)) for name, value in inputs.items()}
    if wrong := [finding for finding in given.values() if isinstance(finding, Finding)]:
        raise Refused(*wrong)
    read = {name: value for name, value in given.items() if isinstance(value, Given)}
    try:
        result = function.callable(**{name: _number(value.value) for name, value in read.items()})
    except ModelError as error:
        place = (*at, "inputs", error.argument) if error.argument and error.argument in inputs else (*at, "call")
        raise Refused(Finding(at=place, message=error.message, hint=error.hint)) from None
    except ArithmeticError as error:
        found = f"expected inputs whose result is within a computer's numbers, found one that is not ({error})"
        raise Refused(Finding(at=(*at, "inputs"), message=found)) from None
    value = _value(getattr(result, field) if field else result, f"{function.name}{stated.shown}", at)
    text = f"{function.name}({', '.join(f'{name}={value.text}' for name, value in read.items())}){stated.shown}"
    return Call(function.name, text, tuple(read.values()), value, stated.unit)


def unknown_function(name: str, at: Pointer) -> Finding:
    """Return what is wrong with the name of a function that no card can call."""
    if name in public_functions():
        message = f"expected a function of labs.model that takes numbers with units, found {quoted(name)}"
        return Finding(at=at, message=message, hint="what it takes is on the page of the model")
    message = f"expected a function of labs.model, found {quoted(name)}"
    return Finding(at=at, message=message, hint=did_you_mean(name, tuple(functions())))


def _expect_inputs(inputs: Collection[str], function: Function, at: Pointer) -> None:
    names = [argument.name for argument in function.arguments]
    findings = [
        Finding(
            at=(*at, "inputs", name),
            on_key=True,
            message=f"expected an input of {function.name} ({listed(names)}), found {quoted(name)}",
            hint=did_you_mean(name, [known for known in names if known not in inputs]),
        )
        for name in inputs
        if name not in names
    ]
    meant = {nearest(name, names) for name in inputs if name not in names}
    missing = [name for name in names if name not in {*inputs, *function.optional, *meant}]
    if missing:
        needed = [name for name in names if name not in function.optional]
        findings.append(
            Finding(
                at=(*at, "inputs"),
                message=f"expected the inputs {listed(needed)} of {function.name}, found no {listed(missing)}",
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


@dataclass(frozen=True)
class _Stated:
    """What of a call is stated: itself, or a field of its record, and the base unit."""

    shown: str
    unit: str


def _stated(function: Function, field: str | None, at: Pointer) -> _Stated:
    """Return what is stated, before anything runs: a function that gives no number might run for hours."""
    place, described = (*at, "states", "field"), function.result
    if function.fields:
        names = [known.name for known in function.fields]
        if field is None:
            message = f"expected which of {listed(names)} is stated, as {function.name} gives a record, found none"
            raise Refused(Finding(at=place, message=message))
        described = next((known for known in function.fields if known.name == field), None)
        if described is None:
            message = f"expected one of {listed(names)}, found {quoted(field)}"
            raise Refused(Finding(at=place, message=message, hint=did_you_mean(field, names)))
    elif field is not None:
        message = f"expected no field, as {function.name} gives a number, found {quoted(field)}"
        raise Refused(Finding(at=place, message=message))
    shown = f".{field}" if field else ""
    if described is None or described.unit is None:
        raise _no_number(f"{function.name}{shown}", at)
    return _Stated(shown, described.unit)


def _value(result: object, what: str, at: Pointer) -> float:
    """Return the number that a call gave."""
    if isinstance(result, bool) or not isinstance(result, Real):
        raise _no_number(what, at)
    if not isfinite(value := float(result)):
        message = f"expected a call that gives a finite number, found that {what} gives {value}"
        raise Refused(Finding(at=(*at, "call"), message=message))
    return value


def _no_number(what: str, at: Pointer) -> Refused:
    message = f"expected a call that gives a number, found that {what} gives none here"
    return Refused(Finding(at=(*at, "call"), message=message))
