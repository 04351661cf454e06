"""What a reader's code prints: in order, at once, and never without end."""

import builtins
import doctest
import logging

from labs import console
from labs.cell import run
from labs.console import BURST, CUT, LIMIT, SWITCH
from tests.labs.reader import Ran, shown_by_python


def test_both_streams_come_in_order():
    ran = Ran("import sys\nprint('a')\nprint('b', file=sys.stderr)\nsys.stdout.write('c')\nprint('d', end='')")
    assert ran.sent == [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "cd")]


def test_a_line_comes_before_the_code_goes_on():
    sent = []
    code = "import builtins\nprint('first')\nbuiltins.note()\nprint('sec', end='', flush=True)\nbuiltins.note()"
    builtins.note = lambda: sent.append("·")
    try:
        run({"code": code}, lambda stream, text: sent.append(text))
    finally:
        del builtins.note
    assert sent == ["first\n", "·", "sec", "·"]


def test_output_is_what_it_is_for_python():
    ran = Ran("import sys\nsys.stdout.buffer.write('é\\n'.encode())\nsys.stdout.isatty(), sys.stdout.encoding")
    assert ran.text("stdout") == "é\n"
    assert ran.value == "(False, 'utf-8')"
    assert Ran("import csv, sys\ncsv.writer(sys.stdout).writerow([1, 'a,b'])").text("stdout") == '1,"a,b"\r\n'
    assert Ran("import sys\nfor b in 'µ'.encode(): sys.stdout.buffer.write(bytes([b]))").text("stdout") == "µ"
    assert Ran("import sys\nsys.stdout.write(5)").error["summary"].startswith("TypeError: write() argument must be str")
    assert Ran("import sys\nsys.stdout.close()\nprint(1)").error["summary"].startswith("ValueError: I/O operation")


def test_a_loop_that_prints_for_ever_costs_little():
    ran = Ran("for i in range(400_000): print(i)")
    assert len(ran.text("stdout")) == LIMIT
    assert ran.sent[-1] == ("note", CUT)
    assert ran.text("stdout").startswith("0\n1\n2\n")
    assert len(ran.sent) < BURST + 100


def test_streams_in_turn_for_ever_cost_little_too():
    ran = Ran("import sys\nfor i in range(100_000): print(1); print(2, file=sys.stderr)")
    assert ran.sent[-1] == ("note", CUT)
    assert len(ran.sent) <= LIMIT / SWITCH + 1


def test_one_enormous_line_is_cut():
    ran = Ran("print('x' * 10_000_000)\nprint('never seen')")
    assert ran.sent == [("stdout", "x" * LIMIT), ("note", CUT)]


def test_output_before_an_error_is_kept():
    ran = Ran("print('before', end='')\n1 / 0")
    assert ran.sent == [("stdout", "before")]
    assert ran.error["summary"] == "ZeroDivisionError: division by zero"


def test_logging_goes_to_the_run_that_is_at_work():
    code = "import logging\nlogging.basicConfig(level=20, format='%(message)s', force={})\nlogging.info('{}')"
    before = logging.root.handlers[:], logging.root.level
    try:
        assert Ran(code.format(True, "one")).text("stderr") == "one\n"
        assert Ran(code.format(False, "two")).text("stderr") == "two\n"
    finally:
        logging.root.handlers[:], logging.root.level = before


def test_nothing_can_be_read():
    for call in ("input('Name? ')", "sys.stdin.read()", "list(sys.stdin)", "sys.stdin.readlines()"):
        said = "EOFError: nobody can answer input() on this page; write the value into the code"
        assert Ran(f"import sys\n{call}").error["summary"] == said
    assert Ran("input('Name? ')").text("stdout") == "Name? "
    assert Ran("breakpoint()").error["summary"].startswith("EOFError: nobody can answer a debugger on this page")


def test_warnings_are_shown_in_every_run():
    careful = "import warnings\nwarnings.warn('careful')"
    old = "import warnings\nwarnings.warn('old', DeprecationWarning)"
    first, second, deprecated, literal, escape = shown_by_python(careful, careful, old, "x = 1\nx is 1", r"'\d'")
    assert first == second == "<cell 1>:2: UserWarning: careful\n  warnings.warn('careful')\n"
    assert deprecated.startswith("<cell 1>:2: DeprecationWarning: old")
    assert literal.count("SyntaxWarning") == escape.count("SyntaxWarning") == 1


def test_a_coroutine_that_nobody_awaits_is_told_by_the_readers_line_or_not_at_all():
    last, before = shown_by_python("async def f(): ...\nf()", "async def f(): ...\nf(); x = 1")
    assert "labs" not in last
    assert before.startswith("<cell 1>:2: RuntimeWarning: coroutine 'f' was never awaited")


def test_examples_are_true():
    result = doctest.testmod(console)
    assert result.attempted > 0 and result.failed == 0
