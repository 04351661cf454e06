import json
import re

from macros.cards.blank import blank_card
from macros.cards.fields import PLACEHOLDER
from macros.cards.types import Card


def holes(value, at=""):
    if isinstance(value, str) and value.startswith(PLACEHOLDER):
        yield at
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from holes(part, f"{at}/{key}")


def filled(value):
    if isinstance(value, dict):
        return {key: "https://example.org" if key == "url" else filled(part) for key, part in value.items()}
    if isinstance(value, list):
        return [filled(part) for part in value]
    return value.removeprefix(PLACEHOLDER) if isinstance(value, str) else value


def test_every_required_key_is_in_place():
    required = [field.alias for field in Card.model_fields.values() if field.is_required()]
    assert list(json.loads(blank_card("new"))) == required


def test_check_tells_every_hole(load):
    data = json.loads(blank_card("new"))
    library = load(new=blank_card("new"))
    assert {problem.pointer for problem in library.problems} == set(holes(data))
    assert len(library.problems) == len(list(holes(data))) > 25
    for problem in library.problems:
        assert re.fullmatch("expected (text|a web address .*), found a placeholder", problem.message)
        assert problem.hint.startswith("to fill in: ")


def test_it_passes_once_filled_in(load):
    library = load(new=filled(json.loads(blank_card("new"))))
    assert library.problems == ()
    assert list(library.cards) == ["new"]
