from pathlib import Path

import pytest

from macros.problem import Problem, json_pointer, quoted, shown_path


def problem(**changes):
    given = {"file": Path("cards/x.json"), "line": 57, "column": 16, "pointer": "/examples/0/states/value"}
    return Problem(**{**given, "message": "expected 2.02 ms, found 2.03 ms", **changes})


def test_a_problem_is_one_line():
    assert problem().text() == "cards/x.json:57:16: /examples/0/states/value: expected 2.02 ms, found 2.03 ms"


def test_a_hint_stands_below():
    text = problem(hint='did you mean "ms"?').text()
    assert text.splitlines()[1:] == ['  hint: did you mean "ms"?']


def test_a_warning_says_so():
    assert problem(severity="warning").text().startswith("cards/x.json:57:16: warning: /examples/0/states/value: ")
    assert problem(severity="warning").as_error() == problem()


def test_the_whole_document_is_a_slash_and_a_file_has_no_place():
    assert problem(pointer="", line=1, column=1).text() == "cards/x.json:1:1: /: expected 2.02 ms, found 2.03 ms"
    assert problem(pointer="", line=0, column=0).text() == "cards/x.json: expected 2.02 ms, found 2.03 ms"


def test_an_annotation_for_github_escapes_what_would_end_it():
    # https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts: % \r \n, and : , in properties.
    changed = problem(file=Path("a,b:c%.json"), message="expected 50 %, found ::error::", hint="x")
    assert changed.annotation() == (
        "::error file=a%2Cb%3Ac%25.json,line=57,col=16::"
        "/examples/0/states/value: expected 50 %25, found ::error::%0Ahint: x"
    )
    assert problem(severity="warning").annotation().startswith("::warning file=cards/x.json,line=57,col=16::")
    assert problem(line=0).annotation().startswith("::error file=cards/x.json::expected")


@pytest.mark.parametrize("hidden", ["\n", "\r", "\x1b[31m", "\u2028", "\u202e", "\x85", "\ud800"])
def test_nothing_in_a_card_breaks_the_line_or_hides_in_it(hidden):
    changed = problem(message=f"found {hidden}::error::", pointer=f"/{hidden}", hint=hidden)
    for text in (changed.text().replace("\n  hint", ""), changed.annotation()):
        assert hidden not in text
        assert text.isprintable()
        text.encode()


@pytest.mark.parametrize(
    ("parts", "pointer"), [((), ""), (("a", 0), "/a/0"), (("a/b", "c~d", ""), "/a~1b/c~0d/"), (("µ",), "/µ")]
)
def test_a_pointer_is_written_as_the_rfc_says(parts, pointer):
    assert json_pointer(parts) == pointer


def test_a_path_is_shown_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown_path(tmp_path / "cards" / "x.json") == "cards/x.json"
    assert shown_path(Path("x.json")) == "x.json"
    assert shown_path(Path("../x.json")) == "../x.json"
    assert shown_path(Path("/elsewhere/x.json")) == "/elsewhere/x.json"


def test_a_long_text_is_cut():
    assert quoted("a" * 100, 10) == '"aaaaaaaaa…"'
    assert quoted('say "µ"') == '"say \\"µ\\""'
