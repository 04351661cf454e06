"""Subscripts and superscripts: raised and lowered characters, `_` and `^` with a letter, a number, a word or braces."""

import re
from abc import abstractmethod
from dataclasses import dataclass

from macros.equations import mathml
from macros.equations.cursor import Cursor
from macros.equations.factor import Refusal
from macros.equations.names import is_letter, is_word, letters
from macros.equations.scan import ADDITIVE, CLOSE, RELATIONS, Token
from macros.equations.words import INDICES

WORDS = re.compile(r"[A-Za-z]+(?:[ _-][A-Za-z]+)*")
MIXED = re.compile(r"[A-Za-z]+\d+[A-Za-z]*|\d+[A-Za-z]+")  # P2P, i1, 2d
WORD_HERE = re.compile(r"[A-Za-z]+(?:\d+[A-Za-z]+)?(?:(?<=[a-z]{2})-[a-z]{2,})*")  # comm, P2P, all-reduce

TRANSPOSE = mathml.upright("T")


@dataclass(frozen=True)
class Both:
    """What stands below and above a base."""

    below: str | None = None
    above: str | None = None


def word_html(word: str) -> str:
    """Return the letters or words of a script: indices in italics, each on its own, words upright."""
    parts = re.split(r"[ _]", word)
    if len(parts) > 1 or "-" in word:
        return mathml.words(" ".join(parts))
    if word in INDICES:
        return mathml.row(*map(mathml.identifier, word))
    return mathml.identifier(word)


class Scripts(Cursor):
    """Reads scripts."""

    @abstractmethod
    def nested(self, source: str) -> str:
        """Return the MathML of mathematics inside a script, as one element."""

    @abstractmethod
    def bracketed(self) -> str:
        """Read a parenthesis with what is in it."""

    def scripts(self, glued: str | None = None) -> Both:
        """Read all scripts of a base; the lower one comes first, as nothing may change places.

        Args:
            glued: a subscript that the name already has; `_` carries it on
        """
        below = word_html(glued) if glued else None
        above: str | None = None
        while not self.next.spaced:
            if self.next.kind == "below" and not below and not above:
                below = self.nested_or_word(self.take().text)
            elif self.next.kind == "above" and not above:
                above = self._raised(self.take().text)
            elif self.sign("_") and not above and (glued or not below):
                self.at += 1
                below, glued = self._lower(glued), None
            elif self.sign("^") and not above:
                self.at += 1
                above = self._upper()
            elif self.sign("′") and not above:
                above = mathml.operator(self._primes(), form="postfix")
            elif self.sign("∗") and not above and self._is_star():
                self.at += 1
                above = mathml.operator("∗", form="postfix")
            else:
                break
        return Both(below, above)

    def nested_or_word(self, text: str) -> str:
        """Return the MathML of a script's text: a word, several words, or mathematics."""
        text = text.strip()
        if WORDS.fullmatch(text) and (len(text) == 1 or all(len(part) > 1 for part in re.split("[ _-]", text))):
            return word_html(text)
        if MIXED.fullmatch(text):
            return mathml.words(text)
        return self.nested(text)

    def _raised(self, text: str) -> str:
        return TRANSPOSE if text == "T" else self.nested_or_word(text)

    def _primes(self) -> str:
        primes = ""
        while self.touching("′"):
            primes += self.take().text
        return primes

    def _is_star(self) -> bool:
        # V* = …, V*), V* − 1: nothing stands behind the asterisk that it could multiply.
        token = self.after
        return _ends(token) or (token.kind == "sign" and token.spaced and token.text in RELATIONS | ADDITIVE)

    def _lower(self, glued: str | None) -> str:
        token = self.next
        if token.spaced:
            raise Refusal
        if self.sign("{"):
            if glued:
                raise Refusal
            return self._braces()
        if token.kind == "word":
            return self._lower_word(glued)
        if glued:
            raise Refusal
        if self.sign("("):
            return self.bracketed()
        if self.sign("<", "≤", ">", "≥"):
            relation = mathml.operator(self.take().text, lspace="0", rspace="0")
            return mathml.row(relation, self._letter_or_number())
        return self._letter_or_number()

    def _lower_word(self, glued: str | None) -> str:
        if not self.next.text.isascii():
            if glued:
                raise Refusal
            return self._letter_or_number()
        words = [glued] if glued else []
        while True:
            match = WORD_HERE.match(self.source, self.next.start)
            if match is None:
                raise Refusal
            words.append(match[0])
            while self.next.start < match.end():
                self.at += 1
            if self.tokens[self.at - 1].end != match.end():
                raise Refusal
            if not self.touching("_"):
                break
            self.at += 1  # several words: T_comm_total
        if len(words) > 1 and not all(map(is_word, words)):
            raise Refusal
        if self._carries_on() or (len(words[0]) == 1 and self.touching(*ADDITIVE)):
            raise Refusal  # x_t-1 may mean x at t - 1
        return word_html(" ".join(words))

    def _letter_or_number(self) -> str:
        token = self.take()
        one = token.kind == "number" or (token.kind == "word" and len(letters(token.text)) == 1)
        if token.spaced or not one or self._carries_on() or (token.kind == "word" and self.touching(*ADDITIVE)):
            raise Refusal
        return mathml.number(token.text) if token.kind == "number" else mathml.identifier(token.text)

    def _carries_on(self) -> bool:
        return not self.next.spaced and self.next.kind in ("number", "word")

    def _upper(self) -> str:
        if self.next.spaced:
            raise Refusal
        if self.sign("{"):
            return self._braces()
        if self.sign("("):
            return self.bracketed()
        if self.sign("∗", "⊤"):
            return mathml.operator(self.take().text, form="postfix")
        if self.sign("−", "+"):
            sign = mathml.operator(self.take().text, form="prefix")
            inner = mathml.row(sign, self._letter_or_number())
            if not self.next.spaced and not _ends(self.next):
                raise Refusal  # e^-x/T may mean either
            return inner
        variable = self.next.kind == "word"
        inner = self._letter_or_number()
        if variable and self.touching("("):
            raise Refusal
        return inner

    def _braces(self) -> str:
        start = self.take().end
        open_braces = 1
        while open_braces:
            token = self.take()
            if token.kind == "end":
                raise Refusal
            open_braces += (token.text == "{") - (token.text == "}")
        inner = self.source[start : token.start].strip()
        if not inner or (not any(map(is_letter, inner)) and not any(map(str.isdigit, inner)) and inner not in "∗*⊤+−-"):
            raise Refusal
        return TRANSPOSE if inner == "⊤" else self.nested_or_word(inner)


def _ends(token: Token) -> bool:
    return token.kind == "end" or (token.kind == "sign" and (token.text in CLOSE or token.text in ",;"))
