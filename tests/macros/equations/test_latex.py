"""LaTeX: what is set, what is refused and where, and that nothing unsafe comes through."""

import pytest

from macros.equations.latex import EquationError, latex_html
from tests.macros.equations.reading import shown, tree


def refused(source: str) -> tuple[str, int]:
    with pytest.raises(EquationError) as caught:
        latex_html(source)
    assert str(caught.value) == caught.value.message
    return caught.value.message, caught.value.offset


def test_the_equation_of_the_global_batch() -> None:
    source = r"B_{\mathrm{global}}=B_{\mathrm{micro}}N_{\mathrm{accumulation}}N_{\mathrm{data\ parallel}}"
    html = latex_html(source)
    assert shown(html) == "Bglobal=BmicroNaccumulationNdataparallel"
    assert html.startswith('<math display="block"><semantics>')
    assert html.endswith(f'<annotation encoding="application/x-tex">{source}</annotation></semantics></math>')
    row = tree(html).find(".//semantics/mrow")
    assert row is not None
    assert [child.tag for child in row] == ["msub", "mo", "msub", "mspace", "msub", "mspace", "msub"]


def test_a_fraction_of_words_keeps_two_parts() -> None:
    # A space put between its parts would make three of them, and the browser would draw no fraction.
    fractions = list(tree(latex_html(r"\frac{t_{\mathrm{bubble}}}{t_{\mathrm{ideal}}}")).iter("mfrac"))
    assert [len(fraction) for fraction in fractions] == [2]


def test_names_of_entities_become_characters() -> None:
    # &ApplyFunction; is known to HTML and not to XML.
    html = latex_html(r"\operatorname{softmax}(x)")
    assert "&" not in html
    assert "\u2061" in html


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (r"\sum_{\substack{i<j\\k}} x", "∑i<jkx"),
        (r"x \tag{3}", "x(3)"),
        (r"a=b\\c=d", "a=bc=d"),
        (r"\begin{aligned}a&=b\\c&=d\end{aligned}", "a=bc=d"),
        (r"\begin{align}a&=b\\c&=d\end{align}", "a=bc=d"),
        (r"\begin{equation}a\end{equation}", "a"),
        (r"\begin{align}a&=b\tag{7}\end{align}", "a=b(7)"),
        (r"50\%", "50%"),
        (r"a\,b\;c", "abc"),
        ("α + β", "α+β"),
        (r"\boxed{x}", "x"),
        (r"\textbf{if}\ x", "ifx"),
        (r"\mbox{if}\ x", "ifx"),
    ],
)
def test_what_is_set(source: str, seen: str) -> None:
    assert shown(latex_html(source)) == seen


def test_a_line_break_outside_environments_is_no_longer_lost() -> None:
    assert len(list(tree(latex_html(r"a=b\\c=d")).iter("mtr"))) == 2


def test_a_box_is_drawn_by_every_browser() -> None:
    html = latex_html(r"\boxed{x}")
    assert "menclose" not in html
    assert 'style="border: 1px solid; padding: 0.2em"' in html


@pytest.mark.parametrize(
    ("source", "message", "offset"),
    [
        (r"\foo", r'expected LaTeX that can be typeset, found an unknown command "\foo"', 0),
        (r"α + \foo", r'expected LaTeX that can be typeset, found an unknown command "\foo"', 4),
        (r"a=b\\ c=\foo", r'expected LaTeX that can be typeset, found an unknown command "\foo"', 8),
        (
            r"\begin{align}x&=\foo\\y\end{align}",
            r'expected LaTeX that can be typeset, found an unknown command "\foo"',
            16,
        ),
        (r"x + \begin{foo}", 'expected LaTeX that can be typeset, found an unknown environment "foo"', 10),
        (r"\frac{1}{2", 'expected closing token "}", found the end of the LaTeX', 10),
        (
            "a & b",
            'expected LaTeX that can be typeset, found "&", which may only appear in a table-like environment',
            2,
        ),
        ("$x$", "expected LaTeX without dollar signs around it, found one", 0),
        ("", "expected LaTeX, found an empty text", 0),
        ("a\x0crac{1}{2}", "expected LaTeX, found the unprintable character U+000C", 1),
        ("x\ud800", "expected LaTeX, found the unprintable character U+D800", 1),
        ("5% x", r'expected LaTeX without comments, found "%"; a percent sign is \%', 1),
        (r"x \label{a}", r'expected LaTeX without definitions and labels, found "\label"', 2),
        (r"\newcommand{\a}{b}", r'expected LaTeX without definitions and labels, found "\newcommand"', 0),
        (r"\href{javascript:alert(1)}{x}", r'expected LaTeX that can be typeset, found an unknown command "\href"', 0),
        (r"\cancel{x}", "expected LaTeX that every browser shows, found what gives <menclose>", 0),
        ("x" * 4001, "expected at most 4000 characters of LaTeX, found 4001", 4000),
    ],
)
def test_what_is_refused(source: str, message: str, offset: int) -> None:
    assert refused(source) == (message, offset)


@pytest.mark.parametrize(
    "source",
    [
        r"\frac{1}{" * 90 + "x" + "}" * 90,
        r"\left(" * 90 + "x" + r"\right)" * 90,
        "{" * 90 + "x" + "}" * 90,
        r"\sqrt" * 90 + " x",
        r"\frac1" * 90 + "x",
        r"\begin{array}{c}" * 90 + "x" + r"\end{array}" * 90,
    ],
)
def test_nesting_that_could_end_the_process_is_refused(source: str) -> None:
    assert refused(source)[0] == "expected LaTeX nested at most 40 deep, found more"


def test_text_in_latex_is_escaped() -> None:
    html = latex_html(r"\text{<script>alert(1)</script>}")
    assert "<script" not in html
    assert shown(html) == "<script>alert(1)</script>"
