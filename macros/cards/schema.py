"""The JSON Schema of a card file, generated from the types: editors read it as one types.

python -m macros.cards.schema     writes cards/card.schema.json
"""

import json
import sys
from pathlib import Path
from typing import Any

from macros.cards.types import Card

FILE = Path(__file__).resolve().parents[2] / "cards" / "card.schema.json"


def card_schema() -> dict[str, Any]:
    """Return the schema: draft 2020-12, keys in the order of the types, a description for each field."""
    generated = _simplified(Card.model_json_schema(by_alias=True, mode="validation"))
    generated.pop("title", None)
    generated.pop("description", None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A card of the Parallelism Atlas",
        "description": "One file <id>.json is one page. `make check` says more: unknown names, wrong numbers.",
        **generated,
    }


def schema_text() -> str:
    """Return the schema as its file holds it."""
    return json.dumps(card_schema(), ensure_ascii=False, indent=2) + "\n"


def _simplified(node: Any) -> Any:
    """Return the schema without pydantic's titles, and without the default of a field that is left out."""
    if isinstance(node, list):
        return [_simplified(part) for part in node]
    if not isinstance(node, dict):
        return node
    result: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: _simplified(part) for name, part in value.items()}
        elif not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None):
            result[key] = _simplified(value)
    return result


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(schema_text(), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}", file=sys.stderr)
