"""Units: the one table of conversions, and quantities as people type and read them.

Prefixes k, M, G, … are powers of ten and Ki, Mi, Gi, … powers of two: GB is 1e9 byte, GiB is 2**30 byte; b is bit.
A factor is a fraction of whole numbers, so that a conversion is exact until its one final rounding.
"""

import re
from collections.abc import Mapping
from functools import cache
from math import gcd
from types import MappingProxyType
from typing import NamedTuple

from labs.model.quantities.errors import ModelError, finite, nearest, shown
from labs.model.quantities.names import abbreviated


class Unit(NamedTuple):
    """One unit: its base unit, and how many of those it is, as a fraction."""

    base: str
    numerator: int
    denominator: int = 1


class Kind(NamedTuple):
    """What a base unit measures: its name, an example, the units to write it in, more units to suggest."""

    phrase: str
    example: str
    ladder: tuple[str, ...]
    more: tuple[str, ...] = ()


_POWERS = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21, "Y": 24}
_BINARY = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def _decimal(symbol: str, base: str, parts: int = 1, *, least: int = 0) -> dict[str, Unit]:
    return {prefix + symbol: Unit(base, 10**power, parts) for prefix, power in _POWERS.items() if power >= least}


# The lone "b" and "kb" stay out: people write them for bytes and for bits alike.
_DATA = {
    "byte": Unit("byte", 1),
    "bytes": Unit("byte", 1),
    **_decimal("B", "byte"),
    "KB": Unit("byte", 1000),
    **{prefix + "B": Unit("byte", 1024**step) for step, prefix in enumerate(_BINARY, start=1)},
    "bits": Unit("byte", 1, 8),
    **_decimal("bit", "byte", 8),
    **_decimal("b", "byte", 8, least=6),
}

UNITS: Mapping[str, Unit] = MappingProxyType({
    "1": Unit("1", 1),
    **{name: Unit("s", 1) for name in ("s", "second", "seconds")},
    "ms": Unit("s", 1, 10**3),
    **{name: Unit("s", 1, 10**6) for name in ("\N{MICRO SIGN}s", "\N{GREEK SMALL LETTER MU}s", "us")},
    "ns": Unit("s", 1, 10**9),
    "ps": Unit("s", 1, 10**12),
    **{name: Unit("s", 60) for name in ("min", "minute", "minutes")},
    **{name: Unit("s", 3600) for name in ("h", "hour", "hours")},
    **{name: Unit("s", 86400) for name in ("d", "day", "days")},
    **_DATA,
    **{name + "/s": unit._replace(base="byte/s") for name, unit in _DATA.items()},
    **_decimal("Bps", "byte/s"),
    **_decimal("bps", "byte/s", 8),
    "KBps": Unit("byte/s", 1000),
    "Kbps": Unit("byte/s", 1000, 8),
    **_decimal("FLOP", "FLOP"),
    **_decimal("FLOP/s", "FLOP/s"),
    **_decimal("FLOPS", "FLOP/s"),
    "FLOP/byte": Unit("FLOP/byte", 1),
    "FLOP/B": Unit("FLOP/byte", 1),
})


def _ladder(symbol: str, first: str | None = None) -> tuple[str, ...]:
    return (first or symbol, *(prefix + symbol for prefix in ("k", "M", "G", "T", "P", "E")))


KINDS: Mapping[str, Kind] = MappingProxyType({
    "s": Kind("a time", "5 µs", ("ps", "ns", "µs", "ms", "s", "min", "h", "d")),
    "byte": Kind("a size", "64 MiB", _ladder("B", "byte"), ("KiB", "MiB", "GiB", "bit", "Gbit")),
    "byte/s": Kind("a bandwidth", "50 GB/s", _ladder("B/s", "byte/s"), ("GiB/s", "Gbit/s", "Gbps")),
    "FLOP": Kind("an amount of work", "6 TFLOP", _ladder("FLOP")),
    "FLOP/s": Kind("a compute rate", "300 TFLOP/s", _ladder("FLOP/s"), ("TFLOPS",)),
    "FLOP/byte": Kind("an intensity", "300 FLOP/byte", ("FLOP/byte",)),
    "1": Kind("a plain number", "32", ("1",)),
})

