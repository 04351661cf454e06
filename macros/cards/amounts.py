"""The numbers in a sentence, with their units and the precision that they are written with."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import inf, isclose

from labs.model.quantities.names import NAMES
from labs.model.quantities.units import UNITS, Unit
from macros.cards.units import NUMBER, unit_dimension

MICRO = str.maketrans("\u03bc", "\u00b5")  # two signs that look alike and mean the same; one for one, so offsets stay
GAPS = "\u00a0\u202f\u2009"  # blanks that do not break: they stand between groups of digits, and before a unit
BLANK = f"[ {GAPS}]"
# The units that a sentence may have, and an example state: the model's, also written out, and hundredths of a number.
WRITTEN = {
    **UNITS,
    **{name: UNITS[symbol] for name, symbol in NAMES.items() if symbol in UNITS},
    **dict.fromkeys(("%", "percent", "per cent"), Unit("1", 1, 100)),
}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
# A factor glued to a number in prose: 32k tokens, 70B parameters. No unit is meant then; both readings are kept.
FACTORS = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12}
JOINS = re.compile(r" (?:and|or|to) |, | ?[-–—−] ?")  # "5 and 10 ms": the unit stands once
SAME = 1e-12  # relative: what floats lose on the way


@dataclass(frozen=True)
class Reading:
    """One way to read a number: its value and half of its last digit, in a base unit."""

    value: float
    half: float
    base: str

    def in_unit(self, unit: str) -> "Reading":
        """Return the plain number read in a unit."""
        found = written_unit(unit) or Unit(unit, 1)
        return Reading(self.value * factor(unit), self.half * factor(unit), found.base)


@dataclass(frozen=True)
class Amount:
    """A number in a sentence: where it stands with its unit, and how it can be read."""

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]
    unit: str | None

    def reads(self, value: float, base: str) -> Reading | None:
        """Return the reading that has this value, or None; floats that differ in their last digits are the same."""
        for reading in self.readings:
            if reading.base == base and isclose(reading.value, value, rel_tol=SAME):
                return reading
        return None

    def measures(self, base: str) -> bool:
        """Return whether the number can be read in this base unit."""
        return any(reading.base == base for reading in self.readings)


def amounts(sentence: str) -> tuple[Amount, ...]:
    """Return the numbers of a sentence. Digits that belong to a name (H100, ZeRO-3, v4) are none.

    >>> [amount.text for amount in amounts("ZeRO-3 on 8,192 ranks: 2.02 ms at 50 GB/s")]
    ['8,192', '2.02 ms', '50 GB/s']
    """
    sentence = sentence.translate(MICRO)
    found: list[Amount] = []
    for match in reversed(list(_pattern().finditer(sentence))):
        unit = match["unit"]
        readings = list(_readings(match))
        if not match["unit"] and found and found[-1].unit and JOINS.fullmatch(sentence, match.end(), found[-1].start):
            readings.append(readings[0].in_unit(found[-1].unit))
        found.append(Amount(match.start(), match.end(), match[0].strip(), tuple(readings), unit))
    return tuple(reversed(found))


def written_unit(name: str) -> Unit | None:
    """Return the unit of a number in prose, or None; what is counted, as samples are, has none."""
    return WRITTEN.get(name) or (Unit("1", 1) if unit_dimension(name) == NUMBER else None)


@cache
def factor(unit: str) -> float:
    """Return how many base units a unit is."""
    found = written_unit(unit) or Unit(unit, 1)
    return found.numerator / found.denominator


@cache
def _pattern() -> re.Pattern[str]:
    units = "|".join(re.escape(unit) for unit in sorted(WRITTEN, key=len, reverse=True) if unit != "1")
    return re.compile(
        rf"""(?<![\w.^])(?<![A-Za-z]-)
        (?P<sign>(?:(?<=[\s(=\[:,])|^)[-−])?
        (?:(?P<base>[0-9]+)(?:\^(?P<power>[-−]?[0-9]+)|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))
          |(?P<whole>[0-9]{{1,3}}(?:[,{GAPS}][0-9]{{3}})+(?![0-9])|[0-9]+)?(?P<fraction>\.[0-9]+)?(?<=[0-9])
           (?:[eE](?P<exponent>[-+]?[0-9]+))?
           (?:{BLANK}?[×·]{BLANK}?10(?:\^(?P<ten>[-−+]?[0-9]+)|(?P<tenth>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?
        )(?![0-9])
        (?:{BLANK}?(?P<unit>{units})(?!\w)(?!/s)|(?P<factor>[kKMBGT])(?!\w)|(?=[-–—−×x/\s\W]|$|x\b))
        """,
        re.VERBOSE,
    )


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    plain = _raised(match) if match["base"] else _written(match)
    if match["sign"]:
        plain = Reading(-plain.value, plain.half, "1")
    if match["unit"]:
        yield plain.in_unit(match["unit"])
    if match["factor"] or match["unit"] in FACTORS:
        scale = FACTORS[match["factor"] or match["unit"]]
        yield Reading(plain.value * scale, plain.half * scale, "1")
    if not match["unit"] and not match["factor"]:
        yield plain


def _written(match: re.Match[str]) -> Reading:
    fraction = match["fraction"] or ""
    digits = re.sub("[^0-9]", "", (match["whole"] or "") + fraction)
    power = _integer(match["exponent"]) + _integer(match["ten"] or match["tenth"]) - max(len(fraction) - 1, 0)
    return Reading(float(f"{digits}e{power}"), float(f"5e{power - 1}"), "1")


def _raised(match: re.Match[str]) -> Reading:
    base, power = float(match["base"]), _integer(match["power"] or match["raised"])
    try:
        return Reading(base**power, 0.5, "1")
    except (OverflowError, ZeroDivisionError):
        return Reading(inf, 0.5, "1")


def _integer(text: str | None) -> int:
    return int(text.translate(SUPERSCRIPTS).replace("−", "-")[:6]) if text else 0
