"""Dimensions of units as people write them: for certain, or None.

Only s, byte and FLOP have a dimension here. What is counted (phases, ranks, examples, tokens) has none, since authors
rightly write "s" as well as "s/phase". A unit of which a part is not known has no dimension that could be told.
"""

import re
from difflib import SequenceMatcher
from functools import cache

from labs.model.quantities.names import abbreviated
from labs.model.quantities.units import UNITS

type Dimension = tuple[tuple[str, int], ...]  # (("byte", 1), ("s", -1)), sorted; () for a plain number

NUMBER: Dimension = ()
COUNTED = frozenset(
    re.findall(
        r"\S+",
        "1 % count dimensionless fraction none number ratio share activation attempt batch bubble chunk collective core"
        " device element epoch example expert gpu gradient group head hop iteration layer link machine member message"
        " microbatch micro-batch node operation packet parameter param part phase query queries rank replica request"
        " sample sequence server shard stage state step task token transfer update value weight word worker",
    )
)
# What people write for units that are known by another name.
OTHER_NAMES = {
    "hr": "h", "hrs": "h", "mins": "min", "tok": "token", "toks": "tokens", "req": "request", "reqs": "requests",
    "flop": "FLOP", "flops": "FLOP",
}  # fmt: skip
CLOSE = 0.85  # of difflib's ratio: "byt" is a slip of "byte", "bins" none of "bits"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
PART = re.compile(r"([^\s/·*×^⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+?)(?:\^?(-?[0-9]{1,2})|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))?")


@cache
def unit_dimension(unit: str) -> Dimension | None:
    """Return the dimension of a unit as a person writes it, or None where a part of it is not known.

    >>> unit_dimension("GB/s"), unit_dimension("examples/update"), unit_dimension("parsec")
    ((('byte', 1), ('s', -1)), (), None)
    """
    if unit in UNITS:
        unit = UNITS[unit].base
    result: Dimension = NUMBER
    for index, side in enumerate(re.split(r"\s*/\s*|\s+per\s+", unit.strip())):
        for part in re.split(r"\s*[·*×]\s*|\s+", side):
            match = PART.fullmatch(part)
            dimension = _word_dimension(match[1]) if match else None
            if match is None or dimension is None:
                return None
            power = (match[2] or match[3] or "1").translate(SUPERSCRIPTS)
            if not re.fullmatch("-?[0-9]+", power):
                return None
            result = times(result, dimension, -int(power) if index else int(power))
    return result


def meant_unit(unit: str) -> str | None:
    """Return the unit that was probably meant by one that is not known; None where none is close.

    >>> meant_unit("byt/sec"), meant_unit("joule")
    ('byte/s', None)
    """
    parts = re.split(r"(\s*[/·*×^]\s*|\s+)", unit.strip())
    near = [part if unit_dimension(part) is not None else _near(part) for part in parts[::2]]
    if None in near:
        return None
    parts[::2] = [part or "" for part in near]
    found = "".join(parts)
    return found if found != unit.strip() and unit_dimension(found) is not None else None


def without_counts(unit: str) -> str:
    """Return a unit without what is counted in it: it is then one that a field takes, or nothing.

    >>> without_counts("KiB/token"), without_counts("GB/s/rank"), without_counts("layers")
    ('KiB', 'GB/s', '')
    """
    above, *below = re.split(r"\s*/\s*", unit.strip())
    left = "" if unit_dimension(above) == NUMBER else above
    return "/".join((left, *(part for part in below if unit_dimension(part) != NUMBER)))


def is_scaled(unit: str) -> bool:
    """Return whether a unit holds one with a prefix, as GB/step does."""
    parts = [UNITS[part] for part in re.split(r"[\s/·*×^]+", unit) if part in UNITS]
    return any(part.numerator != part.denominator for part in parts)


def times(one: Dimension, other: Dimension, power: int = 1) -> Dimension:
    """Return the dimension of one times a power of the other."""
    sums = dict(one)
    for base, exponent in other:
        sums[base] = sums.get(base, 0) + power * exponent
    return tuple(sorted((base, exponent) for base, exponent in sums.items() if exponent))


def shown(dimension: Dimension) -> str:
    """Return a dimension as a unit in words.

    >>> shown((("byte", 1), ("s", -1)))
    'byte/s'
    """
    above = [base if exponent == 1 else f"{base}^{exponent}" for base, exponent in dimension if exponent > 0]
    below = [base if exponent == -1 else f"{base}^{-exponent}" for base, exponent in dimension if exponent < 0]
    return "/".join(["·".join(above) or "1", *below]) if dimension else "a plain number"


def _word_dimension(word: str) -> Dimension | None:
    singulars = {word.lower(), word.lower().removesuffix("s"), word.lower().removesuffix("es")}
    if singulars & COUNTED:
        return NUMBER
    if word not in UNITS:
        return None
    base, _, below = UNITS[word].base.partition("/")
    return times(((base, 1),), ((below, 1),) if below else NUMBER, -1)


def _near(word: str) -> str | None:
    if (lower := word.lower()) in OTHER_NAMES:
        return OTHER_NAMES[lower]
    if (symbol := abbreviated(word)) in UNITS:
        return symbol
    known = [*UNITS, *COUNTED, *(f"{name}s" for name in COUNTED)]
    if word.endswith("FLOPs"):  # several, where FLOPS is a rate
        return word[:-1]
    by_likeness = sorted(known, key=lambda name: (-SequenceMatcher(None, lower, name.lower()).ratio(), name))
    return by_likeness[0] if SequenceMatcher(None, lower, by_likeness[0].lower()).ratio() >= CLOSE else None
