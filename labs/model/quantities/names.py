"""Units by their names, written out or half: the symbols that the table of units has for them."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_PREFIXES = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y",
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei",
}  # fmt: skip
_SYMBOLS = {"byte": "B", "bytes": "B", "bit": "bit", "bits": "bit", "flop": "FLOP", "flops": "FLOPS"}
_TIMES = {"milli": "m", "micro": "\N{MICRO SIGN}", "nano": "n", "pico": "p"}
# Written out in any case; FLOPS is a rate.
NAMES: Mapping[str, str] = MappingProxyType({
    **{f"{word}{name}": f"{prefix}{symbol}" for word, prefix in _PREFIXES.items() for name, symbol in _SYMBOLS.items()},
    **{f"{word}second{plural}": f"{prefix}s" for word, prefix in _TIMES.items() for plural in ("", "s")},
    **{f"{prefix}sec{plural}": f"{prefix}s" for prefix in ("", "m", "u", "n") for plural in ("", "s")},
})
# A prefix's symbol before a name is as clear as before a symbol, and keeps its case.
_HALF = re.compile(r"([kKMGTPE]i?)(?:(byte)s?|(bit)s)", re.IGNORECASE)
_PER = re.compile(r"\s+per\s+|\s*/\s*", re.IGNORECASE)
_SECOND = frozenset({"s", "sec", "second"})


def abbreviated(name: str) -> str:
    """Return a unit's symbol where its name is written out, and else what was given.

    >>> abbreviated("megabytes"), abbreviated("Gigabits per second"), abbreviated("GByte/sec"), abbreviated("MB")
    ('MB', 'Gbit/s', 'GB/s', 'MB')
    """
    above, *below = _PER.split(name)
    return "/".join((_symbol(above), *("s" if one.casefold() in _SECOND else one for one in below)))


def _symbol(name: str) -> str:
    if half := _HALF.fullmatch(name):
        return f"{half[1]}{'B' if half[2] else 'bit'}"
    return NAMES.get(name.casefold(), name)
