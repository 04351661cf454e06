"""Words in a picture that a phone sets in larger type: laid out for that type, so that they fit in both."""

from math import floor

from labs.views.drawing import text, width_of

TYPE = 18  # of a phone, in units of the drawing; elsewhere it is drawing.FONT
LEADING = 20.0


def fitted(
    x: float, y: float, words: str, room: float, *, anchor: str = "start", colour: str = "muted", extra: str = ""
) -> str:
    """Return a text that is no wider than its room in a phone's type either."""
    return text(x, y, words, anchor=anchor, colour=colour, extra=extra + relative(share(words, room)))


def share(words: str, room: float) -> float:
    """Return how much of the type's size the words may have, at most all of it."""
    wide = taken(words)
    return max(floor(100 * room / wide), 1) / 100 if wide > room else 1.0


def taken(words: str) -> float:
    """Return about how wide a phone sets words; width_of is rather wider, so that one letter fits too."""
    return 0.92 * width_of(words, TYPE)


def relative(size: float) -> str:
    """Return the attribute of a size that is relative to what the page sets."""
    return f' font-size="{size:g}em"' if size < 1 else ""


def wrapped(words: str, room: float) -> list[str]:
    """Return the words in as many lines as they need in a phone's type.

    >>> wrapped("Key and value", 80)
    ['Key and', 'value']
    """
    lines: list[str] = []
    for word in filter(None, words.split(" ")):
        if lines and taken(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
