"""A card's code cells: Python that compiles, and whose imports a reader's page has. Nothing here runs them."""

import ast
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from labs.cell import compiled
from macros.cards.types import Card
from macros.names import did_you_mean
from macros.problem import Finding, Pointer, listed, quoted

FILENAME = "<cell>"
OURS = "labs"


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
    """Yield a finding where a reader's page has no such module."""
    top, *below = name.split(".")
    if top in sys.stdlib_module_names:
        return
    if top != OURS:
        expected = "an import from Python's standard library or labs.model"
        yield _at_node(at, code, expected, quoted(name), node, "a reader's page has nothing else")
        return
    holder = top
    for part in below:
        known = _modules(holder)
        if part not in known:
            hint = did_you_mean(part, known) or f"{holder} has {listed(known) or 'no modules'}"
            yield _at_node(at, code, f"a module of {holder}", quoted(name), node, hint)
            return
        holder = f"{holder}.{part}"


def _from_findings(node: ast.ImportFrom, at: Pointer, code: str) -> Iterator[Finding]:
    name = "." * node.level + (node.module or "")
    wrong = list(_module_findings(name, node, at, code))
    yield from wrong
    if wrong or name.partition(".")[0] != OURS:
        return
    module = import_module(name)
    known = sorted({*getattr(module, "__all__", (one for one in dir(module) if one[0] != "_")), *_modules(name)})
    for alias in node.names:
        if alias.name != "*" and alias.name not in known:
            expected, hint = f"a name of {name}", did_you_mean(alias.name, known)
            yield _at_node(at, code, expected, quoted(alias.name), alias, hint)


@cache
def _modules(package: str) -> tuple[str, ...]:
    """Return the names of a package's modules; of a module, none."""
    path = getattr(import_module(package), "__path__", ())
    return tuple(sorted(module.name for module in iter_modules(path) if module.name[0] != "_"))


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
