"""What a calculator is asked: its equation, the symbol to solve for, and the numbers of its fields."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import Definition, Symbol
from labs.parts.engineering.solution import Solution, holds, solve

LONGEST_LABEL, LONGEST_APART = 30, 45
ENDS_A_LABEL = frozenset(("at", "for", "from", "if", "in", "of", "on", "per", "that", "to", "until", "which", "with"))


@dataclass(frozen=True)
class Asked:
    """What a frame is asked: the equation, the symbol to solve for, and the numbers of the fields."""

    definition: Definition
    name: str
    numbers: Mapping[str, float]

    @property
    def symbol(self) -> Symbol:
        """Return the symbol to solve for."""
        return next(symbol for symbol in self.definition.symbols if symbol.name == self.name)

    @property
    def inputs(self) -> list[Symbol]:
        """Return the other symbols."""
        return [symbol for symbol in self.definition.symbols if symbol.name != self.name]

    def label(self, symbol: Symbol) -> str:
        """Return what a symbol stands for in a few words."""
        return label_of(symbol, self.definition)

    def solution(self, changes: Mapping[str, float]) -> Solution:
        """Return the symbol's value where some inputs are changed.

        Raises:
            ModelError: there is none, or several
        """
        given = {symbol.name: changes.get(symbol.name, self.numbers[symbol.name]) for symbol in self.inputs}
        sides = self.definition.sides
        found = solve(sides, self.name, given, self.symbol.unit)
        whole = float(round(found.value))
        if self.symbol.counts and whole >= 1 and holds(sides, {**given, self.name: whole}):
            return replace(found, value=whole)  # 32 and not 32.000000001, from inputs that were rounded
        return found

    def value(self, changes: Mapping[str, float]) -> float | None:
        """Return the value alone, None where there is none or another may fit as well."""
        try:
            found = self.solution(changes)
        except ModelError:
            return None
        return found.value if found.alone else None


def label_of(symbol: Symbol, definition: Definition) -> str:
    """Return what a symbol of an equation stands for in a few words, or in more where others would have the same."""
    short = _brief(symbol)
    alike = [other for other in definition.symbols if other is not symbol and _brief(other) == short]
    if not alike:
        return short
    first = _first(symbol)
    tells = len(first) <= LONGEST_APART and all(_first(other) != first for other in alike)
    return first if tells else f"{short}, {symbol.symbol}"


def _first(symbol: Symbol) -> str:
    return symbol.meaning.partition(",")[0]


def _brief(symbol: Symbol) -> str:
    """Return a symbol's meaning as far as a comma, or a word such as "of"."""
    label = _first(symbol)
    while len(label) > LONGEST_LABEL:
        words = label.split(" ")
        ends = [at for at, word in enumerate(words) if at and word in ENDS_A_LABEL]
        if not ends:
            return symbol.symbol
        label = " ".join(words[: ends[-1]])
    return label


def lower(text: str) -> str:
    """Return a text as it stands inside a sentence; "GPU memory" and "B of a link" keep their capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
