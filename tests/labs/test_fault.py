"""What went wrong in a reader's code, in words and with the reader's own lines. Python's own sentences are Python's."""

import pytest

from tests.labs.reader import Ran


def test_a_traceback_shows_the_readers_lines():
    ran = Ran("def f(n):\n    return 1 / n\n\nf(0)")
    assert ran.error == {
        "summary": "ZeroDivisionError: division by zero",
        "line": 2,
        "traceback": "\n".join(
            [
                "Traceback (most recent call last):",
                '  File "<cell 1>", line 4, in <module>',
                "    f(0)",
                "    ~^^^",
                '  File "<cell 1>", line 2, in f',
                "    return 1 / n",
                "           ~~^~~",
                "ZeroDivisionError: division by zero",
            ]
        ),
    }


@pytest.mark.parametrize(
    ("code", "line", "summary"),
    [
        ("import statistics\nstatistics.mean([])", 2, "statistics.StatisticsError: mean requires at least one"),
        ("import json\njson.loads('{')", 2, "json.decoder.JSONDecodeError: Expecting property name"),
        ("sorted([1, 'a'])", 1, "TypeError: '<' not supported between instances of 'str' and 'int'"),
        ("from labs.model import global_batch\nglobal_batch(microbatch=0, accumulation=1, data_parallel=1)", 2,
         "labs.model.quantities.errors.ModelError: expected microbatch >= 1, found 0"),
        ("assert 1 == 2, 'arithmetic'", 1, "AssertionError: arithmetic"),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt"),
        ("class Own(Exception): ...\nraise Own('mine')", 2, "Own: mine"),
        ("class R:\n    def __repr__(self): return 1 / 0\nR()", 2, "ZeroDivisionError: division by zero"),
        ("class R:\n    def __repr__(self): return 5\nR()", None, "TypeError: __repr__ returned non-string"),
        ("class E(Exception):\n    def __str__(self): return 1 / 0\nraise E", 3, "E: <exception str() failed>"),
        ("raise BaseException", 1, "BaseException"),
        ("raise ValueError('two\\nlines')", 1, "ValueError: two"),
        ("eval('1 +')", 1, "SyntaxError: invalid syntax"),
        ("exec('1 / 0')", 1, "ZeroDivisionError: division by zero"),
    ],
)  # fmt: skip
def test_an_error_has_its_line_and_nobody_elses_frames(code, line, summary):
    ran = Ran(code)
    assert ran.error["summary"].startswith(summary)
    assert ran.error["line"] == line
    files = {text.split('"')[1] for text in ran.traceback if text.startswith('  File "')}
    assert files <= {"<cell 1>", "<string>" if code.startswith("eval") else ""}


@pytest.mark.parametrize(
    ("code", "line", "caret", "summary"),
    [
        ("x = (1,\ny = 2", 1, "    x = (1,\n        ^", "SyntaxError: '(' was never closed"),
        ("if True:\nx = 1", 2, "    x = 1\n    ^", "IndentationError: expected an indented block after 'if' statement"),
        ("x = 1\n  y = 2", 2, "y = 2", "IndentationError: unexpected indent"),
        ("print 'a'", 1, "^^^^^^^^^", "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?"),
        ("return 5", 1, "return 5", "SyntaxError: 'return' outside function"),
        ("for i in range(3):\n\tif i:\n        print(i)", 3, "", "TabError: inconsistent use of tabs and spaces"),
        ("x = 5 = y", 1, "^", "SyntaxError: cannot assign to literal"),
    ],
)
def test_a_syntax_error_has_its_place(code, line, caret, summary):
    ran = Ran("print('never')\n" + code)
    assert ran.sent == []
    assert ran.error["line"] == line + 1
    assert ran.traceback[0] == f'  File "<cell 1>", line {line + 1}'
    assert caret in ran.error["traceback"]
    assert ran.error["summary"].startswith(summary)


@pytest.mark.parametrize("code", ["\x00", "x = '\ud800'", "(" * 500, "-" * 3000 + "1", "9" * 5000])
def test_text_that_python_cannot_even_read_is_an_error_too(code):
    assert Ran(code).error["summary"]
    assert "labs" not in Ran(code).error["traceback"]


