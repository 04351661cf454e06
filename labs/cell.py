"""A reader's own code: run once in a fresh `__main__`, its output streamed, its last value and its errors in words.

What only a cell needs is imported when a cell first runs: the snapshot that labs start from stays small.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any

LONGEST_VALUE = 10_000  # characters of the last value that are shown
VALUE = "<value>"  # a name that no code can spell


def run(request: Mapping[str, Any], write: Callable[[str, str], object]) -> dict[str, Any]:
    """Run a reader's code and return the reply.

    Args:
        request: id, code, and the name to show in tracebacks, "cell 1"
        write: called with ("stdout" | "stderr" | "note", text) as output comes; it must not print itself

    Returns:
        id, ok, value (the repr of the last expression, or None where there is none) and error (None, or summary,
        traceback and line)
    """
    from labs.console import Console

    filename = f"<{request.get('name') or 'cell'}>"
    console = Console(write)
    value, error = None, None
    with _world_of_its_own(console) as namespace:
        try:
            value = _run(str(request["code"]), filename, namespace)
        except SystemExit as end:
            if end.code in (None, 0):
                console.note("The code ended itself with sys.exit().")
            else:
                error = _report(end, filename)
        except BaseException as raised:  # noqa: BLE001 -- a reader's code may raise anything, and nothing may reach the page's
            error = _report(raised, filename)
        namespace.clear()  # functions and their globals hold each other, and whatever large thing stands beside them
    return {"id": request.get("id"), "ok": error is None, "value": value, "error": error}


def source(module: Any, inputs: Mapping[str, Any]) -> str:
    """Return the Python text that gives a lab's numbers for these inputs: what its module's `code` says, or its frame.

    Args:
        module: the lab
        inputs: every control's value in base units
    """
    from labs.snippet import call

    if hasattr(module, "code"):
        return str(module.code(**inputs))
    asked = call("frame", (*module.LAB.texts, *module.LAB.controls), inputs)
    return f"from {module.frame.__module__} import frame\n\n{asked}\n"


def _run(code: str, filename: str, namespace: dict[str, Any]) -> str | None:
    """Run the code; return the repr of its last expression, as the prompt of Python would show it."""
    import linecache

    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    exec(compiled(code, filename), namespace)
    value = namespace.pop(VALUE, None)
    if value is None:
        return None
    text = repr(value)
    if len(text) > LONGEST_VALUE:
        text = f"{text[:LONGEST_VALUE]}… ({len(text) - LONGEST_VALUE:,} characters more)"
    from labs.console import sendable

    return sendable(text)


def compiled(code: str, filename: str) -> CodeType:
    """Return the code ready to run; the value of a last expression goes into a name of ours.

    Raises:
        SyntaxError: it is no Python
    """
    import ast

    # Pyodide runs with PYTHONOPTIMIZE set, which would take away a reader's assert, and a first line that is a text.
    tree: Any = compile(code, filename, "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    if tree.body and isinstance(last := tree.body[-1], ast.Expr):
        kept = ast.Assign([ast.Name(VALUE, ast.Store())], last.value)
        tree.body[-1] = ast.fix_missing_locations(ast.copy_location(kept, last))
    code_object: CodeType = compile(tree, filename, "exec", dont_inherit=True, optimize=0)
    return code_object


def _report(error: BaseException, filename: str) -> dict[str, Any]:
    from labs.fault import report

    return report(error, filename)


@contextmanager
def _world_of_its_own(console: Any) -> Iterator[dict[str, Any]]:
    """Give the namespace of a new `__main__`, with our output and no input; afterwards put back what labs rest on.

    A cell may bind any name of any module. That must not change what the labs of the page then show.
    """
    import builtins
    import gc
    import warnings

    from labs.console import NoInput, no_debugger

    main = ModuleType("__main__")
    vars(main)["__builtins__"] = builtins
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "labs"}
    bound = [(vars(module), dict(vars(module))) for module in (builtins, sys, *kept.values())]
    limit, trace, profile = sys.getrecursionlimit(), sys.gettrace(), sys.getprofile()
    collects = gc.isenabled()
    old_main = sys.modules["__main__"]
    sys.modules["__main__"] = main
    sys.stdin, sys.stdout, sys.stderr, sys.breakpointhook = NoInput(), console.out, console.err, no_debugger
    try:
        gc.enable()  # the labs do without while they answer (labs/web/rest.mjs)
        with warnings.catch_warnings():
            # A coroutine that nobody awaited is noticed when it goes away, and that may be in one of our lines.
            warnings.filterwarnings("ignore", module=r"labs\.(cell|fault|console)$")
            yield vars(main)
    finally:
        sys.settrace(trace)
        sys.setprofile(profile)
        console.close()
        sys.setrecursionlimit(limit)
        (gc.enable if collects else gc.disable)()
        sys.modules.update(kept, __main__=old_main)
        for names, before in bound:
            names.update(before)
