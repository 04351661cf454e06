"""What of a card's equation is typeset, what stays text, and where it is split."""

import pytest

from macros.equations.latex import EquationError
from macros.equations.typeset import Piece, typeset
from tests.macros.equations.reading import shown, tree


def kinds(equation: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.source) for piece in typeset(equation, None)]


def test_a_unicode_equation_is_a_whole_element_with_its_source() -> None:
    (piece,) = typeset("x² < y", None)
    assert piece == Piece(
        kind="math",
        source="x² < y",
        html='<math display="block"><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><mi>y</mi></mrow>'
        '<annotation encoding="text/plain">x² &lt; y</annotation></semantics></math>',
        problem=None,
    )


def test_authored_latex_wins() -> None:
    (piece,) = typeset("A sentence in words.", r"a=\frac{b}{c}")
    assert piece.kind == "math"
    assert piece.source == r"a=\frac{b}{c}"
    assert piece.html is not None
    assert shown(piece.html) == "a=b/c"
    assert '<annotation encoding="application/x-tex">a=\\frac{b}{c}</annotation>' in piece.html


def test_authored_latex_that_cannot_be_set_is_an_error_with_its_place() -> None:
    with pytest.raises(EquationError) as caught:
        typeset("x = y", r"x = \fraction{y}{z}")
    assert caught.value.message == r'expected LaTeX that can be typeset, found an unknown command "\fraction"'
    assert caught.value.offset == 4


def test_empty_latex_is_not_taken_for_none() -> None:
    with pytest.raises(EquationError, match="expected LaTeX, found an empty text"):
        typeset("x = y", " ")


def test_nothing_has_no_pieces() -> None:
    assert typeset(" ", None) == ()


@pytest.mark.parametrize(
    ("equation", "pieces"),
    [
        ("a = b; c = d", ["a = b", "c = d"]),
        ("M₀ = (b_p + b_o) Ψ; M₁ = b_p Ψ + b_o Ψ / N", ["M₀ = (b_p + b_o) Ψ", "M₁ = b_p Ψ + b_o Ψ / N"]),
        ("p(x; θ) = f(x); y = 2 x", ["p(x; θ) = f(x)", "y = 2 x"]),
        ("a = b\nc = d", ["a = b", "c = d"]),
        (r"\alpha = \frac{1}{2}; b = \mathrm{x}", [r"\alpha = \frac{1}{2}", r"b = \mathrm{x}"]),
        (r"a\; = \beta; c = d", [r"a\; = \beta", "c = d"]),
        ("Mpeak = Mweights; \\alpha = 1", ["Mpeak = Mweights", "\\alpha = 1"]),
    ],
)
def test_several_equations_are_several_pieces(equation: str, pieces: list[str]) -> None:
    assert kinds(equation) == [("math", piece) for piece in pieces]


def test_an_equation_in_words_stands_beside_one_in_symbols() -> None:
    assert kinds("T = n α; peak memory = weights + activations") == [
        ("math", "T = n α"),
        ("text", "peak memory = weights + activations"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "T = n α; Q is in bytes",
        "Latency grows with n; bandwidth does not",
        "Overhead is (p − 1) / m of the ideal time; the share is (p − 1) / (m + p − 1) of the step.",
        "Peak memory = weights; peak time = work / rate",
        "Global batch equals microbatch size times accumulated microbatches times replicas.",
        "loss = cross entropy over tokens",
        "Use \\frac to write fractions",
        "Costs $5 and $6",
        "C:\\temp\\new",
        "E = mc^2",
        "loss_{ce} = cross entropy",
        "I",
        "8",
        "Beff",
        "a, b",
        "2.02",
        "  padded sentence  ",
    ],
)
def test_everything_else_is_one_text_unchanged(sentence: str) -> None:
    assert kinds(sentence) == [("text", sentence)]


@pytest.mark.parametrize(
    ("equation", "seen"),
    [
        (r"T = \frac{Q}{B_{\mathrm{eff}}}", "T=Q/Beff"),
        (r"B_{\mathrm{data\ parallel}}", "Bdataparallel"),
        (r"T_{comm} = \alpha n", "Tcomm=αn"),
        ("a_{i}/b/c", "ai/b/c"),
        (r"\[ x = y \]", "x=y"),
        ("$$x = y$$", "x=y"),
        (r"$\frac{a}{b}$", "a/b"),
    ],
)
def test_tex_in_the_equation_is_tex(equation: str, seen: str) -> None:
    (piece,) = typeset(equation, None)
    assert piece.html is not None
    assert 'encoding="application/x-tex"' in piece.html
    assert shown(piece.html) == seen


def test_words_in_scripts_of_tex_are_upright() -> None:
    (piece,) = typeset(r"T_{comm} = x_{ijk} \alpha", None)
    assert piece.html is not None
    names = [name.text for name in tree(piece.html).iter("mi")]
    assert names == ["T", "comm", "x", "i", "j", "k", "α"]


def test_tex_that_cannot_be_set_is_text_and_says_why() -> None:
    (piece,) = typeset(r"\foo{x} = y", None)
    assert piece == Piece(
        kind="text",
        source=r"\foo{x} = y",
        html=None,
        problem=r'expected LaTeX that can be typeset, found an unknown command "\foo"',
    )
