"""What a run of letters stands for: a variable, a function, a letter with a glued subscript, or none of these."""

import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from macros.equations.mathml import ACCENTS
from macros.equations.words import ACRONYMS, CALLED, FUNCTIONS, ONSETS, PRODUCTS, SUBSCRIPTS, WHOLE

DELTAS = "Δδ"  # stand before what changes
MARKS = frozenset(ACCENTS)  # acute and grave belong to words
VOWELS = frozenset("aeiouy")
GLUED_AT_LEAST = 3  # letters of a subscript that is in no list

type Kind = Literal["variable", "function", "called", "upright", "differential"]


@dataclass(frozen=True)
class Name:
    """One symbol of a run of letters: its letters, the subscript that was glued to it, the Δ or δ before it."""

    text: str
    kind: Kind = "variable"
    subscript: str | None = None
    change: str = ""


def is_letter(character: str) -> bool:
    """Return whether equations are written with this letter: Latin, Greek, or one of mathematics' own."""
    if character.isascii() or not character.isalpha():
        return character.isascii() and character.isalpha()
    if unicodedata.category(character) not in ("Lu", "Ll", "Lo"):
        return False  # raised and lowered letters are scripts
    decomposed = unicodedata.normalize("NFD", character)
    of_language = (decomposed[0].isascii() or is_greek(decomposed[0])) and MARKS.issuperset(decomposed[1:])
    return of_language or character in "ℓℏℂℕℙℚℝℤℒℱℋℐℛ" or "\U0001d400" <= character <= "\U0001d7ff"


def is_greek(character: str) -> bool:
    """Return whether this is a Greek letter, the micro sign among them."""
    return "Ͱ" <= character <= "Ͽ" or character == "\u00b5"


def letters(run: str) -> list[str]:
    """Return the letters of a run, each with its combining marks.

    >>> len(letters("m\u0302t"))
    2
    """
    parts: list[str] = []
    for character in run:
        if parts and unicodedata.combining(character):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def names(run: str, *, called: bool = False, raised: bool = False, counted: bool = False) -> tuple[Name, ...] | None:
    """Return the symbols of a run of letters, or None where only a reader could tell.

    Args:
        run: letters without a space between them
        called: a parenthesis follows at once
        raised: a superscript follows at once
        counted: a number stands at once before

    >>> names("Tcomm"), names("Time")
    ((Name(text='T', kind='variable', subscript='comm', change=''),), None)
    """
    parts = letters(run)
    if len(parts) == 1:
        return (Name(run),)
    if run in FUNCTIONS:
        return (Name(run, "function"),)
    if called and run in CALLED:
        return (Name(run, "called"),)
    if run in ACRONYMS:
        return (Name(run, "upright"),)
    if run in PRODUCTS:
        return tuple(map(Name, parts))
    if _is_differential(parts):
        return (Name(run, "differential"),)
    first, rest = parts[0], run[len(parts[0]) :]
    if is_greek(first[0]):
        return _after_greek(first, rest, raised=raised)
    if first.isascii() and first.isupper() and _is_glued(first, rest):
        return (Name(first, subscript=rest),)
    if first.islower() and len(parts) == 2 and is_greek(rest[0]):
        return Name(first), Name(rest)
    if _is_product(parts, raised=raised, counted=counted):
        return tuple(map(Name, parts))
    return None


def is_word(run: str) -> bool:
    """Return whether a run is a lower-case word of Latin letters, as subscripts are."""
    return len(run) > 1 and run.isascii() and run.isalpha() and run.islower()


def _is_glued(letter: str, rest: str) -> bool:
    if not is_word(rest) or (letter + rest).lower() in WHOLE:
        return False
    if rest in SUBSCRIPTS:
        return True
    begins_no_word = (letter + rest[0]).lower() not in ONSETS and not VOWELS & {letter.lower(), rest[0]}
    return begins_no_word and len(rest) >= GLUED_AT_LEAST and bool(VOWELS & set(rest))


def _after_greek(first: str, rest: str, *, raised: bool) -> tuple[Name, ...] | None:
    # No word mixes Greek and Latin: a lower-case word behind a Greek letter is its subscript.
    if is_word(rest) and (rest in SUBSCRIPTS or (len(rest) >= GLUED_AT_LEAST and VOWELS & set(rest))):
        return (Name(first, subscript=rest),)
    if first in DELTAS:
        changed = names(rest, raised=False)
        alone = changed is not None and len(changed) == 1 and changed[0].kind == "variable" and not changed[0].change
        return (replace(changed[0], change=first),) if changed and alone else None
    parts = letters(rest)
    if (len(parts) == 1 and first == "π") or first + rest == "ωt" or _is_product(parts, raised=raised, counted=False):
        return (Name(first), *map(Name, parts))
    return None


def _is_differential(parts: list[str]) -> bool:
    return parts[0] == "d" and len(parts) == 2 and parts[1] in "tuvxyzVWIQTLθφτω"


def _is_product(parts: list[str], *, raised: bool, counted: bool) -> bool:
    # Capitals alone may be an acronym. The transpose of QKᵀ or the six of 6ND says that they are not.
    capitals = all(part[0].isascii() and part.isupper() for part in parts)
    return capitals and ((raised and len(parts) == 2) or (counted and len(parts) <= 3))
