"""A card's equations against the model: the function that computes one is there, and declared units fit."""

from collections.abc import Iterator

from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import Symbol as Input
from labs.parts.engineering.equation import unit_of
from macros.cards.calls import unknown_function
from macros.cards.dimensions import Mismatch, check_equation
from macros.cards.symbols import spread, value_of
from macros.cards.tex import without_tex
from macros.cards.types import Card, ScienceEntry
from macros.cards.units import Dimension, is_scaled, meant_unit, shown, unit_dimension, without_counts
from macros.equations.arithmetic import Unclear, plain_name
from macros.equations.latex import EquationError
from macros.equations.typeset import typeset
from macros.model_calls import Function, functions
from macros.problem import Finding, Pointer, listed, quoted


def equation_findings(card: Card) -> Iterator[Finding]:
    """Yield what is wrong with the card's equations as far as it can be told for certain."""
    for index, entry in enumerate(card.science):
        at: Pointer = ("science", index)
        function = functions().get(entry.model) if entry.model else None
        if entry.model and function is None:
            yield unknown_function(entry.model, (*at, "model"))
        if function:
            yield from _against_arguments(entry, function, at)
        yield from _typesets(entry, at)
        yield from _sides(entry, at)
        yield from _units(entry, at)
        yield from _values(entry, at)


def _units(entry: ScienceEntry, at: Pointer) -> Iterator[Finding]:
    """Yield each unit that is a slip of a known one: with it the equation is neither checked nor computed."""
    for index, row in enumerate(entry.symbols):
        if unit_dimension(row.unit) is None and (meant := meant_unit(row.unit)):
            yield Finding(
                at=(*at, "symbols", index, "unit"),
                message=f"expected a unit that is known, found {quoted(row.unit)}: as it is, nothing checks the units",
                hint=_meant(row.unit, meant),
                severity="warning",
            )


def _meant(unit: str, meant: str) -> str:
    if unit.casefold() == meant.casefold() and meant.endswith("B"):  # whose letter alone tells bytes from bits
        return f'bytes are "{meant}", bits "{meant[:-1]}bit"'
    return f'did you mean "{meant}"?'


def _values(entry: ScienceEntry, at: Pointer) -> Iterator[Finding]:
    """Yield each value that a symbol of its unit can't have."""
    for index, row in enumerate(entry.symbols):
        found, place = unit_dimension(row.unit), (*at, "symbols", index, "value")
        unit = unit_of(found) if found is not None else None
        if row.value is None or unit is None:
            continue
        if is_scaled(row.unit) and not any(mark.isalpha() and mark not in "eE" for mark in str(row.value)):
            expected = f"a quantity with its unit, as the symbol's own is {row.unit}"
            hint = f'write "{row.value} {without_counts(row.unit)}", or "{row.value} {unit}"'
            yield Finding(at=place, message=f"expected {expected}, found {row.value}", hint=hint)
            continue
        try:
            value = value_of(row, unit) or 0.0
        except ModelError as error:
            yield Finding(at=place, message=error.message, hint=error.hint)
            continue
        of_calculator = Input(
            name="x", symbol=row.symbol, meaning=row.meaning, unit=unit, written=row.unit.strip(), default=value
        )
        if why := of_calculator.why_not(value):
            yield Finding(at=place, message=f"expected another value of {row.symbol}, found {row.value}: {why}")


def _typesets(entry: ScienceEntry, at: Pointer) -> Iterator[Finding]:
    """Yield the place in authored LaTeX that cannot be set. An equation that looks like TeX is then shown as text."""
    try:
        for piece in typeset(entry.equation, entry.latex):
            if piece.problem:
                hint = "it is shown as text"
                yield Finding(at=(*at, "equation"), message=piece.problem, severity="warning", hint=hint)
    except EquationError as error:
        yield Finding(at=(*at, "latex"), message=error.message, character=error.offset)


def _against_arguments(entry: ScienceEntry, function: Function, at: Pointer) -> Iterator[Finding]:
    """Yield each symbol whose unit is not that of the argument which the model writes with the same symbol."""
    arguments = {plain_name(argument.symbol): argument for argument in function.arguments if argument.symbol}
    for index, symbol in enumerate(entry.symbols):
        argument = arguments.get(plain_name(symbol.symbol))
        found, expected = unit_dimension(symbol.unit), unit_dimension(argument.unit or "") if argument else None
        if argument and found is not None and expected is not None and found != expected:
            yield Finding(
                at=(*at, "symbols", index, "unit"),
                message=f"expected a unit of {shown(expected)} for {symbol.symbol}, found {quoted(symbol.unit)}",
                hint=f"in {function.name} it is {argument.name} [{argument.unit}]",
            )


def _sides(entry: ScienceEntry, at: Pointer) -> Iterator[Finding]:
    """Yield a finding if the symbols' units show that two sides, or two terms, cannot be equal or added."""
    symbols: dict[str, Dimension] = {}
    for symbol in spread(entry.symbols):
        dimension = unit_dimension(symbol.unit)
        if dimension is not None:
            symbols[plain_name(symbol.symbol)] = dimension
    for key, text in (("latex", entry.latex), ("equation", entry.equation)):
        if not symbols or not text:
            continue
        try:
            check_equation(without_tex(text), symbols)
        except Mismatch as mismatch:
            units = listed([f"{symbol.symbol} [{symbol.unit}]" for symbol in entry.symbols])
            found = f"{shown(mismatch.one)} and {shown(mismatch.other)}"
            message = f"expected one unit on both sides and in each sum, found {found}"
            yield Finding(at=(*at, key), message=message, hint=f"the symbols are {units}")
        except Unclear:
            continue
        return  # one that was understood is enough: the other is the same equation
