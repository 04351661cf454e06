"""An equation as it is written, as the tree that the calculator computes."""

from collections.abc import Mapping

from labs.parts.engineering import equation as computed
from macros.equations.arithmetic import Call, Name, Node, Number, Power, Product, Sum, Unclear

# How many arguments a function takes here; for the others it is one.
SEVERAL = frozenset({"min", "max"})


def tree(node: Node, names: Mapping[str, str], units: Mapping[str, str]) -> computed.Tree:
    """Return what is computed.

    Args:
        node: one side of the equation
        names: the name of each symbol as an input, by its plain name
        units: the base units of numbers that carry one, by their text

    Raises:
        Unclear: it can't be computed
    """

    def lower(node: Node) -> computed.Tree:
        match node:
            case Number(text):
                return computed.Number(float(text), units.get(text, "1"))
            case Name(name):
                return computed.Name(names[name])
            case Power(base, exponent):
                return computed.Operation("^", (lower(base), lower(exponent)))
            case Call(function, arguments):
                if (len(arguments) > 1) != (function in SEVERAL):
                    raise Unclear(f"{function} of {len(arguments)} is not computed")
                return computed.Operation(function, tuple(map(lower, arguments)))
            case Product(factors):
                return _folded([(sign == "/", lower(factor)) for sign, factor in factors], "*", "/")
            case Sum(terms):
                if any(sign == "±" for sign, _ in terms):
                    raise Unclear("± has two values")
                (sign, first), *rest = terms
                head = computed.Operation("-", (lower(first),)) if sign == "−" else lower(first)
                return _folded([(False, head), *((sign == "−", lower(term)) for sign, term in rest)], "+", "-")

    return lower(node)


def _folded(parts: list[tuple[bool, computed.Tree]], joining: str, inverse: str) -> computed.Tree:
    """Return parts from left to right: neighbours that are joined in one operation, each inverse in its own."""
    (_, result), *rest = parts
    run = [result]
    for inverted, part in rest:
        if inverted:
            run = [computed.Operation(inverse, (_joined(run, joining), part))]
        else:
            run.append(part)
    return _joined(run, joining)


def _joined(run: list[computed.Tree], sign: str) -> computed.Tree:
    return run[0] if len(run) == 1 else computed.Operation(sign, tuple(run))
