"""Any text of a card comes back from Markdown as it was typed, and nothing in it becomes markup."""

import re

import jinja2
import markdown
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from macros.equations.latex import latex_html
from macros.export.blocks import bullets, heading, labelled, numbered, quote, table
from macros.export.escape import Markdown, code, equation, fenced, inline, link
from tests.macros.export.reading import read, rendered

HOSTILE = [
    "<script>alert(1)</script>", "<!-- a -->", "<?php ?>", "</p>", "x_<t", "a < b > c", "&amp; &copy &#35; &",
    "*a* **b** _c_ __d__ `e` ~~f~~ H~2~O x^2^", "[a](b) ![c](d) [e][f] [[1,2],[3,4]] <https://a.b> [^1]",
    "[a]: https://example.org", "| a | b |\n| --- | --- |", "|V| + V*", "# a", "###### a ##", "- a", "+ a", "* a",
    "1. a", "1) a", "123456789. a", "1.", "2)", "> a", "---", "***", "===", "    a", "```\na", "~~~\na", "a\\",
    "\\*a\\*", "a  \nb", "a\n\nb", "a\n- b", "a\n===", "{{ 7*7 }}", "{% raw %}", "{# a #}", "{: .a }",
    "$x$ $$y$$ \\(z\\) \\[w\\]", "!!! note", ": a", ":: a", "::: a", "+++", "(@) a", "- [ ] a", "\u00a0a\u2003",
    "m̂ₜ é e\u0301 µ μ", "a\r\nb", "!", "%", "www.a_b_.org", "\\",
]  # fmt: skip
MARKUP = "\n<>|*_[]{}$\\`#+-.!&~^=:%1 "
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from(MARKUP)).filter(str.strip)
PLACES = {
    "a paragraph": lambda text: text,
    "a heading": lambda text: heading(2, text),
    "a list": lambda text: bullets([text]),
    "a numbered list": lambda text: numbered([text]),
    "a paragraph set off": quote,
    "after a label": lambda text: labelled("Label.", text),
}


def typed(text: str) -> str:
    """Return the text as a page can show it: line breaks are blanks."""
    return re.sub(r"\s*[\r\n]\s*", " ", text).strip()


def every(texts):
    def decorate(test):
        for text in texts:
            test = example(text)(test)
        return given(TEXTS)(test)

    return decorate


@pytest.mark.parametrize("place", PLACES)
def test_text_is_shown_as_typed(place):
    outside = rendered(PLACES[place](Markdown("x")))

    @every(HOSTILE)
    def shown(text):
        page = rendered(PLACES[place](inline(text)))
        assert page.tags == outside.tags
        assert page.text.strip().removeprefix("Label. ") == typed(text)

    shown()


@every(HOSTILE)
def test_text_is_shown_as_typed_in_a_table(text):
    page = rendered(table(("A", "B"), [(inline(text), inline("x")), (inline("y"), inline(text))]))
    assert page.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "tr", "td", "td"]
    cells = [part for part in page.text.split("\n") if part]
    assert [cell.strip() for cell in cells] == ["A", "B", typed(text), "x", "y", typed(text)]


@every(HOSTILE)
def test_text_is_shown_as_typed_in_a_link(text):
    page = rendered(link(text, "https://example.org/a_(b)*?c=1&copy=2#$d$"))
    assert page.tags == ["p", "a"]
    assert page.text.strip() == typed(text)
    assert page.links == ["https://example.org/a_(b)*?c=1&copy=2#$d$"]


@every(HOSTILE)
def test_text_is_shown_as_typed_as_the_words_for_a_picture(text):
    page = rendered(f"![{inline(text)}](a.svg)")
    assert page.tags == ["p", "img"]
    assert page.alts == [typed(text)]


@every(HOSTILE)
def test_code_is_shown_as_typed(text):
    page = rendered(f"a {code(text)} b")
    assert page.tags == ["p", "code"]
    assert page.text == f"a {typed(text)} b\n"


@every([*HOSTILE, "```", "a\n````python\nb"])
def test_fenced_code_is_shown_as_typed(text):
    page = rendered(fenced(text, "python"))
    assert page.tags == ["pre", "code"]
    assert page.text.removesuffix("\n") == text.replace("\r\n", "\n").rstrip() + "\n"


@every(HOSTILE)
def test_templates_find_nothing(text):
    assert jinja2.Template(inline(text), keep_trailing_newline=True).render() == inline(text)


@every(HOSTILE)
def test_signs_of_mathematics_and_of_other_dialects_are_not_left_in_it(text):
    assert not set("$~^{|<>") & set(inline(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_another_markdown_shows_it_too(text):
    extensions = ["tables", "attr_list", "def_list", "footnotes", "admonition", "abbr", "fenced_code", "md_in_html"]
    page = read(markdown.markdown(inline(text), extensions=extensions))
    assert page.tags == ["p"]
    assert page.text == typed(text)


def test_words_stay_as_they_are():
    text = "Ring all-reduce: 3.5 ms (2 % of the step), α + M / (p B); “quoted” – it's 1.2e3."
    assert inline(text) == text


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"M_0&=b_p\,\Psi \\ M_1&=x", r"M_0&=b_p\,\Psi \\ M_1&=x"),
        ("a\n\n  = b", "a = b"),
        ("<script>a", "< script>a"),
        ("a<b</p", "a< b< /p"),
        ("a < 1<2", "a < 1<2"),
        ("x^{{y}}", "x^{ {y}}"),
    ],
)
def test_latex_stands_between_dollar_signs(tex, shown):
    assert equation(tex) == f"$$\n{shown}\n$$"


@pytest.mark.parametrize("tex", ["<script>a</script>", "x^{{y}}", "a\n\nb", r"a\ \text{b}", r"{{{a}}}"])
def test_latex_stays_the_same_equation(tex):
    def mathml(source):
        return re.sub("<annotation.*</annotation>", "", latex_html(source), flags=re.DOTALL)

    written = equation(tex)
    assert not re.search(r"<[A-Za-z/!?]|\{[{%#]", written)
    assert mathml(written.removeprefix("$$\n").removesuffix("\n$$")) == mathml(tex)
