"""The model's functions as their docstrings describe them: what each takes and gives, in which unit.

The unit in square brackets is read by machine: it is the base unit that a card's inputs are turned into.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import dedent
from types import MappingProxyType
from typing import Any, get_type_hints

import labs.model
from labs.model.quantities.units import UNITS

SECTIONS = ("Args", "Returns", "Raises", "Source", "Attributes")
ENTRY = re.compile(r"(?:(?P<name>\w+): )?(?P<meaning>.*?)(?: \[(?P<unit>[^\[\]]+)\])?", re.DOTALL)
SYMBOL = re.compile(r"(?P<meaning>.+), (?P<symbol>\S{1,8})", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """An argument or a result: its name and meaning, with symbol and base unit where they are written."""

    name: str
    meaning: str
    symbol: str | None
    unit: str | None


@dataclass(frozen=True, kw_only=True)
class Function:
    """A function of the model and the parts of its docstring. `fields` are the attributes of a record it returns."""

    name: str
    callable: Callable[..., Any]
    summary: str
    body: tuple[str, ...]
    arguments: tuple[Quantity, ...]
    optional: frozenset[str]
    result: Quantity | None
    fields: tuple[Quantity, ...]
    raises: str | None
    source: str | None
    example: str | None

    def argument(self, name: str) -> Quantity | None:
        """Return the argument of this name."""
        return next((argument for argument in self.arguments if argument.name == name), None)


@cache
def public_functions() -> Mapping[str, Function]:
    """Return name -> function for the public functions of labs.model."""
    public = ((name, getattr(labs.model, name)) for name in labs.model.__all__)
    return MappingProxyType({name: describe(value) for name, value in public if inspect.isfunction(value)})


@cache
def functions() -> Mapping[str, Function]:
    """Return name -> function for those that take named quantities with units: what a card can call."""
    return MappingProxyType(
        {
            name: function
            for name, function in public_functions().items()
            if _all_named(function.callable) and all(argument.unit for argument in function.arguments)
        }
    )


def describe(function: Callable[..., Any]) -> Function:
    """Return a function with its docstring taken apart."""
    sections = _sections(inspect.getdoc(function) or "")
    summary, *body = sections[""] or ("",)
    parameters = inspect.signature(function).parameters.values()
    results = _entries(sections.get("Returns", ()))
    returned = get_type_hints(function).get("return")
    record = inspect.getdoc(returned) if inspect.isclass(returned) and returned.__module__.startswith("labs.") else None
    return Function(
        name=function.__name__,
        callable=function,
        summary=summary,
        body=tuple(body),
        arguments=_entries(sections.get("Args", ())),
        optional=frozenset(parameter.name for parameter in parameters if parameter.default is not parameter.empty),
        result=results[0] if results else None,
        fields=_entries(_sections(record).get("Attributes", ())) if record else (),
        raises=" ".join(sections.get("Raises", ())) or None,
        source=" ".join(sections.get("Source", ())) or None,
        example="\n".join(sections.get(">>>", ())) or None,
    )


def unit_or_none(unit: str) -> str | None:
    """Return the base unit of a unit that the model's table knows, or None."""
    return UNITS[unit].base if unit in UNITS else None


def _all_named(function: Callable[..., Any]) -> bool:
    return all(
        parameter.kind is parameter.KEYWORD_ONLY for parameter in inspect.signature(function).parameters.values()
    )


def _sections(doc: str) -> dict[str, tuple[str, ...]]:
    """Return the docstring's paragraphs by section: "" is what stands first, ">>>" the examples."""
    found: dict[str, list[str]] = {"": []}
    for paragraph in re.split(r"\n[ ]*\n", doc.strip()):
        head, _, rest = paragraph.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            found.setdefault(head[:-1], []).extend(_unwrapped(dedent(rest)))
        elif paragraph.lstrip().startswith(">>>"):
            found.setdefault(">>>", []).append(paragraph)
        else:
            found[""].append(paragraph)
    return {name: tuple(paragraphs) for name, paragraphs in found.items()}


def _unwrapped(block: str) -> list[str]:
    """Return the entries of a section; a line that is indented goes on with the entry above."""
    return re.sub(r"\n +", " ", block).split("\n") if block else []


def _entries(lines: tuple[str, ...]) -> tuple[Quantity, ...]:
    found = []
    for line in lines:
        entry = ENTRY.fullmatch(line)
        if entry:
            parts = SYMBOL.fullmatch(entry["meaning"]) if entry["unit"] else None
            found.append(
                Quantity(
                    name=entry["name"] or "",
                    meaning=entry["meaning"],
                    symbol=parts["symbol"] if parts else None,
                    unit=entry["unit"],
                )
            )
    return tuple(found)
