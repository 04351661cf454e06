"""The algorithms of each collective: one table of steps, and of what is sent in them.

A payload M is the whole buffer, as in nccl-tests: what a rank starts with (all-reduce, reduce-scatter, reduce,
all-to-all) or ends with (all-gather, broadcast). Links go both ways at once and nothing else is on them. "direct",
"one-shot" and "two-shot" send to all other ranks at once, one latency for all: they need a switch between all ranks.

Where p is no power of two, recursive doubling of an all-reduce and Rabenseifner's algorithms first fold the ranks
that are too many into others, as MPICH does: one step before, and, where all need the result, one after, each of the
whole buffer.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from labs.model.collectives.operation import Operation, known_operation
from labs.model.quantities.errors import ModelError, nearest, shown

Algorithm = Literal[
    "ring",
    "binomial tree",
    "double binary tree",
    "recursive doubling",
    "recursive halving",
    "Rabenseifner",
    "Bruck",
    "pairwise",
    "direct",
    "one-shot",
    "two-shot",
    "scatter and all-gather",
]


class Shape(NamedTuple):
    """What an algorithm does among p > 1 ranks; volumes are multiples of the payload.

    Attributes:
        steps: that wait for one another, each with a latency
        path: sent in those steps, one after another, by whichever rank has most to send in each
        sent: by the busiest rank, or received by it if that is more
        power_of_two: whether p has to be one
    """

    steps: Callable[[int], int]
    path: Callable[[int], float]
    sent: Callable[[int], float]
    power_of_two: bool = False


def _shape(steps: Callable[[int], int], path: Callable[[int], float], *, power_of_two: bool = False) -> Shape:
    """Return the shape of an algorithm whose busiest rank has most to send in every step."""
    return Shape(steps, path, path, power_of_two)


def _one(p: int) -> int:
    return 1


def _others(p: int) -> int:
    return p - 1


def _all_but_one(p: int) -> float:
    return (p - 1) / p


def _twice_all_but_one(p: int) -> float:
    return 2 * (p - 1) / p


def _log(p: int) -> int:
    """Return lg p, rounded up."""
    return (p - 1).bit_length()


def _whole_log(p: int) -> int:
    """Return lg p, rounded down: the steps of the ranks that are left once the others are folded in."""
    return p.bit_length() - 1


def _folds(p: int) -> int:
    """Return 1 where ranks have to be folded in, or else 0."""
    return 0 if p & (p - 1) == 0 else 1


def _unfolded(p: int) -> float:
    """Return 2 (q − 1) / q for the q ranks, a power of two, that are left."""
    return 2 - 2 / (1 << _whole_log(p))


def _bruck_all_to_all(p: int) -> float:
    """Return the parts that have to travel a distance with bit k set, summed over the steps k."""
    parts = 0
    for k in range(_log(p)):
        whole, rest = divmod(p, 2 << k)
        parts += (whole << k) + max(0, rest - (1 << k))
    return parts / p


# Trees whose chunks are pipelined, and the ring of a broadcast or reduce, have chunks so small that to fill the
# pipeline costs latencies only. Each rank of two or three has fewer neighbours in the double tree than the others'
# parent, two children and second parent: hence min(p, 4).
_SHAPES: Mapping[Operation, Mapping[Algorithm, Shape]] = MappingProxyType(
    {
        "all-reduce": {
            "ring": _shape(lambda p: 2 * (p - 1), _twice_all_but_one),
            "double binary tree": _shape(lambda p: 2 * _log(p), lambda p: min(p, 4) / 2),
            "binomial tree": Shape(lambda p: 2 * _log(p), lambda p: 2 * _log(p), _log),
            "recursive doubling": Shape(
                lambda p: _whole_log(p) + 2 * _folds(p),
                lambda p: _whole_log(p) + 2 * _folds(p),
                lambda p: _whole_log(p) + _folds(p),
            ),
            "Rabenseifner": Shape(
                lambda p: 2 * _whole_log(p) + 2 * _folds(p),
                lambda p: _unfolded(p) + 2 * _folds(p),
                lambda p: _unfolded(p) + _folds(p),
            ),
            "one-shot": _shape(_one, _others),
            "two-shot": _shape(lambda p: 2, _twice_all_but_one),
        },
        "reduce-scatter": {
            "ring": _shape(_others, _all_but_one),
            "recursive halving": _shape(_log, _all_but_one, power_of_two=True),
            "pairwise": _shape(_others, _all_but_one),
            "direct": _shape(_one, _all_but_one),
        },
        "all-gather": {
            "ring": _shape(_others, _all_but_one),
            "recursive doubling": _shape(_log, _all_but_one, power_of_two=True),
            "Bruck": _shape(_log, _all_but_one),
            "direct": _shape(_one, _all_but_one),
        },
        "broadcast": {
            "ring": _shape(_others, _one),
            "binomial tree": _shape(_log, _log),
            "scatter and all-gather": _shape(lambda p: _log(p) + p - 1, _twice_all_but_one),
        },
        "reduce": {
            "ring": _shape(_others, _one),
            "binomial tree": _shape(_log, _log),
            "Rabenseifner": _shape(lambda p: 2 * _whole_log(p) + _folds(p), lambda p: _unfolded(p) + _folds(p)),
        },
        "all-to-all": {
            "pairwise": _shape(_others, _all_but_one),
            "direct": _shape(_one, _all_but_one),
            "Bruck": _shape(_log, _bruck_all_to_all),
            "ring": _shape(_others, lambda p: (p - 1) / 2),
        },
        "send-recv": {"direct": _shape(_one, _one)},
    }
)

# What NCCL runs where neither switches nor NVLink's multicast add up for it; of several it takes the fastest.
NCCL_ALGORITHMS: Mapping[Operation, tuple[Algorithm, ...]] = MappingProxyType(
    {
        "all-reduce": ("ring", "double binary tree"),
        "reduce-scatter": ("ring",),
        "all-gather": ("ring",),
        "broadcast": ("ring",),
        "reduce": ("ring",),
        "all-to-all": ("direct",),
        "send-recv": ("direct",),
    }
)


def algorithms(*, operation: Operation) -> tuple[Algorithm, ...]:
    """Return the algorithms that the model knows for a collective.

    Each has its number of steps, and of payloads sent in them, one after another:

        T = n α + v M / B

    Args:
        operation: which collective

    Returns:
        their names, the one that most libraries use for large payloads first

    Raises:
        ModelError: no such operation

    Source:
        R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005

    >>> algorithms(operation="broadcast")
    ('ring', 'binomial tree', 'scatter and all-gather')
    """
    return tuple(_SHAPES[known_operation(operation)])


def possible(operation: Operation, ranks: int) -> tuple[Algorithm, ...]:
    """Return the algorithms that can do a collective among so many ranks."""
    of = _SHAPES[known_operation(operation)]
    return tuple(name for name, found in of.items() if not (found.power_of_two and _folds(ranks)))


def shape(operation: Operation, algorithm: Algorithm, ranks: int) -> tuple[int, float, float]:
    """Return the steps of an algorithm, and its path and what its busiest rank sends, in payloads.

    One rank sends nothing, whatever the algorithm.
    """
    of = _SHAPES[known_operation(operation)]
    if algorithm not in of:
        raise ModelError(
            f"expected algorithm of {operation} to be one of {', '.join(of)}, found {shown(algorithm)}",
            argument="algorithm",
            hint=nearest(algorithm, dict.fromkeys(of)) if isinstance(algorithm, str) else None,
        )
    if ranks == 1:
        return 0, 0.0, 0.0
    found = of[algorithm]
    if found.power_of_two and _folds(ranks):
        raise ModelError(
            f"expected ranks to be a power of two for {algorithm} of {operation}, found {ranks}",
            argument="ranks",
            hint="ring and direct take any number",
        )
    return found.steps(ranks), found.path(ranks), found.sent(ranks)
