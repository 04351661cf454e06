"""The rows of an equation's table of symbols."""

import re
from collections.abc import Iterable, Iterator

from macros.cards.types import Symbol

RANGE = re.compile(r"(?P<base>\w*?)_?\{?(?P<first>[0-9₀-₉]+)\}?\s*(?:…|\.\.\.)\s*(?P=base)_?\{?(?P<last>[0-9₀-₉]+)\}?")
DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MOST = 20


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
