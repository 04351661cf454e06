"""A card's code cells: Python that compiles, and whose imports a reader's page has. Nothing here runs them."""

import ast
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module

from labs.cell import compiled
from macros.cards.types import Card
from macros.names import did_you_mean
from macros.problem import Finding, Pointer, quoted

FILENAME = "<cell>"
MODEL = "labs.model"


def cell_findings(card: Card) -> Iterator[Finding]:
    """Yield what is wrong with the code of one card, each at its line and column inside the text."""
    for index, cell in enumerate(card.cells):
        yield from _code_findings(cell.code, ("cells", index, "code"))


def _code_findings(code: str, at: Pointer) -> Iterator[Finding]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            tree = ast.parse(code, FILENAME)
            compiled(code, FILENAME)
        except SyntaxError as error:
            line, column = error.lineno or 1, error.offset or 1
            yield _finding(at, code, "Python that compiles", f"in its line {line}: {error.msg}", line, column)
            return
        except (ValueError, RecursionError, MemoryError) as error:
            yield _finding(at, code, "Python that compiles", f"code that gives: {error}", 1, 1)
            return
    for warning in {(one.lineno, str(one.message)): one for one in told}.values():
        found = f"in its line {warning.lineno}: {warning.message}"
        yield _finding(at, code, "Python without warnings", found, warning.lineno, 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_findings(alias.name, alias, at, code)
        elif isinstance(node, ast.ImportFrom):
            yield from _from_findings(node, at, code)


def _module_findings(name: str, node: ast.alias | ast.ImportFrom, at: Pointer, code: str) -> Iterator[Finding]:
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names and top != "labs":
        expected = "an import from Python's standard library or labs.model"
        yield _at_node(at, code, expected, quoted(name), node, "a reader's page has nothing else")


def _from_findings(node: ast.ImportFrom, at: Pointer, code: str) -> Iterator[Finding]:
    name = "." * node.level + (node.module or "")
    yield from _module_findings(name, node, at, code)
    if name != MODEL:
        return
    known = list(import_module(MODEL).__all__)
    for alias in node.names:
        if alias.name != "*" and alias.name not in known:
            expected, hint = f"a name of {MODEL}", did_you_mean(alias.name, known)
            yield _at_node(at, code, expected, quoted(alias.name), alias, hint)


def _at_node(
    at: Pointer, code: str, expected: str, found: str, node: ast.alias | ast.ImportFrom, hint: str | None
) -> Finding:
    # The tree counts bytes of UTF-8, people and JSON count characters.
    line = code.splitlines()[node.lineno - 1]
    column = len(line.encode()[: node.col_offset].decode()) + 1
    return _finding(at, code, expected, found, node.lineno, column, hint)


def _finding(
    at: Pointer, code: str, expected: str, found: str, line: int, column: int, hint: str | None = None
) -> Finding:
    lines = code.splitlines(keepends=True)
    character = sum(map(len, lines[: line - 1])) + column - 1
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return Finding(
        at=at,
        message=f"expected {expected}, found {found}",
        hint=hint or (f"the line is {quoted(text)}" if text else None),
        character=min(character, len(code)),
    )
