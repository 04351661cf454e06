"""What a calculator says of inputs that can't be, and of a result that is not what it seems."""

from collections.abc import Iterator
from dataclasses import replace
from math import floor

from labs.model.quantities.units import format_quantity
from labs.parts.engineering.asked import Asked
from labs.parts.engineering.solution import Solution, apart

LARGEST_COUNT = 1e15  # beyond, floats are whole anyway


def impossible(asked: Asked) -> list[str]:
    """Return a sentence for each input that can't be: a count that is none, a negative size."""
    found = ((one, one.why_not(asked.numbers[one.name])) for one in asked.inputs)
    return [f"{one.symbol} = {_shown(asked.numbers[one.name], one.unit)} can't be: {why}." for one, why in found if why]


def remarks(asked: Asked, solution: Solution) -> list[str]:
    """Return sentences about the result."""
    return list(_remarks(asked, solution))


def _remarks(asked: Asked, solution: Solution) -> Iterator[str]:
    symbol, value = asked.symbol, solution.value
    if value < 0:
        yield f"{symbol.symbol} comes out negative; if it can't be, these inputs contradict each other."
    elif symbol.counts and value != round(value) and value < LARGEST_COUNT:
        yield from _whole_numbers(asked, value)
    if solution.slack:
        most = _shown(solution.slack, symbol.unit)
        yield f"{symbol.symbol} comes out as 0; beside the other terms, up to {most} makes no difference."
    if not solution.alone:
        yield f"{symbol.symbol} = {_shown(value, symbol.unit)} fits; whether another value does as well is not certain."


def _whole_numbers(asked: Asked, value: float) -> Iterator[str]:
    """Yield what the whole numbers beside a count that is none would give."""
    own, given_for = asked.symbol.symbol, asked.definition.solve_for
    if asked.name == given_for:
        yield f"{own} is a count, and no whole number fits: it comes out as {_shown(value, asked.symbol.unit)}."
        return
    target = replace(asked, name=given_for, numbers={**asked.numbers, asked.name: value})
    results = {
        count: result
        for count in (floor(value), floor(value) + 1)
        if count >= 1 and (result := target.value({asked.name: count})) is not None
    }
    # Told apart from each other, and from what was asked for.
    texts = apart([*results.values(), asked.numbers[target.name]], target.symbol.unit)
    other = target.symbol.symbol
    given = [f"{own} = {count} gives {other} = {text}" for count, text in zip(results, texts[:-1], strict=True)]
    if given:
        yield f"{own} is a count, and no whole number fits: {', '.join(given)}."


def _shown(value: float, unit: str) -> str:
    return f"{'\N{MINUS SIGN}' if value < 0 else ''}{format_quantity(abs(value), unit)}"
