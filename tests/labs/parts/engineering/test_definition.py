"""A calculator's definition: read strictly, refused in words."""

import copy
import json

import pytest

from labs.engineering import RING
from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import read_definition, write_definition


def changed(**changes):
    return copy.deepcopy(dict(RING)) | changes


def with_symbol(**changes):
    symbols = copy.deepcopy(RING["symbols"])
    symbols[2] |= changes
    return changed(symbols=symbols)


def test_it_is_written_as_it_was_read():
    written = write_definition(read_definition(RING))
    assert written == RING
    assert json.loads(json.dumps(written)) == written


def test_the_ring_in_words():
    ring = read_definition(RING)
    assert ring.equation == "T = 2 · (p − 1) · (α + M / (p · B))"
    assert ring.kind() == "a time in s"
    assert read_definition(changed(approximate=True)).equation.startswith("T ≈ 2 ·")


def test_0_is_of_every_kind():
    ring = read_definition(changed(sides=[0, ["-", "T", RING["sides"][1]]]))
    assert ring.kind() == "a time in s"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "expected an equation with the keys approximate, assumptions, sides, solve_for, symbols, title, found"),
        ([], "expected an equation with the keys"),
        (changed(code="print(1)"), "expected an equation with the keys"),
        (changed(sides="T"), "expected a list of 2 to 4 sides, found"),
        (changed(sides=["T"]), "expected a list of 2 to 4 sides, found"),
        (changed(symbols=[]), "expected a list of 1 to 16 symbols, found"),
        (changed(symbols=RING["symbols"][:-1]), "expected the symbols B, M, T, alpha, p of the equation, found T, p,"),
        (changed(symbols=RING["symbols"] + RING["symbols"][:1]), "expected symbols of different names, found T, p,"),
        (changed(sides=["T", "p"], symbols=RING["symbols"][:2]), "expected sides of one kind, found a time in s and"),
        (changed(sides=["T", ["system", "p"]]), "expected one of the operations"),
        (changed(solve_for="x"), 'expected one of T, p, alpha, M, B to solve for, found "x"'),
        (changed(solve_for=None), "expected one of T, p, alpha, M, B to solve for, found"),
        (changed(approximate=1), "expected true or false for approximate, found"),
        (changed(title="a\nb"), "expected a text of one line as title, found"),
        (changed(assumptions="x" * 2001), "expected a text of one line as assumptions, found"),
        (with_symbol(name="a b"), "expected a symbol's name of letters, digits and _, found"),
        (with_symbol(name="α"), "expected a symbol's name of letters, digits and _, found"),
        (with_symbol(name="solve_for"), "expected a symbol's name of letters, digits and _, found"),
        (with_symbol(unit="ms"), "expected a base unit of alpha: s, byte, byte/s, FLOP, FLOP/s, FLOP/byte, 1, found"),
        (with_symbol(unit=["s"]), "expected a base unit of alpha"),
        (with_symbol(unit="byte"), "expected quantities of one kind around +, found a size in byte and a time in s"),
        (with_symbol(default=float("nan")), "expected a number as the default of alpha, found"),
        (with_symbol(default="5"), "expected a number as the default of alpha, found"),
        (with_symbol(meaning="x\nimport os"), "expected a text of one line as meaning, found"),
        (with_symbol(more=1), "expected a symbol with the keys"),
    ],
)  # fmt: skip
def test_what_is_no_definition_is_refused_in_words(data, message):
    with pytest.raises(ModelError) as caught:
        read_definition(data)
    assert str(caught.value).startswith(message)
