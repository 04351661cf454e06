"""The equation of a card as pieces: each is typeset, or the text that it is."""

import re
from dataclasses import dataclass
from typing import Literal

from macros.equations.latex import EquationError, latex_html
from macros.equations.mathml import document
from macros.equations.scan import CLOSE, OPEN, RELATIONS, scan
from macros.equations.text import equation_html
from macros.equations.words import INDICES

COMMAND = re.compile(r"\\[A-Za-z]+")
GROUP = re.compile(r"[_^]\{")
DELIMITED = re.compile(r"\s*(?:\$\$?([^$]+)\$\$?|\\\[(.+)\\\]|\\\((.+)\\\))\s*", re.DOTALL)
NAMED = r"\\(?:text\w*|math(?:rm|bf|sf|tt|it)|operatorname\*?|mbox|begin|end|color)\s*\{[^{}]*\}"
NO_PROSE = re.compile(NAMED + r"|\\[A-Za-z]+|[_^]\{[^{}]*\}")  # commands and scripts may hold words
# TeX sets words as letters in italics that run together. Outside scripts that is no equation for anyone to read;
# in scripts, as the grammar does, they are set upright.
PROSE = re.compile(r"[A-Za-z]{4,}|[A-Za-z]{2,}[,;]? +[A-Za-z]{2,}")
SUBSCRIPT_OF_WORDS = re.compile(r"(?P<sign>[_^])\{(?P<word>[A-Za-z]{3,}|[A-Z]{2})\}")
TWO_LETTERS = re.compile("[A-Za-z]{2}")
RELATION = re.compile("|".join(map(re.escape, sorted(RELATIONS, key=len, reverse=True))))


@dataclass(frozen=True)
class Piece:
    """One equation: MathML in `html`, and the LaTeX that it was set from, if any; or the text in `source`.

    `problem` says why LaTeX stays text.
    """

    kind: Literal["math", "text"]
    source: str
    html: str | None = None
    tex: str | None = None
    problem: str | None = None


def typeset(entry_equation: str, latex: str | None) -> tuple[Piece, ...]:
    r"""Return the pieces of an equation, one a line.

    Authored LaTeX wins, and is then the only piece. Where the equation itself is a sentence, it says more than the
    LaTeX: show it below when `typeset(equation, None)` has a piece of kind "text"; otherwise it is the same again.

    Without LaTeX, a string with TeX commands is TeX, several equations joined by `; ` are several pieces, what the
    strict grammar of `macros.equations.text` accepts is typeset, and everything else is text, unchanged. A semicolon
    splits only between equations; in a sentence it stays where it is.

    Args:
        entry_equation: the equation of the card
        latex: the LaTeX of the card

    Raises:
        EquationError: authored LaTeX that cannot be set; its offset counts characters of `latex`

    >>> [piece.kind for piece in typeset("T = n α; Q is in bytes", None)]
    ['text']
    """
    if latex is not None:
        return (Piece("math", latex, latex_html(latex), latex),)
    if not entry_equation.strip():
        return ()
    parts = _split(entry_equation)
    if len(parts) > 1:
        pieces = [_piece(part) for part in parts]
        if any(piece.kind == "math" for piece in pieces) and all(map(_is_equation, pieces)):
            return tuple(pieces)
    return (_piece(entry_equation),)


def _piece(source: str) -> Piece:
    inner = equation_html(source)
    if inner and _says_something(source):
        return Piece("math", source, document(inner, source.strip(), "block"))
    if delimited := DELIMITED.fullmatch(source):
        return _tex(source, next(filter(None, delimited.groups())))
    if COMMAND.search(source):
        return Piece("text", source) if PROSE.search(NO_PROSE.sub(" ", source)) else _tex(source, source)
    if GROUP.search(source) and not TWO_LETTERS.search(source):
        return _tex(source, source)
    return Piece("text", source)


def _says_something(source: str) -> bool:
    """Return whether there is more than one name or number, and no mere list of them."""
    tokens = scan(source.strip().removesuffix(".")) or []
    words = [token for token in tokens if token.kind == "word"]
    related = any(token.text in RELATIONS for token in tokens)
    listed = any(token.text == "," for token in tokens) and not any(token.text in OPEN for token in tokens)
    return len(tokens) > 2 and (related or (bool(words) and not listed))


def _tex(source: str, tex: str) -> Piece:
    upright = SUBSCRIPT_OF_WORDS.sub(_upright, tex)
    try:
        return Piece("math", source, latex_html(upright, note=tex.strip()), upright)
    except EquationError as error:
        return Piece("text", source, problem=error.message)


def _upright(match: re.Match[str]) -> str:
    return match[0] if match["word"] in INDICES else rf"{match['sign']}{{\mathrm{{{match['word']}}}}}"


def _is_equation(piece: Piece) -> bool:
    return piece.kind == "math" or RELATION.search(piece.source) is not None


def _split(source: str) -> list[str]:
    """Return what stands between semicolons and line breaks outside brackets, without the space around it."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(source):
        ends = character == "\n" or (character == ";" and source[at + 1 : at + 2].isspace())
        if character in OPEN:
            depth += 1
        elif character in CLOSE:
            depth = max(depth - 1, 0)
        elif ends and depth == 0 and source[at - 1 : at] != "\\":
            parts.append(source[start:at])
            start = at + 1
    parts.append(source[start:])
    return [part.strip() for part in parts if part.strip()]
