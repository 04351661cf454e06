"""JSON data -> Card, or findings: pydantic's list of errors in this project's words."""

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from macros.cards.fields import ID, RESERVED
from macros.cards.types import Card
from macros.names import did_you_mean, nearest
from macros.problem import Finding, Pointer, listed, quoted

# What pydantic's own checks expect, in our words; our own checks (type "card") bring theirs.
EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "tuple_type": "a list in [ ]",
    "model_type": "an object in { }",
    "mapping_type": "an object in { }",
    "dict_type": "an object in { }",
}
# Values for fields that are wrong, so that what the other fields say about each other can be checked in the same run.
TEXTS = """level name shortName role description tradeoff whyAI scale kind misconception learningObjective
    engineeringExample evidenceNotes"""
SUBSTITUTES: Mapping[str, Any] = {
    **dict.fromkeys(TEXTS.split(), "?"),
    **{key: [] for key in ("specs", "interfaces", "related", "science", "prerequisites")},
    "mechanism": ["?"],
    "sources": [{"title": "?", "url": "https://example.org/"}],
    "check": {"question": "?", "options": ["?", "!"], "answer": 0, "explanation": "?"},
}


@dataclass(frozen=True)
class Reading:
    """What a card's data gave: the card, and what is wrong. `doubtful` names the keys whose values are substitutes."""

    card: Card | None
    findings: tuple[Finding, ...]
    doubtful: frozenset[str]


def read_card(data: object, card_id: str) -> Reading:
    """Return the card that the data hold; where fields are wrong, a card with substitutes in their place."""
    if not isinstance(data, dict):
        finding = Finding(at=(), message=f"expected a card, which is an object in {{ }}, found {shown(data)}")
        return Reading(None, (finding,), frozenset())
    try:
        return Reading(Card.model_validate(data), (), frozenset())
    except ValidationError as error:
        errors = error.errors(include_url=False)
    findings = tuple(_findings(errors, data))
    doubtful = frozenset(str(error["loc"][0]) for error in errors if error["loc"])
    sound = {key: value for key, value in data.items() if key not in doubtful}
    if "id" not in sound and (card_id in RESERVED or not ID.fullmatch(card_id)):
        return Reading(None, findings, doubtful)
    return Reading(Card.model_validate({**SUBSTITUTES, "id": card_id, **sound}), findings, doubtful)


def _findings(errors: Sequence[ErrorDetails], data: dict[str, object]) -> Iterator[Finding]:
    misspelt: set[Pointer] = set()  # the right places of misspelt keys: they are not missing as well
    for error in errors:
        if error["type"] == "extra_forbidden":
            finding, meant = _unknown_key(error["loc"], data)
            misspelt.add(meant)
            yield finding
    for error in errors:
        if error["type"] == "missing" and error["loc"] not in misspelt:
            yield _missing(error["loc"])
        elif error["type"] not in ("missing", "extra_forbidden"):
            yield _wrong_value(error)


def _unknown_key(at: Pointer, data: dict[str, object]) -> tuple[Finding, Pointer]:
    """Return the finding, and the place of the key that was probably meant."""
    owner, key, holder = _model_at(at[:-1]), str(at[-1]), _value_at(data, at[:-1])
    known = known_keys(owner)
    taken = set(holder) if isinstance(holder, dict) else set()
    meant, twin = nearest(key, [name for name in known if name not in taken]), nearest(key, known)
    if meant:
        hint = f'did you mean "{meant}"?'
    elif twin:
        hint = f'"{twin}" stands here already'
    else:
        hint = f"known keys: {listed(known)}"
    message = f"expected a key of {_name(owner)}, found {quoted(key)}"
    return Finding(at=at, on_key=True, message=message, hint=hint), (*at[:-1], meant or key)


def _missing(at: Pointer) -> Finding:
    field = _field_at(at)
    description = field.description if field else None
    return Finding(at=at, message=f'expected the key "{at[-1]}", found none', hint=description)


def _wrong_value(error: ErrorDetails) -> Finding:
    at: Pointer = error["loc"]
    value, context = error["input"], error.get("ctx", {})
    found, hint = shown(value), None
    match error["type"]:
        case "card":
            expected, hint = str(context["expected"]), context["hint"]
            if context["at"] is not None:
                at, found = (*at, context["at"]), shown(value[context["at"]])
            found = context["found"] or found
        case "literal_error":
            choices = _choices(at)
            expected = f"one of {listed([quoted(choice) for choice in choices])}"
            hint = did_you_mean(value, choices)
        case kind:
            expected = EXPECTED.get(kind) or error["msg"]
    return Finding(at=at, message=f"expected {expected}, found {found}", hint=hint)


def shown(value: object) -> str:
    """Return a JSON value as a message shows it: a text in quotes, cut; the kind and size of what has parts.

    >>> shown(True), shown([1, 2]), shown("msec")
    ('true', 'a list of 2', '"msec"')
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value) if value else "an empty text"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case Mapping():
            return "an object" if value else "an empty object"
        case int() | Decimal():
            digits = str(value)
            return digits if len(digits) <= 40 else digits[:30] + f"… ({len(digits)} characters)"
        case _:
            return type(value).__name__


def known_keys(model: type[BaseModel]) -> list[str]:
    """Return the keys of a record as they stand in a file."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _name(model: type[BaseModel]) -> str:
    return {
        "Card": "a card",
        "ScienceEntry": "a science entry",
        "Interface": "an interface",
        "Event": "a date of the history",
        "Example": "an example",
        "Statement": "the stated value",
    }.get(model.__name__, f"a {model.__name__.lower()}")


def _value_at(data: object, at: Pointer) -> object:
    for part in at:
        data = data[part]  # type: ignore[index]  # pydantic has just been there
    return data


def _model_at(at: Pointer) -> type[BaseModel]:
    model: type[BaseModel] = Card
    for part in at:
        if isinstance(part, str) and (field := _field_of(model, part)) is not None:
            model = next(_models_in(field.annotation), model)
    return model


def _field_at(at: Pointer) -> Any:
    key = at[-1] if at else None
    return _field_of(_model_at(at[:-1]), key) if isinstance(key, str) else None


def _field_of(model: type[BaseModel], key: str) -> Any:
    return next((field for name, field in model.model_fields.items() if (field.alias or name) == key), None)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (Union, types.UnionType, tuple, Annotated):
        for part in get_args(annotation):
            yield from _models_in(part)


def _choices(at: Pointer) -> list[str]:
    field = _field_at(at)
    return [choice for choice in get_args(field.annotation) if isinstance(choice, str)] if field else []
