"""A small card that is right, and a folder to write cards into."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from macros.cards.load import Library, load_cards

FERRY = Path(__file__).parent / "ferry.json"


@pytest.fixture
def ferry() -> dict[str, Any]:
    """A card that is right, to change."""
    return json.loads(FERRY.read_text(encoding="utf-8"), parse_float=Decimal)


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Library]:
    """Writes cards (data, text or bytes) under their names and loads the folder."""

    def write_and_load(*, strict: bool = False, **cards: object) -> Library:
        for name, card in cards.items():
            content = (
                card if isinstance(card, bytes | str) else json.dumps(card, ensure_ascii=False, indent=2, default=float)
            )
            file = tmp_path / f"{name.replace('_', '-')}.json"
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_cards([tmp_path], strict=strict, labs=["ring"], figures=["ring-time"])

    return write_and_load
