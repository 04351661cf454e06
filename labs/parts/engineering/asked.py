"""What a calculator is asked: its equation, the symbol to solve for, and the numbers of its fields."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from labs.model.quantities.errors import ModelError
from labs.parts.engineering.definition import Definition, Symbol
from labs.parts.engineering.solution import Solution, holds, solve

LONGEST_LABEL = 30
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


def label_of(symbol: Symbol) -> str:
    """Return what a symbol stands for in a few words: its meaning as far as a comma, or a word such as "of"."""
    label = symbol.meaning.partition(",")[0]
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
