"""Whatever a card holds: no exception, no markup that was typed, and well-formed XML."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.equations.symbol import symbol_html
from macros.equations.text import equation_html
from macros.equations.typeset import typeset

ELEMENTS = (
    "math semantics annotation mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover"
    " mtable mtr mtd mstyle mpadded mphantom mmultiscripts mprescripts none b i em code span"
)
HOSTILE = [
    "<script>alert(1)</script>", "x < y <b>", "a & b", "a &amp; b", "&lt;", "x = <img src=x onerror=alert(1)>",
    r"\href{javascript:alert(1)}{x}", r"\text{<script>alert(1)</script>} = \alpha", r"\url{x}", r"\class{a}{b}",
    r"\begin{align}x\label{a}\end{align} \eqref{a}", r"\unicode{x3c}", "]]>", "<!-- x -->", "<![CDATA[x]]>",
    "x\x00 = y", "\ud800 = x", "x = \ufffe", "{{ x }} = {% y %}", "x = y\u202e", "\\", "\\\\", "_", "^", "{", "}",
    "$", "%", "#", "x_{", "x^{", "x_{}", "\\frac", "\\begin{", "\\end{align}", "¼½", "۱۲۳ = x", "x" * 10_000,
    "x + " * 2_500, "1" * 10_000, "x = " + "a + " * 200 + "b", "(" * 5_000 + "x" + ")" * 5_000, "(" * 5_000,
    "|" * 5_000, "√" * 5_000 + "x", "−" * 5_000, "x_{" * 300 + "y" + "}" * 300, "x^(" * 300,
    "{" * 5_000 + "x" + "}" * 5_000, "log " * 240 + "x", "∂" * 900 + "x", "\\sqrt" * 5_000 + " x",
    r"\frac{1}{" * 3_000 + "x" + "}" * 3_000,
]
# Characters that equations are made of, so that far more than noise is reached.
EQUATIONS = st.text(alphabet="abnxTMeffcom αβΔ012²ₖᵀ⁻_^{}()[]|‖/·×+−-=≈<√∑∂,;.!%'*\\\u0302\n", max_size=30)
COMMANDS = (
    r"\frac \sqrt \alpha \mathrm \text \left( \right) { } _ ^ & \\ x 2 = ; \sum \begin{aligned} \end{aligned}"
)
TEX = st.lists(st.sampled_from([*COMMANDS.split(), " "])).map("".join)


def check(html: str) -> None:
    for element in ElementTree.fromstring(html).iter():
        assert element.tag in ELEMENTS.split()
        assert not {name for name in element.attrib if name.startswith("on") or name in ("href", "id", "src")}


def set_whole(text: str) -> None:
    for piece in typeset(text, None):
        assert (piece.html is None) == (piece.kind == "text")
        if piece.html:
            check(piece.html)
    span = symbol_html(text)
    if span.startswith("<math"):
        check(span)
    else:
        assert ElementTree.fromstring(span).tag == "span"
        assert len(ElementTree.fromstring(span)) == 0


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:24]))
def test_hostile_texts_do_no_harm(text: str) -> None:
    set_whole(text)


@given(st.text())
def test_any_text_does_no_harm(text: str) -> None:
    set_whole(text)


@given(EQUATIONS)
def test_any_mixture_of_signs_does_no_harm(text: str) -> None:
    set_whole(text)


@given(TEX)
def test_any_mixture_of_tex_does_no_harm(text: str) -> None:
    set_whole(text)


def test_depth_has_a_limit_that_people_do_not_reach() -> None:
    assert equation_html("(" * 10 + "x" + ")" * 10)
    assert equation_html("(" * 5_000 + "x" + ")" * 5_000) is None
