"""The built site, which `make test` makes first."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the built site."""
    folder = Path(os.environ.get("ATLAS_SITE", ROOT / "site"))
    assert (folder / "index.html").is_file(), f"expected a built site in {folder}, found none; `make test` builds it"
    return folder
