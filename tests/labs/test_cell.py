"""A reader's code, as the worker runs it: its value, and the world that it finds and leaves."""

import builtins
import gc
import subprocess
import sys
import warnings

import pytest

from labs.answer import compute
from labs.catalog import LABS
from labs.cell import LONGEST_VALUE
from tests.labs.reader import ROOT, Ran

# The last value


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("0", "0"),
        ("False", "False"),
        ("''", "''"),
        ("[]", "[]"),
        ("0.0", "0.0"),
        ("x = 5\nx + 1", "6"),
        ("x = 5\nx  # the end\n\n", "5"),
        ("1;", "1"),
        ("'a text'", "'a text'"),
        ("b'\\x00'", "b'\\x00'"),
        ("(\n  1,\n)", "(1,)"),
        ("f'{0.1 + 0.2}'", "'0.30000000000000004'"),
        ("...", "Ellipsis"),
        ("lambda: 0", None),
        ("'<b>&amp;'", "'<b>&amp;'"),
    ],
)
def test_the_last_expression_is_the_value(code, value):
    got = Ran(code).value
    assert got.startswith("<function <lambda> at 0x") if value is None else got == value


@pytest.mark.parametrize("code", ["", "# nothing", "x = 1", "None", "print(5)", "1\nx = 2", "def f(): ...", "pass"])
def test_a_statement_and_none_have_no_value(code):
    assert Ran(code).value is None


def test_a_long_value_is_cut_and_says_by_how_much():
    value = Ran("'a' * 25_000").value
    assert value.startswith("'aaa")
    assert value.endswith(f"… ({25_002 - LONGEST_VALUE:,} characters more)")
    assert len(value) < LONGEST_VALUE + 50


def test_half_a_character_can_still_be_sent():
    ran = Ran(r"print('\ud800'); '\ud800'")
    assert ran.text("stdout") == "\\ud800\n"
    ran.value.encode("utf-8")


# The namespace


def test_each_run_is_a_fresh_main():
    assert Ran("x = 1\n__name__").value == "'__main__'"
    assert "NameError" in Ran("x").error["summary"]
    assert Ran("sorted(name for name in globals() if not name.startswith('__'))").value == "[]"


def test_the_name_of_the_value_is_not_left_in_the_namespace():
    assert "value" not in Ran("globals()").value


def test_what_looks_up_main_finds_the_readers():
    assert Ran("import pickle\ndef f(): return 5\npickle.loads(pickle.dumps(f))()").value == "5"
    record = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(1)"
    assert Ran(f"from __future__ import annotations\n{record}").value == "P(x=1)"
    assert Ran("import typing\ndef f(x: 'list[int]'): ...\ntyping.get_type_hints(f)").value == "{'x': list[int]}"


def test_the_source_of_a_function_can_be_read():
    assert Ran("import inspect\ndef f():\n    return 5\ninspect.getsource(f)").value == repr("def f():\n    return 5\n")


def test_the_future_holds_for_the_whole_code_and_for_no_other():
    code = "from __future__ import annotations\ndef f(x: nowhere): ...\nf.__annotations__"
    assert Ran(code).value == "{'x': 'nowhere'}"
    if sys.version_info < (3, 14):  # where annotations are evaluated at once
        assert "NameError" in Ran("def f(x: nowhere): ...").error["summary"]


def test_the_standard_library_and_the_model_are_there():
    assert Ran("import statistics, csv, json, math, decimal\nstatistics.mean([1, 2, 3, 6])").value == "3"
    code = "from labs.model import ring_all_reduce_time as t\nt(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9)"
    assert Ran(code).value == "0.019685"  # 2 × 31 × (5 µs + 1 GB / (32 × 100 GB/s))


def test_everything_is_as_before_after_a_run():
    main, out, err, stdin = sys.modules["__main__"], sys.stdout, sys.stderr, sys.stdin
    limit, filters = sys.getrecursionlimit(), list(warnings.filters)
    Ran("""
import sys, warnings
sys.setrecursionlimit(321)
sys.stdout = sys.stderr = None
warnings.simplefilter("error")
sys.settrace(lambda *a: None)
sys.modules["__main__"] = 5
1 / 0
""").error  # noqa: B018 -- that it is one
    assert (sys.modules["__main__"], sys.stdout, sys.stderr, sys.stdin) == (main, out, err, stdin)
    assert (sys.getrecursionlimit(), list(warnings.filters)) == (limit, filters)


@pytest.mark.parametrize("collects", [True, False])
def test_cycles_are_collected_while_code_runs_whatever_the_labs_do(collects):
    (gc.enable if collects else gc.disable)()
    try:
        assert Ran("import gc\ngc.isenabled()").value == "True"
        assert gc.isenabled() == collects
        Ran("import gc\ngc.disable()\n1 / 0").error  # noqa: B018 -- that it is one
        assert gc.isenabled() == collects
    finally:
        gc.enable()


def test_a_cell_does_not_change_what_the_labs_show():
    before = compute(LABS["network"], LABS["network"].LAB.defaults())
    ran = Ran("""
import builtins, labs.model.collectives.ring, labs.network, sys
labs.model.collectives.ring.ring_all_reduce_time = labs.network.ring_all_reduce_time = lambda **inputs: 0.0
labs.network.frame = None
builtins.zip = builtins.max = None
del sys.modules["labs.network"]
labs.model.collectives.ring.ring_all_reduce_time()
""")
    assert ran.value == "0.0"
    assert compute(LABS["network"], LABS["network"].LAB.defaults()) == before
    assert Ran("from labs.network import frame\nframe is None").value == "False"


def test_large_things_do_not_stay():
    code = "import weakref, builtins\nclass Big: ...\nbig = Big()\ndef f(): return big\n"
    assert Ran(code + "builtins.seen = weakref.ref(big)").reply["ok"]
    assert builtins.seen() is None
    del builtins.seen


def test_assert_works_where_python_optimizes_and_so_does_a_lone_text():
    """Pyodide runs with PYTHONOPTIMIZE=2."""
    program = """
from labs.cell import run
print(run({"code": "assert False, 'seen'"}, print)["error"]["summary"])
print(run({"code": "''"}, print)["value"])
print(run({"code": "def f():\\n    'doc'\\nf.__doc__, __debug__"}, print)["value"])
"""
    done = subprocess.run([sys.executable, "-OO", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["AssertionError: seen", "''", "('doc', True)"]


def test_a_start_of_the_labs_loads_nothing_that_only_cells_need():
    program = "import sys\nbefore = set(sys.modules)\nimport labs.cell\nprint(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "labs.cell" in loaded
    assert not loaded & {"traceback", "ast", "linecache", "io", "labs.console", "labs.fault", "labs.model"}
