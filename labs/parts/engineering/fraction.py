"""Two sides without what they are divided by: a / b = c as a = c b, which has no pole, and simpler bounds.

(n − 1) / n = y has bounds that stay wide however large n is; n − 1 = y n has but one place to look at.
"""

from labs.parts.engineering.equation import Number, Operation, Tree, names_in

GROWTH = 3  # sides that would become so many times as long stay as they are

type Fraction = tuple[Tree, tuple[Tree, ...]]  # what is above, and the factors below


def cleared(left: Tree, right: Tree) -> tuple[Tree, Tree]:
    """Return the sides, both multiplied by all that they are divided by; where that is 0 they may meet by chance."""
    (above, below), (other_above, other_below) = _fraction(left), _fraction(right)
    found = _product(above, *_without(other_below, below)), _product(other_above, *_without(below, other_below))
    return found if sum(map(size, found)) <= GROWTH * (size(left) + size(right)) else (left, right)


def size(tree: Tree) -> int:
    """Return how many operations, numbers and symbols a tree has."""
    return 1 + sum(map(size, tree.parts)) if isinstance(tree, Operation) else 1


def _fraction(tree: Tree) -> Fraction:
    match tree:
        case Operation("/", (over, under)):
            above, below = _fraction(over)
            under_above, under_below = _fraction(under)
            if not names_in(under):
                return Operation("/", (above, under)), below
            return _product(above, *under_below), (*below, under_above)
        case Operation("*", parts):
            fractions = [_fraction(part) for part in parts]
            return _product(*(one for one, _ in fractions)), tuple(one for _, below in fractions for one in below)
        case Operation("+" | "-" as sign, parts):
            fractions = [_fraction(part) for part in parts]
            common: tuple[Tree, ...] = ()
            for _, below in fractions:
                common += _without(below, common)
            above_all = (_product(above, *_without(common, below)) for above, below in fractions)
            return Operation(sign, tuple(above_all)), common
        case Operation("^", (base, Number(power))) if power.is_integer() and 0 < abs(power) <= 9:
            above, below = _fraction(base)
            if power < 0:
                above, below = _product(*below), (above,)
            whole = Number(abs(power))
            return Operation("^", (above, whole)), tuple(Operation("^", (one, whole)) for one in below)
    return tree, ()


def _without(factors: tuple[Tree, ...], others: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Return the factors that are not among the others, each as often as it is missing there."""
    left, found = list(others), []
    for factor in factors:
        if factor in left:
            left.remove(factor)
        else:
            found.append(factor)
    return tuple(found)


def _product(*factors: Tree) -> Tree:
    kept = [factor for factor in factors if factor != Number(1.0)]
    if not kept:
        return Number(1.0)
    return kept[0] if len(kept) == 1 else Operation("*", tuple(kept))
