"""The divisors of a whole number."""

from math import isqrt


def divisors(whole: int) -> list[int]:
    """Return every divisor, the smallest first.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    low = [number for number in range(1, isqrt(whole) + 1) if whole % number == 0]
    return low + [whole // number for number in reversed(low) if number * number != whole]
