"""An equation as tokens. Every character is in a token, or the text is no equation."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from macros.equations.names import MARKS, is_letter
from macros.equations.words import UNITS

type Kind = Literal["number", "unit", "word", "below", "above", "sign", "end"]

RELATIONS = frozenset("=≠≈≃≅≡∼∝<>≤≥≪≫≲≳∈∉∋⊂⊆⊃⊇→←↔⇒⇐⇔↦⟶⟹⟺≔≜≺≻⊥") | {":="}
ADDITIVE = frozenset("+−±∓∪∩∨∧⊕")
MULTIPLICATIVE = frozenset("×·⋅∗∘⊙⊗÷")
BIG = frozenset("∑∏∫⋃⋂")
OPEN = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋", "⟨": "⟩"}
CLOSE = frozenset(OPEN.values())
BARS = frozenset("|‖∥")
OTHERS = frozenset("/√∂∇∞∅…⋯,;:^_!%′″∣⊤") | BARS | BIG
# Written with the keyboard, meant as mathematics: the only signs that are changed.
TYPED = {
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<-": "←", "=>": "⇒", "...": "…",
    "-": "−", "*": "∗", "~": "∼", "'": "′",
}
SIGNS = RELATIONS | ADDITIVE | MULTIPLICATIVE | OTHERS | CLOSE | set(OPEN)
LONG = sorted((sign for sign in {*TYPED, *SIGNS} if len(sign) > 1), key=len, reverse=True)

NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+\-−]?\d+)?(?![\d.])|[½⅓⅔¼¾⅛]", re.ASCII)
UNIT = re.compile(rf"[ \u00a0\u202f]?({'|'.join(map(re.escape, sorted(UNITS, key=len, reverse=True)))})(?![\w/²³⁻·^])")
SPACES = frozenset(" \t\r\n\u00a0\u2009\u202f")
DASH = "–"


@dataclass(frozen=True)
class Token:
    """A piece of an equation: what it is, the characters shown for it, where it stands, whether space is before it."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool


def scan(source: str) -> list[Token] | None:
    """Return the tokens of an equation, an end token last; None where a character belongs to no equation."""
    tokens: list[Token] = []
    at = 0
    while at < len(source):
        before = at
        while at < len(source) and source[at] in SPACES:
            at += 1
        if at == len(source):
            break
        found = _token(source, at, tokens[-1] if tokens else None, spaced=at > before or at == 0)
        if found is None:
            return None
        tokens.append(found)
        at = found.end
    tokens.append(Token("end", "", len(source), len(source), spaced=True))
    return tokens


def _token(source: str, at: int, last: Token | None, *, spaced: bool) -> Token | None:
    if last and last.kind == "number" and (unit := UNIT.match(source, last.end)):
        return Token("unit", unit[1], unit.start(1), unit.end(), spaced)
    character = source[at]
    if character in "0123456789½⅓⅔¼¾⅛":
        match = NUMBER.match(source, at)
        return Token("number", match[0], at, match.end(), spaced) if match else None
    if is_letter(character):
        end = at + 1
        while end < len(source) and (is_letter(source[end]) or source[end] in MARKS):
            end += 1
        return Token("word", source[at:end], at, end, spaced)
    if kind := _script(character):
        end = at + 1
        while end < len(source) and _script(source[end]) == kind:
            end += 1
        return Token(kind, unicodedata.normalize("NFKC", source[at:end]), at, end, spaced)
    if character == DASH:
        # With space on both sides it is a minus; without, a range.
        between = spaced and source[at + 1 : at + 2] in SPACES
        return Token("sign", "−", at, at + 1, spaced) if between else None
    sign = next((long for long in LONG if source.startswith(long, at)), character)
    if sign == "<-" and not (spaced and source[at + 2 : at + 3] in SPACES):
        return None  # x<-1 is no arrow
    shown = TYPED.get(sign, sign)
    return Token("sign", shown, at, at + len(sign), spaced) if shown in SIGNS else None


def _script(character: str) -> Literal["below", "above"] | None:
    how = unicodedata.decomposition(character).split(" ")[0]
    if how == "<super>" and character not in "ªº™℠":
        return "above"
    return "below" if how == "<sub>" else None
