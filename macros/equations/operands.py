"""The parts of products: numbers, names, functions, roots, brackets, bars, sums."""

from itertools import pairwise

from macros.equations import mathml
from macros.equations.factor import Factor, Refusal
from macros.equations.names import Name, is_word, letters, names
from macros.equations.scan import BARS, BIG, OPEN, Token
from macros.equations.scripts import Scripts
from macros.equations.words import LIMITS

CHANGES = "∂∇"
LEAVES = "∞∅"
DOTS = "…⋯"
MULTIPLIERS = frozenset("BDGKMTkb")  # 7B and 2D may be no products
ARGUMENT_SIGNS = frozenset(",;:_|‖∥∣′<")


class Operands(Scripts):
    """Reads operands."""

    def starts_factor(self) -> bool:
        """Return whether a factor is next that may stand beside the last one."""
        token = self.next
        if token.kind in ("number", "word"):
            return token.text != "mod"
        if token.kind != "sign":
            return False
        if token.text in BARS:
            # A bar opens where space stands only before it. Without any space it may be "given", inside brackets.
            return not self.bars and not self.after.spaced and (token.spaced or self.level == 0)
        if token.text == "[":
            return not token.spaced
        return token.text in OPEN or token.text in BIG or token.text in CHANGES or token.text in LEAVES + DOTS + "√"

    def factors(self) -> list[Factor]:
        """Read factors that stand beside each other."""
        found = self.deeper(self._some)
        while self.starts_factor():
            found += self.deeper(self._some)
        return found

    def one(self) -> Factor:
        """Read exactly one factor, as under a root or behind a function."""
        found = self.deeper(self._some)
        if len(found) != 1:
            raise Refusal
        return found[0]

    def applied(self, *, certain: bool) -> Factor:
        """Read one factor, with the parenthesis that touches a name: p(x).

        Args:
            certain: refuse where the parenthesis may be multiplied: M/B(1 + x)
        """
        factor = self.one()
        if factor.kind == "name" and self.touching("(", "["):
            group = self.one()
            if certain and not group.argument:
                raise Refusal
            return Factor(factor.html + group.html, "call", factor.spaced)
        return factor

    def bracketed(self) -> str:
        """Read a parenthesis without scripts."""
        return self.deeper(self._bracket).html

    def _some(self) -> list[Factor]:
        token = self.next
        if token.kind == "word":
            return self._names()
        return [self._unnamed(token)]

    def _unnamed(self, token: Token) -> Factor:
        if token.kind == "number":
            return self._number()
        if token.kind != "sign":
            raise Refusal
        if token.text in OPEN:
            group = self._bracket()
            return self._with_scripts(group.html, group)
        if token.text in BARS:
            return self._between_bars()
        self.at += 1
        if token.text == "√":
            return self._root(token)
        if token.text in BIG:
            limits = token.text != "∫"
            both = self.scripts()
            html = mathml.scripts(mathml.operator(token.text), both.below, both.above, limits=limits)
            return Factor(html, "big", token.spaced, letter=token.text)
        if token.text in CHANGES:
            both = self.scripts()
            base = mathml.scripts(mathml.upright(token.text), both.below, both.above)
            return Factor(mathml.row(base, self.applied(certain=False).html), "name", token.spaced)
        if token.text in LEAVES:
            return self._with_scripts(mathml.upright(token.text), Factor("", "name", token.spaced))
        if token.text in DOTS:
            return Factor(mathml.identifier(token.text), "dots", token.spaced)
        raise Refusal

    def _number(self) -> Factor:
        token = self.take()
        html = mathml.number(token.text)
        if self.next.kind == "unit" or self.sign("%"):
            gap = mathml.space() if self.next.spaced or self.next.kind == "unit" else ""
            return Factor(mathml.row(html, gap, mathml.words(self.take().text)), "quantity", token.spaced)
        return self._with_scripts(html, Factor("", "number", token.spaced))

    def _with_scripts(self, base: str, like: Factor) -> Factor:
        both = self.scripts()
        html = mathml.scripts(base, both.below, both.above)
        if self.touching("!"):
            html = mathml.row(html, mathml.operator(self.take().text))
        plain = html == like.html
        return Factor(html, like.kind, like.spaced, like.bare if plain else None, like.argument, like.letter)

    def _names(self) -> list[Factor]:
        number = self.tokens[self.at - 1] if self.at else None
        token = self.take()
        counted = number is not None and number.kind == "number" and not token.spaced
        raised = self.next.kind == "above" or self.sign("^")
        found = names(token.text, called=self.touching("("), raised=raised and not self.next.spaced, counted=counted)
        if found is None and self.script and is_word(token.text):
            found = (Name(token.text, "upright"),)
        if found is None:
            raise Refusal
        if counted and token.text in MULTIPLIERS and (self.next.spaced or self.next.kind == "sign"):
            raise Refusal
        *first, last = found
        touching = [Factor(mathml.identifier(name.text), "name") for name in first]
        touching.append(self._function(last) if last.kind in ("function", "called") else self._variable(last))
        head = touching[0]
        touching[0] = Factor(head.html, head.kind, token.spaced, letter=head.letter)
        return touching

    def _variable(self, name: Name) -> Factor:
        glued = name.subscript
        both = self.scripts(glued)
        below = both.below
        if below is None and both.above is None and self._is_index(name):
            below = mathml.number(self.take().text)  # W1
            above = self.scripts()
            if above.below:
                raise Refusal
            both = above
        base = mathml.identifier(name.text)
        if name.kind == "differential":
            base = mathml.row(*map(mathml.identifier, letters(name.text)))
        elif name.kind == "upright":
            base = mathml.upright(name.text)
        html = mathml.scripts(base, below, both.above)
        if name.change:
            html = mathml.row(mathml.upright(name.change), html)
        letter = name.text if html == base and len(letters(name.text)) == 1 else ""
        if self.touching("!"):
            html = mathml.row(html, mathml.operator(self.take().text))
        return Factor(html, "upright" if name.kind == "upright" else "name", letter=letter)

    def _is_index(self, name: Name) -> bool:
        token = self.next
        if token.kind != "number" or token.spaced or len(token.text) > 1 or name.kind != "variable":
            return False
        return self.after.spaced or self.after.kind not in ("word", "number")

    def _function(self, name: Name) -> Factor:
        base = mathml.upright(name.text)
        if name.text == "log" and self.next.kind == "number" and not self.next.spaced and self.next.text in ("2", "10"):
            base = mathml.scripts(base, mathml.number(self.take().text), None)
        else:
            both = self.scripts()
            limits = name.text in LIMITS and both.above is None and not self.script
            base = mathml.scripts(base, both.below, both.above, limits=limits)
        if self.sign("("):
            group = self.one()
            return Factor(mathml.row(base, mathml.operator(mathml.APPLY), group.html), "call")
        if not self.starts_factor():
            raise Refusal
        argument = self.applied(certain=False)
        if argument.kind in ("dots", "big", "upright"):
            raise Refusal
        return Factor(mathml.row(base, mathml.operator(mathml.APPLY), mathml.space(), argument.html), "function")

    def _root(self, token: Token) -> Factor:
        if self.next.spaced:
            raise Refusal
        start = self.at
        if self.sign("("):
            group = self._bracket()
            if self.next.kind == "above" or self.touching("^", "_"):
                raise Refusal
            return Factor(mathml.root(group.bare or group.html), "root", token.spaced, bare="")
        inside = self.one()
        if any(token.kind == "above" or token.text == "^" for token in self.tokens[start : self.at]):
            raise Refusal  # √x² may mean either
        if inside.kind not in ("number", "name"):
            raise Refusal
        return Factor(mathml.root(inside.html), "root", token.spaced)

    def _bracket(self) -> Factor:
        opening, outer = self.take(), self.bars
        start = self.at
        if opening.text == "{" and self.sign("{"):
            raise Refusal
        self.bars, self.level = [], self.level + 1
        series = self.series(",;|‖∥∣:" if opening.text == "[" else ",;|‖∥∣")
        inside = self.tokens[start : self.at]
        self.bars, self.level = outer, self.level - 1
        closing = self.take()
        interval = opening.text + closing.text in ("[)", "(]") and [token.text for token in inside].count(",") == 1
        if closing.kind != "sign" or (closing.text != OPEN[opening.text] and not interval):
            raise Refusal
        html = mathml.fenced(opening.text, series.html, closing.text)
        bare = mathml.row(series.html) if opening.text == "(" and series.alone else None
        return Factor(html, "group", opening.spaced, bare, _is_argument(inside))

    def _between_bars(self) -> Factor:
        bar = self.take()
        if self.next.spaced or self.sign(bar.text):
            raise Refusal  # ||x|| is a norm
        self.bars.append(bar.text)
        inside = self.series(",").html
        if self.next.spaced:
            raise Refusal
        self.expect(bar.text)
        self.bars.pop()
        html = mathml.fenced(bar.text, inside, bar.text)
        return self._with_scripts(html, Factor(html, "group", bar.spaced))


def _is_argument(inside: list[Token]) -> bool:
    names_and_signs = all(
        token.kind in ("word", "below", "above") or (token.kind == "sign" and token.text in ARGUMENT_SIGNS)
        for token in inside
    )
    return names_and_signs and not any(left.kind != "sign" and right.kind == "word" for left, right in pairwise(inside))