# The separators of thousands that cannot be read in two ways: _, and the narrow and unbreakable spaces of print.
_QUANTITY = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?P<whole>[0-9]{1,3}(?P<gap>[_\u00a0\u2009\u202f])[0-9]{3}(?:(?P=gap)[0-9]{3})*(?![0-9])|[0-9]*)"
    r"(?:\.(?P<fraction>[0-9]*))?"
    r"(?:[eE](?P<exponent>[+-]?[0-9]+))?"
    r"\s*(?P<unit>.*)",
    re.DOTALL,
)
_TYPED = str.maketrans({"\N{MINUS SIGN}": "-", **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff")})
_LONGEST = 80


def parse_quantity(text: str, unit: str) -> float:
    """Return what a person typed, in a base unit.

    A number alone is in the base unit already, and a unit's name is its symbol: megabytes are MB. Whatever could be
    read in two ways is refused: 1,5 and 1,000; gb; 8G.

    Args:
        text: a number and perhaps a unit
        unit: the base unit of the result: s, byte, byte/s, FLOP, FLOP/s, FLOP/byte or 1

    Returns:
        the quantity, in that base unit

    Raises:
        ModelError: no quantity of that kind

    Source:
        BIPM, The International System of Units, 9th edition, chapter 3 (prefixes; its note on the binary ones)

    >>> parse_quantity("64 MiB", "byte"), parse_quantity("400 Gb/s", "byte/s"), parse_quantity("5us", "s")
    (67108864.0, 50000000000.0, 5e-06)
    """
    kind = _kind(unit)

    def refused(hint: str | None = None) -> ModelError:
        return ModelError(f"expected {kind.phrase} such as {kind.example}, found {shown(text)}", hint=hint)

    if not isinstance(text, str) or len(text) > _LONGEST:
        raise refused()
    if "," in text:
        raise refused("write 1.5 with a point, and 1000 without a comma")
    match = _QUANTITY.fullmatch(text.translate(_TYPED).strip())
    if match is None or not (match["whole"] or match["fraction"]):
        raise refused()
    name = abbreviated(match["unit"])
    known = UNITS.get(name) if name != "1" else None
    if name and (known is None or known.base != unit):
        raise refused(_hint(name, unit))
    factor = known or Unit(unit, 1)
    fraction = match["fraction"] or ""
    digits = int((match["whole"] + fraction).replace(match["gap"] or "_", ""))
    power = max(-1000, min(int(match["exponent"] or 0) - len(fraction), 1000))
    try:
        value: float = (digits * factor.numerator * 10 ** max(power, 0)) / (factor.denominator * 10 ** max(-power, 0))
    except OverflowError:
        raise refused("too large") from None
    return -value if match["sign"] == "-" and value else value


def format_quantity(value: float, unit: str, digits: int = 5) -> str:
    """Return a quantity as text, with the prefix that puts it between 1 and 1000.

    Sizes and rates take powers of ten: GB is 1e9 byte. What no unit fits is written with an exponent in the base unit.
    Counts and intensities keep all digits before their point.

    Args:
        value: the quantity, in its base unit
        unit: that base unit: s, byte, byte/s, FLOP, FLOP/s, FLOP/byte or 1
        digits: significant digits, 1 to 17; trailing zeros are dropped [1]

    Returns:
        number, space and unit

    Raises:
        ModelError: not a finite number, or not a base unit

    Source:
        BIPM, The International System of Units, 9th edition, sections 5.4.3 and 5.4.4

    >>> format_quantity(0.019685, "s"), format_quantity(1e9, "byte"), format_quantity(999.9999e-6, "s")
    ('19.685 ms', '1 GB', '1 ms')
    """
    kind = _kind(unit)
    if not 1 <= digits <= 17:
        raise ModelError(f"expected digits from 1 to 17, found {digits}", argument="digits")
    value = finite("value", value) + 0.0  # no -0
    if len(kind.ladder) == 1:  # a count, an intensity
        text = _plain(value, max(digits, len(f"{abs(value):.0f}")))
        return text if unit == "1" else f"{text} {unit}"
    if value == 0:
        return f"0 {unit}"
    for limit, name in _limits(unit):
        if abs(value) >= limit:
            continue  # before convert() can overflow
        text = _plain(convert(value, unit, name), digits)
        size = abs(float(text))
        if size < 1000 and (size >= 1 or name == unit):
            return f"{text} {name}"
    number, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number}e{exponent} {unit}"


def convert(value: float, unit: str, to: str) -> float:
    """Return a quantity in another unit of the same kind.

    Args:
        value: the quantity, in the first unit
        unit: the unit that it is in, a name in UNITS
        to: the unit that it is wanted in

    Returns:
        the quantity, in the second unit

    Raises:
        ModelError: a unit that is not known, or units of two kinds

    Source:
        IEC 80000-13, clause 4 (prefixes for binary multiples)

    >>> convert(8, "GiB", "byte"), convert(400, "Gbit/s", "GB/s")
    (8589934592.0, 50.0)
    """
    times, over, is_quick = _factor(unit, to)
    number = finite("value", value)
    if is_quick and 1e-250 < abs(number) < 1e250:
        return number * times / over
    numerator, denominator = number.as_integer_ratio()
    try:
        return numerator * times / (denominator * over)
    except OverflowError:
        raise ModelError(f"expected fewer than 1.8e+308 {to}, found {value!r} {unit}") from None


@cache
def _factor(unit: str, to: str) -> tuple[int, int, bool]:
    """Return the factor between two units as a fraction, and whether plain floats give the same, but for the extremes.

    They do where one side is a power of two, which rounds nothing, and a float holds the other side.
    """
    one, other = _unit(unit), _unit(to)
    if one.base != other.base:
        raise ModelError(f"expected a unit of the same kind as {unit}, found {shown(to)}")
    times, over = one.numerator * other.denominator, one.denominator * other.numerator
    common = gcd(times, over)
    times, over = times // common, over // common
    is_quick = 1 in (times.bit_count(), over.bit_count()) and float(times) == times and float(over) == over
    return times, over, is_quick


@cache
def _limits(unit: str) -> tuple[tuple[float, str], ...]:
    """Return the units that a base unit is written in, smallest first, each with a value that is too large for it."""
    return tuple((2000 * UNITS[name].numerator / UNITS[name].denominator, name) for name in KINDS[unit].ladder)


def _plain(value: float, digits: int) -> str:
    """Return a number without trailing zeros; with an exponent only where repr() has one."""
    if 4 <= digits <= 15 and 0.001 <= abs(value) < 1000:
        return f"{value:.{digits}g}"  # the same, in half the time
    return repr(float(f"{value:.{digits - 1}e}")).removesuffix(".0")


def _kind(unit: str) -> Kind:
    if unit not in KINDS:
        raise ModelError(f"expected a base unit: {', '.join(KINDS)}, found {shown(unit)}", argument="unit")
    return KINDS[unit]


def _unit(name: str) -> Unit:
    if name not in UNITS:
        raise ModelError(f"expected a known unit, found {shown(name)}", hint=nearest(name, UNITS))
    return UNITS[name]


def _hint(name: str, unit: str) -> str | None:
    """Return what to write instead of a unit that is not known, or not of this kind."""
    if name[0] in "0123456789_'’":
        return "write 1000 or 1_000"
    if unit == "1":
        return "write the number alone"
    if unit == "byte" and name in ("k", "K", "M", "G", "T", "P", "E"):
        return f"write {name}B for a power of ten, {name.upper()}iB for a power of two"
    kind = KINDS[unit]
    alike = {other: meaning for other, meaning in UNITS.items() if meaning.base == unit}
    return nearest(name, alike) or (None if name in UNITS else f"known units: {', '.join(kind.ladder + kind.more)}")
