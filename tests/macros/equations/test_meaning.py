"""What is typeset means what was typed: under every way to read it, and with every character in its place."""

import re
from fractions import Fraction

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from macros.equations.text import equation_html
from tests.macros.equations.reading import shown, typed, value, without_parentheses

VALUES = {name: Fraction(prime) for name, prime in zip("abcknpqα", (2, 3, 5, 7, 11, 13, 17, 19), strict=True)}
TOKEN = re.compile(r"\d+|[a-zα]|[-+−·×*/()²]")


class Reading:
    """A reading of a text with juxtaposition as product: binding like × and /, or tighter than both."""

    def __init__(self, source: str, *, tighter: bool) -> None:
        self.tokens = [*TOKEN.findall(source), ""]
        self.tighter = tighter

    def sum(self) -> Fraction:
        total = -self.next_product() if self.take("-", "−") else self.next_product()
        while sign := self.take("+", "-", "−"):
            term = self.next_product()
            total += term if sign == "+" else -term
        return total

    def next_product(self) -> Fraction:
        total = self.factor()
        while True:
            sign = self.take("·", "×", "*", "/")
            if not sign and not (self.tokens[0] and self.tokens[0] not in "+-−)"):
                return total
            factor = self.factor()
            total = total / factor if sign == "/" else total * factor

    def factor(self) -> Fraction:
        total = self.single()
        while self.tighter and self.tokens[0] and self.tokens[0] not in "+-−·×*/)":
            total *= self.single()
        return total

    def single(self) -> Fraction:
        token = self.tokens.pop(0)
        if token == "(":
            found = self.sum()
            assert self.take(")")
        else:
            found = VALUES[token] if token in VALUES else Fraction(int(token))
        return found**2 if self.take("²") else found

    def take(self, *signs: str) -> str:
        return self.tokens.pop(0) if self.tokens[0] in signs and self.tokens[0] else ""


def expressions() -> st.SearchStrategy[str]:
    atoms = st.one_of(st.sampled_from(sorted(VALUES)), st.integers(2, 9).map(str), st.sampled_from(["a²", "n²"]))
    joints = st.sampled_from([" + ", " − ", "-", " ", " ", "", "/", " / ", "/", " · ", "·", " × ", " * ", "*"])

    def longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pairs = st.tuples(inner, joints, inner).map("".join)
        return st.one_of(pairs, inner.map("({})".format), pairs.map("({})".format))

    # Touching letters are words and units, a digit that touches a letter is its index, x1, and a letter in parentheses
    # behind one is its argument, p(x).
    other = re.compile(r"[a-zα]([a-zα\d]|\([^ ]²?\))")
    return st.recursive(atoms, longer, max_leaves=8).filter(lambda source: not other.search(source))


@given(expressions())
def test_what_is_typeset_has_one_value_under_both_ways_to_bind_a_product(source: str) -> None:
    html = equation_html(source)
    event("typeset" if html else "text")
    assume(html is not None)
    assert html
    try:
        expected = Reading(source, tighter=True).sum()
        other = Reading(source, tighter=False).sum()
        found = value(html, VALUES)
    except ZeroDivisionError:
        assume(False)
    assert found == expected
    assert found == other


@given(expressions())
def test_no_character_is_lost_or_moved(source: str) -> None:
    html = equation_html(source)
    assume(html is not None)
    assert html
    if "/" in source:
        assert without_parentheses(shown(html)) == without_parentheses(typed(source))
    else:
        assert shown(html) == typed(source)


EVERY_KIND = (
    "Tcomm ≈ n α + Q / Beff", "Mpeak = Mweights + Mlive_activations", "T = 2(p − 1)α + 2(p − 1)/p · M/B",
    "C = 6 N D", "C ≈ 6ND", "x_{ij}", "x_ij + y_i²", "10⁻³", "10^-3", "O(n log n)", "max(0, Tcomm − Tcompute)",
    "√d_k", "softmax(QKᵀ/√dₖ)V", "∑_{i=1}^{n} xᵢ", "|V|", "‖x‖₂²", "⌈n/p⌉ ≤ ⌊x⌋", "f'(x) ≪ 50%", "αstart",
    "T = 4 × 5 μs + 100 MB / 50 GB/s", "θ ← θ − η m̂ₜ / (√v̂ₜ + ε)", "p(x_t | x_<t)", "V* = max_a Q(s, a)",
    "a <= b != c >= d", "x -> y", "x₁, …, xₙ", "1 + ... + n", "i ∈ {1, …, n}", "x ∈ [0, 1)", "log2(n) ~ log₂ n",
    "x_{data parallel}", "∂L/∂w = ∇_θ L(θ)", "I = C dV/dt", "ΔT – δt", "W_Q^T x", "n! ∝ 2^{n−1}",
    "1,000 × 1e9", "Qᵀ ⋅ K", "½ m v²", "e^{-x/T}", "D_KL(P‖Q)", "ŷ = x̄", "GPUs = TP*PP*DP", "T_{<t} ± A[i:j]",
)


@pytest.mark.parametrize("source", EVERY_KIND)
def test_each_kind_of_equation_shows_what_was_typed(source: str) -> None:
    html = equation_html(source)
    assert html, "expected mathematics, found text"
    if "/" in source or "√" in source:
        assert without_parentheses(shown(html)) == without_parentheses(typed(source))
    else:
        assert shown(html) == typed(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("2(p − 1)/p · a/b", Fraction(2 * 12, 13) * Fraction(2, 3)),
        ("n a/b", Fraction(11 * 2, 3)),
        ("a b / (c k)", Fraction(6, 35)),
        ("(a + b)/(c + k)", Fraction(5, 12)),
        ("(a + b)(c + k)/n", Fraction(5 * 12, 11)),
        ("1/(a + 1/(b + c))", Fraction(8, 17)),
        ("a / b × c", Fraction(10, 3)),
    ],
)
def test_fractions_group_as_they_are_read(source: str, expected: Fraction) -> None:
    html = equation_html(source)
    assert html
    assert value(html, VALUES) == expected
