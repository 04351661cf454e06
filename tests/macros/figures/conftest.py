from importlib import import_module

import pytest

from macros.figures import FIGURES
from macros.figures.drawing import Figure


@pytest.fixture(scope="session")
def figures() -> dict[str, Figure]:
    return {figure: import_module(module).draw() for figure, module in FIGURES.items()}


@pytest.fixture(params=sorted(FIGURES))
def figure(request: pytest.FixtureRequest) -> str:
    return str(request.param)