def test_chained_exceptions_are_shown():
    ran = Ran("try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError('bad') from error")
    assert ran.error["line"] == 4
    assert "The above exception was the direct cause of the following exception:" in ran.traceback
    assert ran.traceback.index("ZeroDivisionError: division by zero") < ran.traceback.index("ValueError: bad")
    ran = Ran("try:\n    1 / 0\nexcept ZeroDivisionError:\n    nothing_of_this_name")
    assert "During handling of the above exception, another exception occurred:" in ran.traceback


def test_what_happened_inside_a_library_on_the_way_is_not_shown():
    # configparser raises a KeyError of its own from the one of its dictionary
    ran = Ran("import configparser\nconfigparser.ConfigParser()['nowhere']")
    assert ran.traceback[0] == "Traceback (most recent call last):"
    assert len(ran.traceback) <= 5
    ran = Ran("from labs.model import parse_quantity\nparse_quantity('5 parsec', 's')")
    assert len([text for text in ran.traceback if text.startswith("  File")]) == 1


def test_groups_of_exceptions_are_shown_with_their_parts():
    code = "import statistics\ntry:\n    statistics.mean([])\nexcept Exception as e:\n    "
    ran = Ran(code + "raise ExceptionGroup('both', [e, KeyError('k')])")
    assert ran.error["summary"] == "ExceptionGroup: both (2 sub-exceptions)"
    assert "statistics.py" not in ran.error["traceback"]
    assert "KeyError: 'k'" in ran.error["traceback"]


def test_endless_recursion_is_short():
    ran = Ran("def f(n): return f(n + 1)\nf(0)")
    assert ran.error["summary"] == "RecursionError: maximum recursion depth exceeded"
    assert any("more times]" in text for text in ran.traceback)
    assert len(ran.traceback) < 25
    ran = Ran("def a(n): return b(n)\ndef b(n): return a(n)\na(0)")
    assert any("frames more …" in text for text in ran.traceback)
    assert len(ran.traceback) < 50


def test_a_long_chain_and_a_long_message_are_cut():
    ran = Ran("""
error = None
for i in range(200):
    try:
        raise ValueError(i) from error
    except ValueError as e:
        error = e
raise error
""")
    assert len(ran.traceback) <= 61
    assert ran.traceback[-1] == "ValueError: 199"
    ran = Ran("raise ValueError('x' * 1_000_000)")
    assert len(ran.error["traceback"]) < 5_000
    assert len(ran.error["summary"]) < 2_100
    assert "characters more)" in ran.error["summary"]


def test_no_memory_is_told_in_words():
    ran = Ran("raise MemoryError")
    assert ran.error["summary"] == "MemoryError: no memory is left for this"
    assert ran.traceback[-1].startswith("Python's memory in a page ends at a few GB")
    assert Ran("'a' * 10**19").error["line"] == 1


def test_the_end_by_exit_is_told_in_words():
    for code in ("import sys\nsys.exit()", "raise SystemExit(0)", "exit()"):
        ran = Ran(f"print('a')\n{code}\nprint('b')")
        assert ran.value is None
        assert ran.sent == [("stdout", "a\n"), ("note", "The code ended itself with sys.exit().")]
    assert Ran("import sys\nsys.exit(3)").error["summary"] == "The code ended itself with sys.exit(3)."
    assert Ran("import sys\ndef stop():\n    sys.exit('no data')\nstop()").error == {
        "summary": "The code ended itself: no data",
        "traceback": "The code ended itself: no data",
        "line": 3,
    }


def test_what_a_page_cannot_do_is_said():
    assert Ran("import numpy_is_not_here").traceback[-1] == (
        "Python has its standard library here, and labs.model; nothing else can be imported."
    )
    assert Ran("raise ModuleNotFoundError(name='tkinter')").traceback[-1] == (
        "This part of the standard library does not exist in a browser."
    )
    stack = "raise RuntimeError('WebAssembly stack switching not supported in this JavaScript runtime')"
    for code in ("await f()", "async for x in y: ...", stack):
        assert Ran(code).traceback[-1].startswith("A cell has no event loop")


def test_a_name_that_is_nearly_right_gets_pythons_hint():
    assert Ran("pritn(1)").error["summary"] == "NameError: name 'pritn' is not defined. Did you mean: 'print'?"
