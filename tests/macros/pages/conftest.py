"""Loading cards that a test makes."""

import json
from pathlib import Path
from typing import Any

import pytest

from macros.cards.load import Library, load_cards


@pytest.fixture
def library(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Return a function that loads cards given as data."""

    def load(*cards: dict[str, Any]) -> Library:
        for card in cards:
            (tmp_path / f"{card['id']}.json").write_text(json.dumps(card, ensure_ascii=False), encoding="utf-8")
        loaded = load_cards([tmp_path])
        assert not loaded.errors, [problem.text() for problem in loaded.errors]
        return loaded

    return load
