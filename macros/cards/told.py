"""Symbols whose units only the explanation tells: "α seconds/phase, Q transferred bytes and Beff useful bytes/s"."""

import re

from macros.cards.types import ScienceEntry, Symbol
from macros.cards.units import unit_dimension
from macros.equations.arithmetic import plain_name

CLAUSES = re.compile(r"[,;.]\s+|\s+and\s+|[.;]$")
SYMBOL = re.compile(r"(?P<symbol>[^\W\d]\w*)\s+(?:(?:is|are)\s+)?(?:the\s+)?(?P<words>.+)")
ENDS = re.compile(r"\s+(?:for|of|in|at|on|to|that|which|where|when)\s")  # behind it stands no unit any more
STATED = re.compile(r"[(\[](?P<bracketed>[^()\[\]]+)[)\]]$|\bin (?P<behind>\S+)$")
FORMULA_NAME = re.compile(r"[^\W\d_][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*")


def told(entry: ScienceEntry) -> tuple[Symbol, ...]:
    """Return the symbols of an equation that its explanation names with their units, word for word.

    A clause counts if it begins with a symbol of the equation and ends with a unit that is known.
    """
    names = {plain_name(name) for name in FORMULA_NAME.findall(entry.equation)}
    found: dict[str, Symbol] = {}
    for clause in CLAUSES.split(entry.explanation.strip()):
        match = SYMBOL.fullmatch(clause.strip())
        if match is None or plain_name(match["symbol"]) not in names:
            continue
        unit = _unit(match["words"])
        if unit and plain_name(match["symbol"]) not in found:
            words = ENDS.split(match["words"])[0].strip()
            meaning = words[:1].upper() + words[1:]
            found[plain_name(match["symbol"])] = Symbol(symbol=match["symbol"], meaning=meaning, unit=unit)
    return tuple(found.values())


def _unit(words: str) -> str | None:
    """Return the unit in brackets, behind a last "in", or as the last word before what the thing is for."""
    stated = STATED.search(words)
    tried = stated["bracketed"] or stated["behind"] if stated else ENDS.split(words)[0].strip().rpartition(" ")[2]
    return tried if unit_dimension(tried) is not None else None
