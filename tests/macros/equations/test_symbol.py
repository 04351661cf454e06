"""Symbols of the table: mathematics in a line where it is certain, the text itself elsewhere."""

from xml.etree import ElementTree

import pytest

from macros.equations.symbol import symbol_html
from tests.macros.equations.reading import tree


def math(inner: str, source: str) -> str:
    return (
        f"<math><semantics>{inner}<annotation encoding=\"text/plain\">{source}</annotation></semantics></math>"
    )


@pytest.mark.parametrize(
    ("symbol", "inner"),
    [
        ("n", "<mi>n</mi>"),
        ("α", "<mi>α</mi>"),
        ("8", "<mn>8</mn>"),
        ("B_global", "<msub><mi>B</mi><mi>global</mi></msub>"),
        ("B_eff", "<msub><mi>B</mi><mi>eff</mi></msub>"),
        ("Beff", "<msub><mi>B</mi><mi>eff</mi></msub>"),
        ("N_data parallel", "<msub><mi>N</mi><mtext>data parallel</mtext></msub>"),
        ("x_<t", '<msub><mi>x</mi><mrow><mo lspace="0" rspace="0">&lt;</mo><mi>t</mi></mrow></msub>'),
        (
            "|V|",
            '<mrow><mo form="prefix" stretchy="false">|</mo><mi>V</mi>'
            '<mo form="postfix" stretchy="false">|</mo></mrow>',
        ),
        ("V*", '<msup><mi>V</mi><mo form="postfix">∗</mo></msup>'),
        (
            "mₜ, m\u0302ₜ",
            '<mrow><msub><mi>m</mi><mi>t</mi></msub><mo>,</mo><msub><mover accent="true"><mi>m</mi>'
            '<mo stretchy="false">ˆ</mo></mover><mi>t</mi></msub></mrow>',
        ),
        (
            "M₀ … M₃",
            '<mrow><msub><mi>M</mi><mn>0</mn></msub><mspace width="0.1667em"/><mi>…</mi><mspace width="0.1667em"/>'
            "<msub><mi>M</mi><mn>3</mn></msub></mrow>",
        ),
    ],
)
def test_certain_symbols_are_mathematics(symbol: str, inner: str) -> None:
    assert symbol_html(symbol) == math(inner, symbol.replace("<", "&lt;"))


@pytest.mark.parametrize(
    ("symbol", "html"),
    [
        ("algbw", "<span>algbw</span>"),
        ("the rest", "<span>the rest</span>"),
        ("Time", "<span>Time</span>"),
        ("e\u0301", "<span>e\u0301</span>"),
        ("<b>", "<span>&lt;b&gt;</span>"),
        ("R&D", "<span>R&amp;D</span>"),
        ("“x”", "<span>“x”</span>"),
        ("{{ x }}", "<span>{{ x }}</span>"),
        ("a\x00b", "<span>a\ufffdb</span>"),
        ("", "<span></span>"),
    ],
)
def test_everything_else_is_the_text_it_is(symbol: str, html: str) -> None:
    assert symbol_html(symbol) == html


@pytest.mark.parametrize("symbol", ["m\u0302", "x\u0304ₜ", "ŷ", "µ", "μ", "a–b", "a−b", "a-b"])
def test_marks_dashes_and_both_micro_signs_stay_in_the_source(symbol: str) -> None:
    root = ElementTree.fromstring(symbol_html(symbol))
    assert symbol in ((note.text if (note := root.find(".//annotation")) is not None else root.text) or "")


def test_both_micro_signs_are_shown_as_they_are() -> None:
    assert [tree(symbol_html(sign))[0][0][0].text for sign in "\u00b5\u03bc"] == ["\u00b5", "\u03bc"]
