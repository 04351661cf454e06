"""The one way in which the model refuses, and what every refusal shares."""

from collections.abc import Mapping
from difflib import get_close_matches
from math import isfinite
from numbers import Real


class ModelError(ValueError):
    """A refusal: what is expected and what was found, in one sentence.

    Attributes:
        message: the sentence, `expected ranks >= 1, found 0`
        argument: the argument that it is about, or None
        hint: what may have been meant, or None; `str()` appends it in brackets

    >>> str(ModelError("expected a time such as 5 µs, found 5 msec", hint='did you mean "ms"?'))
    'expected a time such as 5 µs, found 5 msec (did you mean "ms"?)'
    """

    def __init__(self, message: str, *, argument: str | None = None, hint: str | None = None) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.argument = argument
        self.hint = hint


def finite(argument: str, value: object) -> float:
    """Return a finite number as a float; a truth value is none."""
    # Real alone would do, but to ask it takes ten times as long.
    if isinstance(value, bool) or not isinstance(value, (float, int, Real)):
        raise ModelError(f"expected {argument} to be a number, found {shown(value)}", argument=argument)
    try:
        number = float(value)
    except OverflowError:
        raise ModelError(f"expected {argument} below 1.8e+308, found a larger number", argument=argument) from None
    if not isfinite(number):
        raise ModelError(f"expected {argument} to be a finite number, found {number}", argument=argument)
    return number


def shown(value: object) -> str:
    """Return a value as a sentence can hold it: text in quotes, on one line, cut where it is long."""
    if isinstance(value, (bool, float, type(None))):
        return str(value)
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    text = value.strip()
    if not text:
        return "nothing"
    line = "".join(
        mark if mark.isprintable() else " " if mark.isspace() else "\N{REPLACEMENT CHARACTER}" for mark in text[:40]
    )
    return f'"{line}…"' if len(text) > 40 else f'"{line}"'


def nearest(name: str, known: Mapping[str, object]) -> str | None:
    """Return a hint at what a name was meant for: the same but for "/s" or for case, or else the nearest in spelling.

    Bits are candidates wherever b was written, and names for one thing count once.
    """
    lower = name.casefold()
    found = (
        [other for other in (name + "/s", name.removesuffix("/s")) if other in known]
        or [other for other in known if other.casefold() in (lower, lower.replace("b", "bit"))]
        or get_close_matches(name, known, n=1)
    )
    once: dict[object, str] = {}
    for other in found:
        once.setdefault(known[other], f'"{other}"')
    return f"did you mean {' or '.join(once.values())}?" if once else None
