"""The examples in docstrings run."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("module", ["arithmetic", "chains", "latex", "names", "symbol", "text", "typeset"])
def test_examples(module: str) -> None:
    result = doctest.testmod(import_module(f"macros.equations.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
