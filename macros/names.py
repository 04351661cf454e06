"""The name that was probably meant: hints for misspelt keys, ids, functions and units."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import lru_cache

LONGEST = 100  # characters that are compared; nobody misspells a name of more
CLOSE = 0.7  # of difflib's ratio
WORDS = 8  # letters of a known name that is meant by a longer one which holds it: bubble_share in pipeline_bubble_share
LENGTHS = 4  # a misspelt name has about as many letters as the right one


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name with the same letters in another form, or else the closest; None where none is close.

    >>> nearest("short_name", ["name", "shortName"]), nearest("misconcption", ["misconception"]), nearest("xyz", ["id"])
    ('shortName', 'misconception', None)
    """
    return _nearest(name, tuple(known))


def did_you_mean(name: object, known: Collection[str]) -> str | None:
    """Return the hint that names the nearest known name."""
    near = nearest(name, known) if isinstance(name, str) else None
    return f'did you mean "{near}"?' if near else None


@lru_cache(maxsize=10_000)  # a thousand cards may name the same missing card
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    names = _by_plain_name(known)
    plain = _plain(name)[:LONGEST]
    if plain in names:
        return names[plain]
    # difflib is slow among a thousand names; most slips leave the length and one end of the name nearly as they were.
    likely = [
        other
        for other in names
        if plain and abs(len(other) - len(plain)) <= LENGTHS and (other[:1] == plain[0] or other[-1:] == plain[-1])
    ]
    if close := get_close_matches(plain, likely, n=1, cutoff=CLOSE):
        return names[close[0]]
    within = [other for other in names if len(other) >= WORDS and other in plain]
    return names[max(within, key=len)] if within else None


@lru_cache(maxsize=100)
def _by_plain_name(known: tuple[str, ...]) -> Mapping[str, str]:
    return {_plain(candidate): candidate for candidate in reversed(known)}


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")
