"""The examples in the docstrings of the build's modules are true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in (ROOT / "macros").rglob("*.py")
    if ">>> " in file.read_text(encoding="utf-8") and file.parent.name != "equations"  # they have their own test
)


def test_there_are_some():
    assert len(MODULES) > 5


@pytest.mark.parametrize("module", MODULES)
def test_examples_are_true(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.failed == 0
    assert result.attempted > 0
