"""A calculator's definition as data: the equation's sides, its symbols with unit and default, its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.units import KINDS
from labs.parts.engineering.equation import PLAIN, Tree, dimension, from_json, is_zero, names_in, said, to_json
from labs.parts.engineering.infix import text

MOST_SYMBOLS, LONGEST = 16, 2_000
# Numbers of these may be negative; all other units of plain numbers count something, such as parameters.
SIGNED = frozenset({"1", "none", "dimensionless", "number", "ratio", "fraction", "share"})
SOLVE_FOR = "solve_for"  # the name of a control that no symbol may have


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One symbol: its name as an input, how it is shown, what it means."""

    name: str
    symbol: str
    meaning: str
    unit: str  # base unit
    written: str  # the unit as the card writes it, such as byte/parameter
    default: float

    @property
    def counts(self) -> bool:
        """Return whether it counts things, so that only whole numbers exist."""
        return self.written == "count"

    @property
    def may_be_negative(self) -> bool:
        """Return whether a value below zero can be meant: sizes and counts have none."""
        return self.unit == "1" and self.written in SIGNED

    def why_not(self, value: float) -> str | None:
        """Return why it can't have a value, or None where it can."""
        if self.counts and (value < 1 or not value.is_integer()):
            return "it is a count, so a whole number from 1 on"
        if value >= 0 or self.may_be_negative:
            return None
        return f"{KINDS[self.unit].phrase if self.unit != '1' else f'a number of {self.written}'} is not negative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """An equation that can be computed."""

    title: str
    sides: tuple[Tree, ...]
    symbols: tuple[Symbol, ...]
    solve_for: str
    approximate: bool = False
    assumptions: str = ""

    @property
    def shown(self) -> dict[str, str]:
        """Return how each symbol is shown, by its name."""
        return {symbol.name: symbol.symbol for symbol in self.symbols}

    @property
    def equation(self) -> str:
        """Return the equation as text."""
        first, *others = (text(side, self.shown) for side in self.sides)
        return " = ".join((f"{first} ≈ {others[0]}", *others[1:]) if self.approximate else (first, *others))

    def kind(self) -> str:
        """Return what all sides are, in words.

        Raises:
            ModelError: they are not all of one dimension
        """
        units = {symbol.name: symbol.unit for symbol in self.symbols}
        first, *others = [dimension(side, units) for side in self.sides if not is_zero(side)] or [PLAIN]
        for other in others:
            if other != first:
                raise ModelError(f"expected sides of one kind, found {said(first)} and {said(other)}")
        return said(first) if first != PLAIN else "plain numbers"


def read_definition(data: object) -> Definition:
    """Return the definition that JSON data hold.

    Raises:
        ModelError: it is none, in a sentence
    """
    given = _record(data, "an equation", {"title", "sides", "symbols", "solve_for", "approximate", "assumptions"})
    sides = tuple(map(from_json, _items(given["sides"], "sides", 2, 4)))
    symbols = tuple(map(_symbol, _items(given["symbols"], "symbols", 1, MOST_SYMBOLS)))
    names = [symbol.name for symbol in symbols]
    if len(set(names)) < len(names):
        raise ModelError(f"expected symbols of different names, found {', '.join(names)}")
    used = frozenset().union(*map(names_in, sides))
    if used != set(names):
        raise ModelError(f"expected the symbols {', '.join(sorted(used))} of the equation, found {', '.join(names)}")
    if given["solve_for"] not in names:
        raise ModelError(f"expected one of {', '.join(names)} to solve for, found {shown(given['solve_for'])}")
    if not isinstance(given["approximate"], bool):
        raise ModelError(f"expected true or false for approximate, found {shown(given['approximate'])}")
    definition = Definition(
        title=_line(given["title"], "title"),
        sides=sides,
        symbols=symbols,
        solve_for=str(given["solve_for"]),
        approximate=given["approximate"],
        assumptions=_line(given["assumptions"], "assumptions"),
    )
    definition.kind()
    return definition


def write_definition(definition: Definition) -> dict[str, Any]:
    """Return a definition as JSON data."""
    return {
        "title": definition.title,
        "sides": [to_json(side) for side in definition.sides],
        "symbols": [{key: getattr(symbol, key) for key in Symbol.__slots__} for symbol in definition.symbols],
        "solve_for": definition.solve_for,
        "approximate": definition.approximate,
        "assumptions": definition.assumptions,
    }


def _symbol(data: object) -> Symbol:
    given = _record(data, "a symbol", set(Symbol.__slots__))
    name, unit, default = given["name"], given["unit"], given["default"]
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()) or name == SOLVE_FOR or len(name) > 40:
        raise ModelError(f"expected a symbol's name of letters, digits and _, found {shown(name)}")
    if not isinstance(unit, str) or unit not in KINDS:
        raise ModelError(f"expected a base unit of {name}: {', '.join(KINDS)}, found {shown(unit)}")
    if isinstance(default, bool) or not isinstance(default, (int, float)) or not abs(default) < 1e300:
        raise ModelError(f"expected a number as the default of {name}, found {shown(default)}")
    words = {key: _line(given[key], key) for key in ("symbol", "meaning", "written")}
    return Symbol(name=name, unit=unit, default=float(default), **words)


def _record(data: object, what: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or set(data) != keys:
        raise ModelError(f"expected {what} with the keys {', '.join(sorted(keys))}, found another value")
    return data


def _items(data: object, what: str, least: int, most: int) -> list[Any]:
    if not isinstance(data, list) or not least <= len(data) <= most:
        raise ModelError(f"expected a list of {least} to {most} {what}, found another value")
    return data


def _line(data: object, what: str) -> str:
    """Return a text of one line: it may stand in a comment of the code that the page shows."""
    if not isinstance(data, str) or len(data) > LONGEST or not data.isprintable():
        raise ModelError(f"expected a text of one line as {what}, found another value")
    return data
