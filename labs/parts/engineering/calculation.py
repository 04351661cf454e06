"""The Python of a calculator's frame."""

from labs.parts.engineering.asked import Asked
from labs.parts.engineering.definition import Symbol
from labs.parts.engineering.equation import Tree
from labs.parts.engineering.infix import functions_of, python
from labs.parts.engineering.solution import Solution
from labs.snippet import literal


def calculation(asked: Asked, solution: Solution | None) -> str:
    """Return the Python text that computes the symbol, or that tries the value which was found."""
    definition = asked.definition
    given = "".join(_assigned(symbol, asked.numbers[symbol.name]) for symbol in asked.inputs)
    if solution and solution.formula:
        trees: tuple[Tree, ...] = (solution.formula,)
        last = f"{asked.name} = {python(solution.formula)}\n{asked.name}\n"
    elif solution:
        trees = definition.sides
        last = f"{_assigned(asked.symbol, solution.value)}{', '.join(map(python, trees))}  # the sides\n"
    else:
        return f"# {asked.symbol.symbol} can't be told from these.\n{given}"
    functions = sorted(frozenset().union(*map(functions_of, trees)))
    taken = f"from math import {', '.join(functions)}\n\n" if functions else ""
    return f"{taken}{given}{last}"


def _assigned(symbol: Symbol, value: float) -> str:
    about = symbol.meaning if symbol.unit == "1" else f"{symbol.meaning} [{symbol.unit}]"
    return f"{symbol.name} = {literal(int(value) if symbol.unit == '1' and value.is_integer() else value)}  # {about}\n"
