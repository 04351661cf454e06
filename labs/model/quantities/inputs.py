"""What a model function accepts: finite numbers, whole counts, amounts that are not negative.

Whatever passes is a plain int or float: a NumPy scalar from a notebook does not leak into results.
"""

from math import isfinite
from numbers import Integral

from labs.model.quantities.errors import ModelError, finite
from labs.model.quantities.units import format_quantity

# Beyond this a float no longer holds every whole number.
LARGEST_COUNT = 2**53


def count(argument: str, value: object, *, at_least: int = 1, at_most: int = LARGEST_COUNT) -> int:
    """Return a whole number from at_least to at_most; 32.0 counts as 32."""
    if isinstance(value, (int, Integral)) and not isinstance(value, bool):
        number = int(value)
    else:
        given = finite(argument, value)
        if not given.is_integer():
            raise ModelError(f"expected {argument} to be a whole number, found {given}", argument=argument)
        number = int(given)
    if number < at_least:
        raise ModelError(f"expected {argument} >= {at_least}, found {_digits(number)}", argument=argument)
    if number > at_most:
        raise ModelError(f"expected {argument} <= {at_most}, found {_digits(number)}", argument=argument)
    return number


def amount(argument: str, value: object, unit: str) -> float:
    """Return a finite number that is zero or more."""
    number = finite(argument, value)
    if number < 0:
        raise _too_small(argument, ">=", number, unit)
    return number


def positive(argument: str, value: object, unit: str) -> float:
    """Return a finite number above zero."""
    number = finite(argument, value)
    if number <= 0:
        raise _too_small(argument, ">", number, unit)
    return number


def share(argument: str, value: object) -> float:
    """Return a part of a whole: above zero, and one at most."""
    number = positive(argument, value, "1")
    if number > 1:
        raise ModelError(f"expected {argument} <= 1, found {number}", argument=argument)
    return number


def outcome(name: str, value: float, unit: str) -> float:
    """Return a result, or refuse one too large for a float: infinity is no answer, and no JSON either."""
    if not isfinite(value):
        raise ModelError(f"expected inputs that give a {name} below 1.8e+308 {unit}, found a larger one")
    return value


def _too_small(argument: str, sign: str, number: float, unit: str) -> ModelError:
    least, found = format_quantity(0, unit), format_quantity(number, unit)
    return ModelError(f"expected {argument} {sign} {least}, found {found}", argument=argument)


def _digits(number: int) -> str:
    # Python does not write out an int of more than 4300 digits.
    return str(number) if abs(number) < 10**30 else "a number of more than 30 digits"
