"""Sides without what they are divided by."""

import pytest

from labs.parts.engineering.equation import from_json
from labs.parts.engineering.fraction import cleared
from labs.parts.engineering.infix import text


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("y", ["/", ["-", "n", 1], "n"], "y · n = n − 1"),
        (["/", "y", 3], ["/", "n", 3], "y / 3 = n / 3"),  # numbers have no pole
        ("y", ["+", ["/", "a", "n"], ["/", "b", "n"]], "y · n = a + b"),
        (["/", "a", "n"], ["/", "b", "n"], "a = b"),
        ("y", ["+", "a", ["/", 1, ["+", "b", ["/", 1, "n"]]]], "y · (b · n + 1) = a · (b · n + 1) + n"),
        ("y", ["^", ["/", "a", "n"], -2], "y · a^2 = n^2"),
        ("y", ["sqrt", ["/", "a", "n"]], "y = √(a / n)"),
    ],
)
def test_what_divides_is_multiplied_with(left, right, found):
    assert " = ".join(text(side, {}) for side in cleared(from_json(left), from_json(right))) == found


def test_sides_that_would_grow_long_stay():
    many = ["+", *[["/", 1, ["-", "n", at]] for at in range(20)]]
    sides = from_json("y"), from_json(many)
    assert cleared(*sides) == sides
