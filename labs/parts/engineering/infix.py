"""Trees of equations as text: for readers, and as Python."""

from collections.abc import Mapping

from labs.model.quantities.units import format_quantity
from labs.parts.engineering.equation import Name, Number, Operation, Tree

SUM, PRODUCT, POWER, ATOM = range(4)  # how strongly an operation holds its parts together
BINDS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
SAID = {"+": " + ", "-": " − ", "*": " · ", "/": " / ", "^": "^"}
PYTHON = {"+": " + ", "-": " - ", "*": " * ", "/": " / ", "^": " ** "}
CALLED = {"sqrt": "√", "log2": "log₂", "log10": "log₁₀"}
CALLED_IN_PYTHON = {"ln": "log"}


def text(tree: Tree, symbols: Mapping[str, str]) -> str:
    """Return a tree as a reader reads it, with a sign between all factors.

    Args:
        tree: what is written
        symbols: how each symbol is shown

    >>> p, m = Name("p"), Name("M")
    >>> text(Operation("*", (Number(2), Operation("-", (p, Number(1))), m)), {"p": "p", "M": "M"})
    '2 · (p − 1) · M'
    """
    return _written(tree, symbols, python=False)[0]


def python(tree: Tree) -> str:
    """Return a tree as a Python expression; its functions are those of `math` (see `functions_of`)."""
    return _written(tree, {}, python=True)[0]


def functions_of(tree: Tree) -> frozenset[str]:
    """Return what a tree's Python takes from `math`."""
    if not isinstance(tree, Operation):
        return frozenset()
    inner = frozenset().union(*map(functions_of, tree.parts))
    return inner if tree.sign in (*BINDS, "min", "max") else inner | {CALLED_IN_PYTHON.get(tree.sign, tree.sign)}


def _written(tree: Tree, symbols: Mapping[str, str], *, python: bool) -> tuple[str, int]:
    match tree:
        case Number(value, unit):
            plain = format_quantity(value, "1", 15) if unit == "1" or python else format_quantity(value, unit, 15)
            negative = value < 0
            return plain if python else plain.replace("-", "−"), SUM if negative else ATOM if unit == "1" else PRODUCT
        case Name(name):
            return symbols.get(name, name), ATOM
        case Operation(sign, parts) if sign not in BINDS:
            name = (CALLED_IN_PYTHON if python else CALLED).get(sign, sign)
            return f"{name}({', '.join(_written(part, symbols, python=python)[0] for part in parts)})", ATOM
        case Operation("-", (part,)):
            return f"{'-' if python else '−'}{_within(part, symbols, PRODUCT, python)}", SUM
        case Operation(sign, (first, *rest)):
            binds = BINDS[sign]
            parts_text = [
                _within(first, symbols, binds + (sign == "^" or _is(first, "/", within=sign)), python),
                *(_within(part, symbols, binds + 1 - (sign == "+"), python) for part in rest),
            ]
            return (PYTHON if python else SAID)[sign].join(parts_text), binds
    raise TypeError(tree)


def _is(tree: Tree, sign: str, *, within: str) -> bool:
    """Return whether a quotient begins a product: a / b · c may be read in two ways."""
    return within in "*/" and isinstance(tree, Operation) and tree.sign == sign


def _within(tree: Tree, symbols: Mapping[str, str], least: int, python: bool) -> str:
    written, binds = _written(tree, symbols, python=python)
    return written if binds >= least else f"({written})"
