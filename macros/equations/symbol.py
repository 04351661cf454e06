"""A symbol of a card's table, inside a line."""

import re
from html import escape

from macros.equations import mathml
from macros.equations.names import is_letter, letters
from macros.equations.scripts import word_html
from macros.equations.text import equation_html

# Here the whole text is one symbol, so that a subscript may hold words: N_data parallel.
SUBSCRIPTED = re.compile(r"(?P<base>[^\W\d_][\u0300-\u036f]*)_(?P<words>[A-Za-z]+(?:[ -][A-Za-z]+)+)")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def symbol_html(text: str) -> str:
    """Return a symbol as an inline `<math>` where what it is is certain, and else as the text it is in a `<span>`.

    >>> symbol_html("the rest")
    '<span>the rest</span>'
    """
    symbol = text.strip()
    inner = _subscripted(symbol) or equation_html(symbol)
    if inner:
        return mathml.document(inner, symbol, "inline")
    return f"<span>{escape(UNPRINTABLE.sub('\ufffd', text), quote=False)}</span>"


def _subscripted(symbol: str) -> str | None:
    match = SUBSCRIPTED.fullmatch(symbol)
    if match is None or not is_letter(letters(match["base"])[0][0]) or " " not in match["words"]:
        return None
    return mathml.scripts(mathml.identifier(match["base"]), word_html(match["words"]), None)
