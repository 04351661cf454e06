"""Unicode mathematics as MathML, by a strict grammar: what can be read in two ways, or as a sentence, is refused.

    series  = chain { ("," | "|") chain }            a bar only inside brackets
    chain   = sum { relation sum }
    sum     = [sign] product { sign product }
    product = ratio { times ratio }
    ratio   = factor { factor } [ "/" factor ]       nothing may stand beside what is below
    factor  = (number | name | function | root | bracket | bar … bar | big operator) scripts

Nothing is lost and nothing changes places. What is shown differs from what was typed only so: space is thin or none;
`_`, `^` and the braces of scripts become scripts, raised and lowered characters their plain ones, combining marks
accents; a slash becomes a bar, and parentheses around all that is above it, below it or under a root are dropped;
keyboard signs become those of mathematics (`scan.TYPED`), a spaced en dash a minus. The source beside it is untouched.
"""

from macros.equations import mathml
from macros.equations.cursor import Series
from macros.equations.factor import Factor, Refusal, quotient, side_by_side
from macros.equations.operands import Operands
from macros.equations.scan import ADDITIVE, BARS, BIG, MULTIPLICATIVE, RELATIONS
from macros.equations.words import NOT_FRACTIONS, UNITS_OF_ONE_LETTER

LONGEST = 1000  # characters; what is longer is prose
SIGNS = ("+", "−", "±", "∓")
DIVIDED_WITH = ("×", "·", "⋅", "∗")  # may stand in one product with a slash


def equation_html(source: str) -> str | None:
    """Return the MathML inside `<math>` for an equation, or None where it must stay text.

    >>> equation_html("x²"), equation_html("Time is short")
    ('<msup><mi>x</mi><mn>2</mn></msup>', None)
    """
    text = source.strip()
    if not text or len(text) > LONGEST or text.lower() in NOT_FRACTIONS:
        return None
    stop = "." if text.endswith(".") and not text.endswith("..") else ""
    try:
        inner = Grammar(text.removesuffix(stop)).whole()
    except Refusal:
        return None
    return inner + (mathml.words(stop) if stop else "")


class Grammar(Operands):
    """Reads whole expressions."""

    def whole(self) -> str:
        """Read everything."""
        html = self.series(",:;" if self.script else ",").html
        if self.next.kind != "end":
            raise Refusal
        return html

    def nested(self, source: str) -> str:
        """Return the MathML of mathematics inside a script, as one element."""
        if source in ("+", "−", "-", "*", "∗"):
            return mathml.operator({"-": "−", "*": "∗"}.get(source, source), form="postfix")
        return mathml.row(Grammar(source, script=True, depth=self.depth + 1).whole())

    def series(self, separators: str) -> Series:
        """Read expressions with any of these separators between them."""
        html, related = self._chain()
        parts = [html]
        while self._separates(separators):
            parts.append(self._separator())
            parts.append(self._chain()[0])
        return Series("".join(parts), alone=len(parts) == 1 and not related)

    def _separates(self, separators: str) -> bool:
        if self.next.kind != "sign" or self.next.text not in separators:
            return False
        if self.level == 0 and not self.script and not self.after.spaced and self._behind_subscript():
            raise Refusal  # x_max,i
        if self.next.text in BARS:
            # "Given" has space on both sides or on none; otherwise it is one of a pair around something.
            return not self.bars and self.next.spaced == self.after.spaced
        return True

    def _behind_subscript(self) -> bool:
        return self.at > 1 and self.tokens[self.at - 2].text == "_"

    def _separator(self) -> str:
        sign = self.take().text
        if sign in (*BARS, "∣"):
            return mathml.operator(sign, form="infix", stretchy="false", lspace="0.2778em", rspace="0.2778em")
        return mathml.operator(sign)

    def _chain(self) -> tuple[str, bool]:
        # In a script a relation may come first: x_{<t}.
        parts = [] if self.script and self.sign(*RELATIONS) else [self._sum()]
        while self.sign(*RELATIONS):
            parts.append(self._between(self.take().text))
            parts.append(self._sum())
        return "".join(parts), len(parts) > 1

    def _sum(self) -> str:
        parts = []
        if self.sign(*SIGNS):
            parts.append(mathml.operator(self.take().text, form="prefix"))
        parts.append(self._product())
        while self.sign(*ADDITIVE):
            parts.append(self._between(self.take().text))
            parts.append(self._product())
        return "".join(parts)

    def _product(self) -> str:
        html, divided = self._ratio()
        parts, only_divided_with = [html], True
        while self.sign(*MULTIPLICATIVE) or (self.next.kind == "word" and self.next.text == "mod"):
            times = self.take()
            if divided and not (times.spaced and self.next.spaced):
                raise Refusal  # a / b·c may mean a/(b c)
            behind_name = not times.spaced and self.tokens[self.at - 2].kind == "word"
            if times.text == "∗" and behind_name and self.touching("("):
                raise Refusal  # π*(s) may be the best π
            only_divided_with = only_divided_with and times.text in DIVIDED_WITH
            html, divided_here = self._ratio()
            divided = divided or divided_here
            parts += [self._between(times.text), html]
        if divided and not only_divided_with:
            raise Refusal
        return "".join(parts)

    def _ratio(self) -> tuple[str, bool]:
        factors = self.factors()
        if not self.sign("/"):
            if factors[-1].kind == "big" or _may_be_a_quantity(factors):
                raise Refusal
            return side_by_side(factors), False
        slash = self.take()
        if slash.spaced != self.next.spaced or any(factor.letter in ("∏", "∫", "⋃", "⋂") for factor in factors):
            raise Refusal
        below = self._below()
        if below.letter == "s" and factors[0].kind == "number":
            raise Refusal  # 10 B/s
        html = quotient(factors, below, tight=not slash.spaced, flat=self.script)
        if self.sign("/"):
            raise Refusal  # a/b/c
        if self.starts_factor():
            # Only a sum may stand behind: 1/N ∑ x. Everything else may belong below: a / b c.
            if slash.spaced or not self.next.spaced or self.next.text not in BIG:
                raise Refusal
            html += side_by_side(self.factors())
        return html, True

    def _below(self) -> Factor:
        below = self.applied(certain=True)
        if below.kind == "big" and below.letter == "∑":
            body = self.applied(certain=True)
            return Factor(side_by_side([below, body]), "group")
        if below.kind in ("big", "dots"):
            raise Refusal
        return below

    def _between(self, sign: str) -> str:
        attributes = {"lspace": "0", "rspace": "0"} if self.script and sign != "mod" else {}
        return mathml.operator(sign, **attributes)


def _may_be_a_quantity(factors: list[Factor]) -> bool:
    """Return whether the factors are a number and a letter that is a unit too: 5 s."""
    return [factor.kind for factor in factors] == ["number", "name"] and factors[1].letter in UNITS_OF_ONE_LETTER
