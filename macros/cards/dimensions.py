"""Dimensions of plain equations: whether their sides and sums fit each other, as far as that is certain.

A sign or a name that is not understood ends the reading without a word: a wrong alarm is worse than none.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from macros.cards.units import NUMBER, SUPERSCRIPTS, Dimension, shown, times

RELATIONS = re.compile(r"[=≈≤≥<>≡≃∼~≲≳]+|:=")
TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<sign>[-+−±·*×/÷^()])"
    r"|(?P<name>[^\W\d_][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*))"
)


class Unclear(Exception):
    """The text is not understood for certain."""


class Mismatch(Exception):
    """Two parts of an equation that should have one dimension have two."""

    def __init__(self, one: Dimension, other: Dimension) -> None:
        super().__init__(f"{shown(one)} and {shown(other)}")
        self.one, self.other = one, other


def plain_name(symbol: str) -> str:
    """Return a symbol without what different hands write differently: B_eff, B_{eff} and Beff are one."""
    return re.sub(r"[_{}\s\\-]", "", symbol)


def check_equation(equation: str, symbols: Mapping[str, Dimension]) -> None:
    """Compare the dimensions of the sides and sums of an equation.

    Args:
        equation: Unicode mathematics; several are joined by "; "
        symbols: the dimension of each symbol, by its plain name

    Raises:
        Mismatch: two parts that should have one dimension have two
        Unclear: the text is not understood for certain
    """
    for one in equation.split("; "):
        sides = RELATIONS.split(one)
        if len(sides) < 2:
            raise Unclear
        known = [dimension for side in sides if (dimension := _Reader(side, symbols).whole()) is not None]
        for other in known[1:]:
            _expect_same(known[0], other)


def _expect_same(one: Dimension, other: Dimension) -> None:
    if one != other:
        raise Mismatch(one, other)


@dataclass
class _Reader:
    """Reads one side of an equation; a dimension of None means that a bare number may hide a unit."""

    text: str
    symbols: Mapping[str, Dimension]
    tokens: list[tuple[str, str]] = field(default_factory=list)

    def whole(self) -> Dimension | None:
        self.tokens = list(self._tokens())
        result = self._sum()
        if self.tokens:
            raise Unclear
        return result

    def _tokens(self) -> Iterator[tuple[str, str]]:
        position, text = 0, self.text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if match is None or match.lastgroup is None:
                raise Unclear
            yield match.lastgroup, match[match.lastgroup]
            position = match.end()

    def _next_is(self, signs: str) -> bool:
        return bool(self.tokens) and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs

    def _sum(self) -> Dimension | None:
        if self._next_is("-−+±"):
            self.tokens.pop(0)
        result = self._product()
        while self._next_is("-−+±"):
            self.tokens.pop(0)
            term = self._product()
            if result is not None and term is not None:
                _expect_same(result, term)
            result = term if result is None else result
        return result

    def _product(self) -> Dimension | None:
        result, has_number, divided, unclear = NUMBER, False, False, False
        sign = "·"
        while True:
            is_number = bool(self.tokens) and self.tokens[0][0] == "number"
            factor = self._power()
            has_number |= is_number
            unclear |= factor is None
            result = times(result, factor or NUMBER, -1 if sign in "/÷" else 1)
            divided |= sign in "/÷"
            if self._next_is("·*×/÷"):
                sign = self.tokens.pop(0)[1]
            elif self.tokens and (self.tokens[0][0] in ("number", "name") or self._next_is("(")):
                if divided:  # is `a / b c` a/(b c) or (a/b) c? Nobody can tell.
                    raise Unclear
                sign = "·"
            else:
                # 16 N bytes: the number hides bytes for each parameter. 2 (p - 1) α: it does not.
                return None if unclear or (has_number and result == NUMBER) else result

    def _power(self) -> Dimension | None:
        base = self._atom()
        exponent = "1"
        if self.tokens and self.tokens[0][0] == "raised":
            exponent = self.tokens.pop(0)[1].translate(SUPERSCRIPTS)
        elif self._next_is("^"):
            self.tokens.pop(0)
            negative = self._next_is("-−") and bool(self.tokens.pop(0))
            kind, text = self.tokens.pop(0) if self.tokens else ("", "")
            if kind != "number" or not text.isdigit():
                raise Unclear
            exponent = f"-{text}" if negative else text
        if not re.fullmatch("-?[0-9]{1,2}", exponent):
            raise Unclear
        return None if base is None else times(NUMBER, base, int(exponent))

    def _atom(self) -> Dimension | None:
        kind, text = self.tokens.pop(0) if self.tokens else ("", "")
        if kind == "number":
            return NUMBER
        if kind == "name" and plain_name(text) in self.symbols:
            return self.symbols[plain_name(text)]
        if text == "(":
            result = self._sum()
            if self._next_is(")"):
                self.tokens.pop(0)
                return result
        raise Unclear
