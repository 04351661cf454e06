"""The calculator of an equation: any one symbol from the others, and what each input does to it.

The equation comes as data (labs/parts/engineering/definition.py), one for each equation of a card; on its own the lab
holds the ring's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log2
from typing import Any

from labs.lab import Choice, Control, Frame, Lab, decades, doublings
from labs.model.quantities.errors import ModelError
from labs.parts.engineering.asked import Asked, label_of, lower
from labs.parts.engineering.calculation import calculation
from labs.parts.engineering.definition import SOLVE_FOR, Definition, Symbol, read_definition
from labs.parts.engineering.effects import curve, table, tried
from labs.parts.engineering.equation import dimension, evaluate, is_zero, unit_of
from labs.parts.engineering.infix import text
from labs.parts.engineering.remarks import impossible, remarks
from labs.parts.engineering.solution import Solution

REACH = 1e3  # how far a slider goes to both sides of its default
RING: Mapping[str, Any] = {
    "title": "Ideal ring all-reduce",
    "sides": ["T", ["*", 2, ["-", "p", 1], ["+", "alpha", ["/", "M", ["*", "p", "B"]]]]],
    "symbols": [
        {"name": "T", "symbol": "T", "meaning": "Time until every rank holds the sum", "unit": "s", "written": "s",
         "default": 0.019685},
        {"name": "p", "symbol": "p", "meaning": "Ranks in the ring", "unit": "1", "written": "count", "default": 32},
        {"name": "alpha", "symbol": "α", "meaning": "Startup time of one step", "unit": "s", "written": "s",
         "default": 5e-6},
        {"name": "M", "symbol": "M", "meaning": "Payload, the buffer on each rank", "unit": "byte", "written": "byte",
         "default": 1e9},
        {"name": "B", "symbol": "B", "meaning": "Effective bandwidth of a link in one direction", "unit": "byte/s",
         "written": "byte/s", "default": 1e11},
    ],
    "solve_for": "T",
    "approximate": False,
    "assumptions": "All links alike and used at once; equal chunks; one startup for every step; no contention.",
}


@dataclass(frozen=True)
class Calculator:
    """A lab of one equation: what a lab's module is to the others."""

    definition: Definition
    LAB: Lab

    def frame(self, **inputs: Any) -> Frame:
        """Return the symbol that is solved for, what each input does to it, and on what the equation rests."""
        asked = self._asked(inputs)
        try:
            solution = asked.solution({})
        except ModelError as refusal:
            return _unsolved(asked, refusal)
        changes = tried(asked)
        return {
            "unread": [asked.name],
            "verdict": [*impossible(asked), *remarks(asked, solution)],
            "metrics": [_metric(asked, solution.value), *_sides(asked, solution.value)],
            "series": curve(asked, solution.value, changes),
            "tables": [table(asked, solution.value, changes)],
            "notes": _notes(asked, solution),
        }

    def code(self, **inputs: Any) -> str:
        """Return the Python text that computes the symbol, or that tries the value which was found."""
        asked = self._asked(inputs)
        try:
            solution = asked.solution({})
        except ModelError:
            solution = None
        return calculation(asked, solution)

    def _asked(self, inputs: Mapping[str, Any]) -> Asked:
        numbers = {symbol.name: float(inputs[symbol.name]) for symbol in self.definition.symbols}
        return Asked(self.definition, str(inputs[SOLVE_FOR]), numbers)


def calculator(definition: Mapping[str, Any]) -> Calculator:
    """Return the lab of an equation.

    Raises:
        ModelError: the definition is none, in a sentence
    """
    read = read_definition(definition)
    options = tuple((symbol.name, f"{symbol.symbol}, {lower(label_of(symbol, read))}") for symbol in read.symbols)
    choice = Choice(name=SOLVE_FOR, label="Solve for", options=options, default=read.solve_for,
                    note="its own field is then not read")
    return Calculator(read, Lab(
        id="engineering",
        title=read.title,
        scope=read.assumptions,
        controls=(choice, *(_control(symbol, label_of(symbol, read)) for symbol in read.symbols)),
    ))


def _control(symbol: Symbol, label: str) -> Control:
    default = symbol.default
    if symbol.unit == "1" and default >= 1 and default.is_integer():
        around: tuple[float, ...] = doublings(1, max(4096, 2 ** floor(log2(default) + 10)))
    elif default > 0:
        around = decades(default / REACH, default * REACH)
    else:
        around = ()
    said = [symbol.meaning] if label != symbol.meaning else []
    said += [f"in {symbol.written}"] if symbol.written not in (symbol.unit, "count") else []
    return Control(name=symbol.name, label=label, symbol=symbol.symbol, unit=symbol.unit, default=default,
                   stops=tuple(sorted({float(stop) for stop in (*around, default)})), note=", ".join(said))


def _metric(asked: Asked, value: float | None) -> dict[str, object]:
    one = asked.symbol
    return {"name": one.name, "label": asked.label(one), "symbol": one.symbol, "value": value, "unit": one.unit}


def _sides(asked: Asked, value: float | None) -> list[dict[str, object]]:
    """Return the sides that are more than one symbol: they are equal, and one is what the other comes to."""
    definition, units = asked.definition, {symbol.name: symbol.unit for symbol in asked.definition.symbols}
    unit = unit_of(dimension(next(side for side in definition.sides if not is_zero(side)), units))
    if unit is None:
        return []
    found: list[dict[str, object]] = []
    for at, side in enumerate(definition.sides):
        written = text(side, definition.shown)
        if written not in definition.shown.values():
            sum_of = None if value is None else evaluate(side, {**asked.numbers, asked.name: value})
            label = ("Left side", "Right side")[at] if len(definition.sides) == 2 else f"Side {at + 1}"
            found.append({"name": f"side_{at + 1}", "label": label, "symbol": written, "value": sum_of, "unit": unit})
    return found


def _unsolved(asked: Asked, refusal: ModelError) -> Frame:
    """Return a frame that says why there is no answer, with a button to ask for the symbol that the equation gives."""
    first = asked.definition.solve_for
    shown = asked.definition.shown[first]
    why: Any = f"{asked.symbol.symbol} can't be told from these inputs: {refusal.message}."
    if asked.name != first:
        why = {"says": why, "text": f"Solve for {shown} instead", "sets": {SOLVE_FOR: first}}
    return {
        "unread": [asked.name],
        "verdict": [*impossible(asked), why],
        "metrics": [_metric(asked, None), *_sides(asked, None)],
        "series": [],
        "tables": [],
        "notes": _notes(asked, None),
    }


def _notes(asked: Asked, solution: Solution | None) -> list[str]:
    definition, shown = asked.definition, asked.symbol.symbol
    notes = [f"{definition.equation}.", f"Both sides are {definition.kind()}."]
    if len(definition.sides) > 2:
        notes[1] = f"All sides are {definition.kind()}."
    if solution and solution.formula and asked.name != definition.solve_for:
        notes.append(f"Solved for {shown}: {shown} = {text(solution.formula, definition.shown)}.")
    if solution and not solution.formula:
        notes.append(f"{shown} stands in more than one place: its value was searched for, from 0 on, and put back.")
    notes.append(f"{shown} is computed; what its field holds is not read.")
    return [*notes, *([definition.assumptions] if definition.assumptions else [])]


_DEFAULT = calculator(RING)
LAB, frame, code = _DEFAULT.LAB, _DEFAULT.frame, _DEFAULT.code
