"""Imports point one way: labs.model < labs < macros core < macros edge. labs needs the standard library only."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EDGE = {"macros/main.py", "macros/hooks.py"}
FOLDERS = ("labs", "macros")
FILES = sorted(path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def imported(file: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import hides which way it points"
            yield node.module or ""


def allowed(file: str, name: str) -> bool:
    top = name.split(".")[0]
    if file.startswith("labs/model/"):
        return top in sys.stdlib_module_names or name.startswith("labs.model")
    if file.startswith("labs/"):
        return top in sys.stdlib_module_names or top == "labs"
    if top == "mkdocs":
        return file in EDGE
    if top in ("numpy", "matplotlib"):
        return file.startswith("macros/figures/")
    return not (top == "macros" and f"{name.replace('.', '/')}.py" in EDGE)


@pytest.mark.parametrize("file", FILES)
def test_a_file_imports_only_what_stands_below_it(file: str) -> None:
    assert [name for name in imported(file) if not allowed(file, name)] == []


def test_the_rule_itself_refuses() -> None:
    assert not allowed("labs/network.py", "numpy")
    assert not allowed("labs/parts/network/ring_steps.py", "macros.names")
    assert not allowed("labs/model/collectives/ring.py", "labs.lab")
    assert not allowed("labs/model/collectives/ring.py", "labs.parts.network.ring_steps")
    assert not allowed("macros/pages/card.py", "mkdocs.plugins")
    assert not allowed("macros/pages/card.py", "macros.hooks")
    assert not allowed("macros/pages/card.py", "matplotlib")
    assert allowed("macros/figures/style.py", "matplotlib")
