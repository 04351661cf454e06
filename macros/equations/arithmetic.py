"""Plain equations as trees of what was written: names, numbers, sums, products, powers and a few functions.

A sign or a name that is not understood, or what can be read in two ways, ends the reading: nothing is guessed.
"""

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass

RELATIONS = re.compile(r"[=≈≤≥<>≡≃∼~≲≳∝]+|:=")
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<sign>[-+−±·*×/÷^(),√⌈⌉⌊⌋])|(?P<name>[^\W\d_][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*))"
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
FUNCTIONS = frozenset({"min", "max", "ln", "log2", "log10", "exp", "sqrt", "ceil", "floor"})
ROUNDED = {"⌈": ("⌉", "ceil"), "⌊": ("⌋", "floor")}
DEEPEST = 24
TWO_WAYS = "what stands behind a division can be read in two ways"

type Node = Number | Name | Sum | Product | Power | Call


class Unclear(Exception):
    """The text is not understood for certain; why, in a few words."""


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True)
class Name:
    """A symbol, by its plain name."""

    name: str


@dataclass(frozen=True)
class Sum:
    """Terms, each with its sign: + − ±."""

    terms: tuple[tuple[str, Node], ...]


@dataclass(frozen=True)
class Product:
    """Factors, each with "·" or "/" before it. A product inside a product stood in brackets."""

    factors: tuple[tuple[str, Node], ...]


@dataclass(frozen=True)
class Power:
    """A base and its exponent."""

    base: Node
    exponent: Node


@dataclass(frozen=True)
class Call:
    """A function of arguments."""

    function: str
    arguments: tuple[Node, ...]


def plain_name(symbol: str) -> str:
    """Return a symbol without what different hands write differently: B_eff, B_{eff} and Beff are one, M₀ and M_0 too.

    >>> plain_name("B_{eff}"), plain_name("M₀")
    ('Beff', 'M0')
    """
    raised = (
        unicodedata.normalize("NFKC", mark) if unicodedata.decomposition(mark).startswith("<sub>") else mark
        for mark in symbol
    )
    return re.sub(r"[_{}\s\\-]", "", "".join(raised))


def parse(text: str, names: Container[str], *, glued: bool = False) -> Node:
    """Return one side of an equation as a tree.

    Args:
        text: Unicode mathematics
        names: the plain names of the symbols
        glued: whether letters that touch are factors, as in TeX

    Raises:
        Unclear: the text is not understood for certain

    >>> parse("n α", {"n", "α"})
    Product(factors=(('·', Name(name='n')), ('·', Name(name='α'))))
    """
    return _Reader(_tokens(text, names, glued=glued), names).whole()


def _tokens(text: str, names: Container[str], *, glued: bool) -> list[tuple[str, str]]:
    position, text, found = 0, text.rstrip(), []
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            rest = re.match(r"\s*(\\[A-Za-z]+|.)", text[position:], re.DOTALL)
            raise Unclear(f"{rest[1] if rest else text} is not computed")
        token = match[match.lastgroup]
        if glued and match.lastgroup == "name" and plain_name(token) not in names and token not in FUNCTIONS:
            apart = token if all(letter in names for letter in token) else [token]
            found += [("name", letter) for letter in apart]
        else:
            found.append((match.lastgroup, token))
        position = match.end()
    return found


@dataclass
class _Reader:
    """Reads tokens one after another."""

    tokens: list[tuple[str, str]]
    names: Container[str]
    depth: int = 0

    def whole(self) -> Node:
        result = self._sum()
        if self.tokens:
            raise Unclear(f'"{self.tokens[0][1]}" stands where nothing can')
        return result

    def _next_is(self, signs: str) -> bool:
        return bool(self.tokens) and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs

    def _take(self) -> tuple[str, str]:
        if not self.tokens:
            raise Unclear("it ends too early")
        return self.tokens.pop(0)

    def _expect(self, sign: str) -> None:
        if self._take() != ("sign", sign):
            raise Unclear(f'"{sign}" is missing')

    def _sum(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unclear("brackets are nested too deep")
        terms = [(self._sign() if self._next_is("-−+±") else "+", self._product())]
        while self._next_is("-−+±"):
            terms.append((self._sign(), self._product()))
        self.depth -= 1
        return terms[0][1] if len(terms) == 1 and terms[0][0] == "+" else Sum(tuple(terms))

    def _sign(self) -> str:
        return self._take()[1].replace("-", "−")

    def _product(self) -> Node:
        factors = [("·", self._power())]
        divided = False
        while True:
            if self._next_is("·*×/÷"):
                sign = "/" if self._take()[1] in "/÷" else "·"
                divided |= sign == "/"
            elif self.tokens and (self.tokens[0][0] in ("number", "name") or self._next_is("(√⌈⌊")):
                if divided:  # is `a / b c` a/(b c) or (a/b) c? Nobody can tell.
                    raise Unclear(TWO_WAYS)
                sign = "·"
            else:
                return factors[0][1] if len(factors) == 1 else Product(tuple(factors))
            bracket = self._next_is("(")
            factor = self._power()
            if bracket and sign == "·" and isinstance(factors[-1][1], Name) and isinstance(factor, Name):
                raise Unclear(f"{factors[-1][1].name}({factor.name}) may be a function or a product")
            factors.append((sign, factor))

    def _power(self) -> Node:
        base = self._atom()
        if self.tokens and self.tokens[0][0] == "raised":
            raised = self._take()[1].translate(SUPERSCRIPTS)
            if not re.fullmatch("-?[0-9]{1,2}", raised):
                raise Unclear("an exponent is no number")
            return Power(base, _signed(raised))
        if self._next_is("^"):
            self._take()
            if self._next_is("-−"):
                self._take()
                kind, text = self._take()
                if kind != "number":
                    raise Unclear("an exponent is no number")
                return Power(base, _signed(f"-{text}"))
            return Power(base, self._atom())
        return base

    def _atom(self) -> Node:
        kind, text = self._take()
        plain = plain_name(text)
        if kind == "number":
            return Number(text.replace(",", ""))
        if kind == "name" and plain in self.names:
            return Name(plain)
        if kind == "name" and plain in FUNCTIONS:
            return Call(plain, self._arguments())
        if kind == "name":
            raise Unclear(f"{text} has no row with its unit")
        if text == "√":
            return Call("sqrt", self._arguments())
        if text in ROUNDED:
            closing, function = ROUNDED[text]
            inner = self._sum()
            self._expect(closing)
            return Call(function, (inner,))
        if text == "(":
            inner = self._sum()
            self._expect(")")
            return inner
        raise Unclear(f'"{text}" stands where nothing can')

    def _arguments(self) -> tuple[Node, ...]:
        if not self._next_is("("):
            kind, text = self.tokens[0] if self.tokens else ("", "")
            if kind == "number" or (kind == "name" and plain_name(text) not in FUNCTIONS):
                argument = self._atom()
                if not self._goes_on():
                    return (argument,)
            raise Unclear("where a function's argument ends can be read in two ways")
        self._take()
        found = [self._sum()]
        while self._next_is(","):
            self._take()
            found.append(self._sum())
        self._expect(")")
        return tuple(found)

    def _goes_on(self) -> bool:
        return bool(self.tokens) and (self.tokens[0][0] != "sign" or self._next_is("/÷^(√⌈⌊"))


def _signed(text: str) -> Node:
    number = Number(text.removeprefix("-"))
    return Sum((("−", number),)) if text.startswith("-") else number
