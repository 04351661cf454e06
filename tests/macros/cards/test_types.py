import pytest
from pydantic import ValidationError

from macros.cards.types import Card, Source, paragraphs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.", ("One.",)),
        ("One,\nstill one.", ("One,\nstill one.",)),
        ("One.\n\nTwo.", ("One.", "Two.")),
        ("One.\r\n\r\nTwo.", ("One.", "Two.")),
        ("One.\n \t \n\n  Two.  ", ("One.", "Two.")),
        ("\n\nOne.\n\n", ("One.",)),
        ("  ", ()),
    ],
)
def test_paragraphs_are_split_by_blank_lines(text, expected):
    assert paragraphs(text) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/1910.02054",
        "http://example.org",
        "https://example.org/a#b",
        "https://example.org:8080/a?b=c&d=%20",
        "https://de.wikipedia.org/wiki/Größe_(Maß)",
        "https://[2001:db8::1]/",
        "HTTPS://EXAMPLE.ORG/",
    ],
)
def test_web_addresses_are_taken(url):
    assert Source.model_validate({"title": "t", "url": url}).url == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " https://example.org",
        "\thttps://example.org",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "file:///etc/hosts",
        "//example.org",
        "example.org",
        "https:example.org",
        "https:///path",
        "https://exa mple.org",
        'https://example.org/"onclick="x',
        "https://example.org/<b>",
        "https://[::1",
        "https://example.org:port/",
        "TODO: https://example.org",
        "",
    ],
)
def test_no_other_address_is_taken(url):
    with pytest.raises(ValidationError):
        Source.model_validate({"title": "t", "url": url})


@pytest.mark.parametrize("card_id", ["a", "7", "3d-parallelism", "nccl", "a-b-c"])
def test_ids_are_taken(card_id, ferry):
    assert Card.model_validate({**ferry, "id": card_id}).id == card_id


@pytest.mark.parametrize("card_id", ["", "A", "a_b", "a b", "-a", "a-", "a--b", "a.b", "../a", "a/b", "é", "a\n", "٣"])
def test_no_other_id_is_taken(card_id, ferry):
    with pytest.raises(ValidationError):
        Card.model_validate({**ferry, "id": card_id})


@pytest.mark.parametrize("year", [True, 2021.5, None, "", " ", 10_000, [2021]])
def test_a_year_is_a_whole_number_or_a_text(year, ferry):
    event = {"title": "t", "description": "d"}
    with pytest.raises(ValidationError):
        Card.model_validate({**ferry, "history": [{**event, "year": year}]})


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b", "\u00a0\u2060", "TODO: something", "  TODO:"])
def test_a_hole_is_no_text(text, ferry):
    with pytest.raises(ValidationError):
        Card.model_validate({**ferry, "role": text})


@pytest.mark.parametrize("text", ["…", "α", "😀", "TODO lists", "a\nb", "a\r\nb", "\u200bx"])
def test_what_a_reader_sees_is_a_text(text, ferry):
    assert Card.model_validate({**ferry, "role": text}).role == text


# JSON reads \f, \b, \t, \r and \n as one character, and so eats the beginning of a TeX command.
@pytest.mark.parametrize("latex", ["\frac{a}{b}", "\beta", "\tau", "\rho", "\nu + 1", "a \neq b", "\nabla"])
def test_a_tex_command_that_json_has_eaten_is_refused(latex, ferry):
    entry = {**ferry["science"][0], "latex": latex}
    with pytest.raises(ValidationError, match=r"TeX|control"):
        Card.model_validate({**ferry, "science": [entry]})


@pytest.mark.parametrize("latex", [r"\nu", "\\begin{aligned}\na &= b \\\\\nw &= v\n\\end{aligned}", "a\n= b"])
def test_line_breaks_are_harmless_in_tex(latex, ferry):
    entry = {**ferry["science"][0], "latex": latex}
    assert Card.model_validate({**ferry, "science": [entry]}).science[0].latex == latex
