"""A new card file: every required field in place, each hole marked so that `check` finds it."""

import json
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from macros.cards.fields import PLACEHOLDER
from macros.cards.types import Card, Check, Interface


def blank_card(card_id: str) -> str:
    """Return the text of a card file to fill in."""
    values = {**_blank(Card), "id": card_id, "related": [], "prerequisites": []}
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"


def _blank(model: type[BaseModel]) -> dict[str, Any]:
    """Return a value for each required key of a record, in the order of the type."""
    required = {name: field for name, field in model.model_fields.items() if field.is_required()}
    values = {field.alias or name: _hole(field.annotation, field.description or "") for name, field in required.items()}
    if model is Check:
        return {
            **values,
            "options": [f"{PLACEHOLDER} the first option", f"{PLACEHOLDER} the second option"],
            "answer": 0,
        }
    return {**values, "direction": "in"} if model is Interface else values


def _hole(annotation: Any, description: str) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _blank(annotation)
    if get_origin(annotation) is tuple:
        return _entries(get_args(annotation)[0], description)
    if get_origin(annotation) in (Union, UnionType):
        return _hole(get_args(annotation)[0], description)
    return f"{PLACEHOLDER} {description}"


def _entries(annotation: Any, description: str) -> list[Any]:
    entry = _hole(annotation, description)
    return [entry, {**entry, "direction": "out"}] if annotation is Interface else [entry]
