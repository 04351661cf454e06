"""Where the fields of a calculator start."""

import re
from collections.abc import Mapping
from dataclasses import replace

from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import Definition
from labs.parts.engineering.solution import solve
from macros.cards.calls import Refused, made
from macros.cards.symbols import value_of
from macros.cards.types import Card, ScienceEntry, Symbol
from macros.equations.arithmetic import plain_name
from macros.model_calls import functions

# Where neither an example nor the table of symbols has a value: by the unit as it is written, else by its base unit.
ROUND = {
    "parameter": 1e9, "byte/parameter": 2, "token": 4096, "layer": 32, "ratio": 0.5, "fraction": 0.5, "share": 0.5,
    "s": 1e-3, "byte": 1e9, "byte/s": 1e11, "FLOP": 1e15, "FLOP/s": 1e15, "FLOP/byte": 100, "1": 8,
}  # fmt: skip
PER_STEP = 5e-6  # a time for each of something, such as s/phase, is a startup


def examples(entry: ScienceEntry, card: Card) -> dict[str, float]:
    """Return the inputs of the first example of the entry's model, by the plain name of their symbols."""
    function = functions().get(entry.model or "")
    example = next((one for one in card.examples if one.call == entry.model), None)
    if function is None or example is None:
        return {}
    try:
        call = made(example.call, example.inputs, example.states.field, ())
    except Refused:
        return {}
    values = dict(zip(example.inputs, call.inputs, strict=True))
    arguments = [argument for argument in function.arguments if argument.symbol and argument.name in values]
    return {plain_name(argument.symbol or ""): values[argument.name].value for argument in arguments}


def start(row: Symbol, unit: str, examples: Mapping[str, float]) -> float:
    """Return where a field starts: at the row's own value, at an example's, or at a round one for the unit."""
    if (own := value_of(row, unit)) is not None:
        return own
    if unit == "s" and "/" in row.unit:
        return examples.get(plain_name(row.symbol), PER_STEP)
    singular = re.sub(r"(?<=\w)s\b", "", row.unit)
    return examples.get(plain_name(row.symbol), ROUND.get(singular, ROUND[unit]))


def started(found: Definition) -> Definition:
    """Return the definition with the symbol that it gives at the value that the others make."""
    values = {symbol.name: symbol.default for symbol in found.symbols if symbol.name != found.solve_for}
    try:
        value = float(f"{solve(found.sides, found.solve_for, values).value:.12g}")
    except ModelError:
        return found
    symbols = (replace(one, default=value) if one.name == found.solve_for else one for one in found.symbols)
    return replace(found, symbols=tuple(symbols))
