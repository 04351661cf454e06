"""A place in an equation: its tokens, how deep the reading is, and which bars are open."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from macros.equations.factor import Refusal
from macros.equations.scan import Token, scan

DEEPEST = 24  # brackets in brackets; no equation for people has more


@dataclass(frozen=True)
class Series:
    """Expressions with commas or bars between them: the MathML, and whether it is one expression without a relation."""

    html: str
    alone: bool


class Cursor(ABC):
    """Reads tokens one after another. `script` is true inside subscripts and superscripts, which are set tight."""

    def __init__(self, source: str, *, script: bool = False, depth: int = 0) -> None:
        tokens = scan(source)
        if tokens is None or depth > DEEPEST:
            raise Refusal
        self.source = source
        self.script = script
        self.depth = depth
        self.tokens = tokens
        self.at = 0
        self.bars: list[str] = []  # open at this level of brackets
        self.level = 0

    @abstractmethod
    def series(self, separators: str) -> Series:
        """Read expressions with any of these separators between them."""

    @property
    def next(self) -> Token:
        """Return the token to be read."""
        return self.tokens[self.at]

    @property
    def after(self) -> Token:
        """Return the token behind the next one."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Read a token."""
        token = self.next
        self.at += 1
        return token

    def sign(self, *texts: str) -> bool:
        """Return whether one of these signs is next."""
        return self.next.kind == "sign" and self.next.text in texts

    def touching(self, *texts: str) -> bool:
        """Return whether one of these signs is next, without space before it."""
        return not self.next.spaced and self.sign(*texts)

    def expect(self, text: str) -> None:
        """Read this sign, or refuse."""
        if not self.sign(text):
            raise Refusal
        self.at += 1

    def deeper[T](self, read: Callable[[], T]) -> T:
        """Read something inside something."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refusal
        result = read()
        self.depth -= 1
        return result
