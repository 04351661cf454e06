"""MathML as text: one function for each element that the equations need. Every text that enters is escaped here."""

import re
import unicodedata
from html import escape
from typing import Literal

THIN = "0.1667em"  # 3/18 em, the thin space of mathematics
TAG = re.compile("<(?P<end>/?)[^<>]*?(?P<alone>/?)>")
TALL = re.compile("<(?:mfrac|munder|mover>|msqrt)")  # an accent is not
# The sign that is set above a letter for each combining mark: hat, tilde, bars, dots, ring, check, arrow.
ACCENTS = {
    "\u0302": "ˆ", "\u0303": "˜", "\u0304": "¯", "\u0305": "‾", "\u0306": "˘", "\u0307": "˙", "\u0308": "¨",
    "\u030a": "˚", "\u030c": "ˇ", "\u20d7": "\u20d7",
}
GREEK_CAPITALS = frozenset("ΓΔΘΛΞΠΣΥΦΨΩ")
APPLY = "\u2061"
TIMES = "\u2062"


def identifier(text: str) -> str:
    """Return a name: one letter in italics, several and Greek capitals upright, marks as accents above their letter."""
    letter, *marks = list(unicodedata.normalize("NFD", text))
    if text in GREEK_CAPITALS:
        return upright(text)
    if not marks or not ACCENTS.keys() >= set(marks):
        return f"<mi>{escape(text)}</mi>"
    # With the mark in the name it would stand upright, as several characters do, and cross tall letters.
    html = f"<mi>{letter}</mi>"
    for mark in marks:
        html = f'<mover accent="true">{html}{operator(ACCENTS[mark], stretchy="false")}</mover>'
    return html


def upright(text: str) -> str:
    """Return an upright name, as functions and operators have."""
    variant = ' mathvariant="normal"' if len(text) == 1 else ""
    # Behind the empty space Firefox adds none of its own between upright and italic letters.
    return f"<mrow><mspace/><mi{variant}>{escape(text)}</mi></mrow>"


def number(text: str) -> str:
    """Return a number."""
    return f"<mn>{escape(text)}</mn>"


def words(text: str) -> str:
    """Return text inside mathematics: a unit, or a subscript of several words."""
    return f"<mtext>{escape(text)}</mtext>"


def operator(text: str, **attributes: str) -> str:
    """Return an operator; spacing and stretching are the browser's unless an attribute says otherwise."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<mo{given}>{escape(text)}</mo>"


def space() -> str:
    """Return a thin space."""
    return f'<mspace width="{THIN}"/>'


def row(*parts: str) -> str:
    """Return the parts as one element; one element stays as it is."""
    inner = "".join(parts)
    return inner if _is_one_element(inner) else f"<mrow>{inner}</mrow>"


def scripts(base: str, below: str | None, above: str | None, *, limits: bool = False) -> str:
    """Return the base with what stands below and above it, as limits where the base is a sum, a maximum or the like."""
    under, over, both = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    if below and above:
        return f"<{both}>{base}{below}{above}</{both}>"
    if below:
        return f"<{under}>{base}{below}</{under}>"
    if above:
        return f"<{over}>{base}{above}</{over}>"
    return base


def fenced(opening: str, inner: str, closing: str) -> str:
    """Return the inside in brackets or bars, which grow where something tall is in them."""
    grow = "true" if TALL.search(inner) else "false"
    start, end = operator(opening, form="prefix", stretchy=grow), operator(closing, form="postfix", stretchy=grow)
    return row(start, inner, end)


def fraction(above: str, below: str) -> str:
    """Return a fraction with a bar."""
    return f"<mfrac>{above}{below}</mfrac>"


def root(inside: str) -> str:
    """Return a square root."""
    return f"<msqrt>{inside}</msqrt>"


def document(inner: str, source: str, display: Literal["block", "inline"]) -> str:
    """Return a whole `<math>` element with its source beside it, for screen readers, search and copying."""
    block = ' display="block"' if display == "block" else ""
    note = f'<annotation encoding="text/plain">{escape(source, quote=False)}</annotation>'
    return f"<math{block}><semantics>{row(inner)}{note}</semantics></math>"


def _is_one_element(inner: str) -> bool:
    depth = 0
    for tag in TAG.finditer(inner):
        if depth == 0 and tag.start() > 0:
            return False
        depth += 0 if tag["alone"] else -1 if tag["end"] else 1
    return bool(inner)
