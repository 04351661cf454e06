"""The rows of an equation's table of symbols."""

import re
from collections.abc import Iterable, Iterator

from labs.model.quantities.units import parse_quantity
from macros.cards.types import Symbol
from macros.cards.units import unit_dimension, without_counts

RANGE = re.compile(r"(?P<base>\w*?)_?\{?(?P<first>[0-9₀-₉]+)\}?\s*(?:…|\.\.\.)\s*(?P=base)_?\{?(?P<last>[0-9₀-₉]+)\}?")
DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MOST = 20


def value_of(row: Symbol, unit: str) -> float | None:
    """Return a row's value in a base unit, or None where it has none; "320 KiB/token" is 320 KiB there.

    Raises:
        ModelError: it is no quantity of that kind
    """
    if not isinstance(row.value, str):
        return None if row.value is None else float(row.value)
    number, _, written = row.value.strip().partition(" ")
    reduced = without_counts(written) if written and unit_dimension(written) is not None else written
    return parse_quantity(f"{number} {reduced}", unit)


def spread(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """Yield each symbol in a row of its own: one row may stand for several, as M₀ … M₃ does."""
    for symbol in symbols:
        match = RANGE.fullmatch(symbol.symbol.strip())
        first, last = (int(match[end].translate(DIGITS)) for end in ("first", "last")) if match else (0, -1)
        if match and first <= last < first + MOST:
            for number in range(first, last + 1):
                yield symbol.model_copy(update={"symbol": f"{match['base']}{str(number).translate(LOWERED)}"})
        else:
            yield symbol
