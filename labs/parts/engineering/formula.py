"""What a symbol is in terms of the others: an equation turned round where two of its sides hold the symbol once."""

from collections.abc import Sequence
from itertools import combinations

from labs.parts.engineering.equation import Number, Operation, Tree, count

MOST = 27  # formulas of one symbol: every power has up to three roots


def formulas_of(sides: Sequence[Tree], name: str) -> tuple[Tree, ...]:
    """Return what a symbol can be in terms of the others, the usual first, or nothing where it can't be isolated.

    A power has a root of either sign, and of a number below zero perhaps one. Which of them fit, the equation tells.
    """
    for left, right in combinations(sides, 2):
        if count(left, name) + count(right, name) == 1:
            holding, other = (left, right) if count(left, name) else (right, left)
            found = _isolated(holding, (other,), name)
            if found:
                return found
    return ()


def _isolated(side: Tree, values: tuple[Tree, ...], name: str) -> tuple[Tree, ...]:
    """Return the values that the symbol has where the side has these: each step undoes the outermost operation."""
    while isinstance(side, Operation):
        at = next(i for i, part in enumerate(side.parts) if count(part, name))
        others = side.parts[:at] + side.parts[at + 1 :]
        values = tuple(one for value in values for one in _undone(side.sign, at, others, value))
        if len(values) > MOST:
            return ()
        side = side.parts[at]
    return values


def _undone(sign: str, at: int, others: tuple[Tree, ...], value: Tree) -> tuple[Tree, ...]:
    if (sign, at) == ("^", 0):
        return _roots(value, others[0])
    undone = _single(sign, at, others, value)
    return () if undone is None else (undone,)


def _roots(value: Tree, exponent: Tree) -> tuple[Tree, ...]:
    def root(of: Tree) -> Tree:
        return Operation("^", (of, Operation("/", (Number(1), exponent))))

    return root(value), _negative(root(value)), _negative(root(_negative(value)))


def _negative(tree: Tree) -> Tree:
    return Operation("-", (tree,))


def _single(sign: str, at: int, others: tuple[Tree, ...], value: Tree) -> Tree | None:
    match sign, at:
        case "+", _:
            return Operation("-", (value, _joined("+", others)))
        case "-", 0:
            return _joined("+", (value, *others)) if others else _negative(value)
        case "-", _:
            return Operation("-", (others[0], value))
        case "*", _:
            return _quotient(value, _joined("*", others))
        case "/", 0:
            return _joined("*", (value, *others))
        case "/", _:
            return _quotient(others[0], value)
        case "^", _:
            return Operation("/", (Operation("ln", (value,)), Operation("ln", others)))
        case "sqrt", _:
            return Operation("^", (value, Number(2)))
        case "ln", _:
            return Operation("exp", (value,))
        case "exp", _:
            return Operation("ln", (value,))
        case ("log2" | "log10"), _:
            return Operation("^", (Number(float(sign.removeprefix("log"))), value))
    return None  # many values have the same minimum, and the same whole part


def _quotient(above: Tree, below: Tree) -> Tree:
    """Return a quotient, as one where the upper part is one already."""
    if isinstance(above, Operation) and above.sign == "/":
        return Operation("/", (above.parts[0], _joined("*", (above.parts[1], below))))
    return Operation("/", (above, below))


def _joined(sign: str, parts: tuple[Tree, ...]) -> Tree:
    """Return a sum or a product, without brackets around one of its own kind."""
    flat = [
        inner
        for part in parts
        for inner in (part.parts if isinstance(part, Operation) and part.sign == sign else (part,))
    ]
    return flat[0] if len(flat) == 1 else Operation(sign, tuple(flat))
