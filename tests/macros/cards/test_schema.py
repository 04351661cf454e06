"""The schema file is what the types give, and agrees with the loader on cards that are right and cards that are wrong.

No validator is installed for this one purpose: the few keywords that the schema uses are read here.
"""

import json
import re
from pathlib import Path

import pytest

from macros.cards.schema import FILE, card_schema, schema_text
from macros.cards.types import Card

ROOT = Path(__file__).parents[3]
ANNOTATIONS = {"$schema", "$defs", "title", "description", "examples", "default", "format"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": type(None),
}


def fits(value, schema, root):
    """Return whether a value is valid, by JSON Schema draft 2020-12."""
    for keyword, wanted in schema.items():
        if keyword in ANNOTATIONS:
            continue
        match keyword:
            case "$ref":
                right = fits(value, root["$defs"][wanted.removeprefix("#/$defs/")], root)
            case "type":
                right = isinstance(value, TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
            case "enum":
                right = value in wanted
            case "anyOf":
                right = any(fits(value, part, root) for part in wanted)
            case "pattern":
                right = not isinstance(value, str) or re.search(wanted, value) is not None
            case "minimum":
                right = not isinstance(value, int | float) or value >= wanted
            case "maximum":
                right = not isinstance(value, int | float) or value <= wanted
            case "minItems":
                right = not isinstance(value, list) or len(value) >= wanted
            case "uniqueItems":
                right = not isinstance(value, list) or len({json.dumps(part) for part in value}) == len(value)
            case "items":
                right = not isinstance(value, list) or all(fits(part, wanted, root) for part in value)
            case "required":
                right = not isinstance(value, dict) or all(key in value for key in wanted)
            case "properties":
                parts = value.items() if isinstance(value, dict) else ()
                right = all(fits(part, wanted[key], root) for key, part in parts if key in wanted)
            case "additionalProperties":
                parts = value.items() if isinstance(value, dict) else ()
                rest = [part for key, part in parts if key not in schema.get("properties", {})]
                right = not rest if wanted is False else all(fits(part, wanted, root) for part in rest)
            case _:
                raise NotImplementedError(keyword)
        if not right:
            return False
    return True


def test_the_file_is_fresh():
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run: python -m macros.cards.schema"


def test_editors_find_it():
    settings = json.loads((ROOT / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    (entry,) = settings["json.schemas"]
    assert entry["fileMatch"] == ["/cards/*.json", "!/cards/card.schema.json"]
    assert (ROOT / entry["url"]).resolve() == FILE


def test_it_names_its_draft_and_describes_every_field():
    schema = card_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for record in (schema, *schema["$defs"].values()):
        assert record["additionalProperties"] is False
        assert all(field["description"] for field in record["properties"].values())


def test_it_requires_what_the_format_requires():
    # The list of the format's description, docs/cards.md.
    required = """id level name shortName role description specs interfaces tradeoff whyAI related sources scale kind
        mechanism misconception check science prerequisites learningObjective engineeringExample evidenceNotes"""
    assert sorted(card_schema()["required"]) == sorted(required.split())


def test_cards_that_are_right_fit(ferry):
    schema = card_schema()
    ferry["examples"][0]["states"]["value"] = 8.03
    assert fits(ferry, schema, schema)
    assert fits(
        {**ferry, "$schema": "./card.schema.json", "history": [], "checks": [], "branch": "b", "scope": None},
        schema,
        schema,
    )
    for file in sorted((ROOT / "cards").glob("*.json")):
        if file != FILE:
            assert fits(json.loads(file.read_text(encoding="utf-8")), schema, schema), file.name


@pytest.mark.parametrize(
    "wrong",
    [
        {"misconcption": "x"},
        {"name": 7},
        {"name": ""},
        {"name": "TODO: Title of the page."},
        {"branch": 7},
        {"role": None},
        {"mechanism": []},
        {"sources": []},
        {"sources": [{"title": "t", "url": "javascript:alert(1)"}]},
        {"id": "Ferry"},
        {"related": ["a", "a"]},
        {"check": {"question": "q", "options": ["a"], "answer": 0, "explanation": "e"}},
        {"check": {"question": "q", "options": ["a", "b"], "answer": True, "explanation": "e"}},
        {"history": [{"year": 2021.5, "title": "t", "description": "d"}]},
    ],
)
def test_cards_that_are_wrong_do_not(wrong, ferry):
    schema = card_schema()
    ferry["examples"] = []
    assert not fits({**ferry, **wrong}, schema, schema)
    with pytest.raises(ValueError, match="validation error"):
        Card.model_validate({**ferry, **wrong})
