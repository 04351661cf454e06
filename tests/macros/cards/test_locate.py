import pytest

from macros.cards.locate import Places

TEXT = """{
  "µm": "aµ\\u00b5\\"b😀c", "é": [1, {"b\\u0041": "ü"}, []],
  "twice": 1, "twice": {"x": 2, "x": 3},
  "deep": [[["µ", 0]]]
}
"""


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ((), (1, 1)),
        (("µm",), (2, 9)),
        (("é",), (2, 31)),
        (("é", 1), (2, 35)),
        (("é", 1, "bA"), (2, 47)),
        (("é", 2), (2, 53)),
        (("deep", 0, 0, 1), (4, 19)),
        (("twice",), (3, 24)),  # readers of JSON take the last of two
        (("twice", "x"), (3, 38)),
    ],
)
def test_a_value_has_line_and_column_in_characters(at, place):
    assert Places(TEXT).place(at) == place


def test_a_key_has_its_own_place():
    assert Places(TEXT).place(("é", 1, "bA"), on_key=True) == (2, 36)
    assert Places(TEXT).place((), on_key=True) == (1, 1)
    assert Places(TEXT).place(("é", 1), on_key=True) == (2, 35)  # an entry of a list has no key


@pytest.mark.parametrize(("at", "place"), [(("no",), (1, 1)), (("é", 1, "no"), (2, 35)), (("é", 9), (2, 31))])
def test_what_is_missing_has_the_place_of_what_should_hold_it(at, place):
    assert Places(TEXT).place(at) == place
    assert Places(TEXT).place(at, on_key=True, character=3) == place


# Of the text aµ\u00b5\"b😀c, whose quote stands in column 9.
@pytest.mark.parametrize(
    ("character", "column"), [(0, 10), (1, 11), (2, 12), (3, 18), (4, 20), (5, 21), (6, 22), (7, 23), (99, 23)]
)
def test_a_character_of_a_text_has_a_place_behind_escapes(character, column):
    assert Places(TEXT).place(("µm",), character=character) == (2, column)


def test_a_pair_of_escapes_is_one_character():
    assert Places(r'["\ud83d\ude00x"]').place((0,), character=1) == (1, 15)


def test_repeated_keys_are_found_in_every_object():
    repeated = {(at, here, first) for at, _, here, first in Places(TEXT).repeated_keys()}
    assert repeated == {(("twice",), (3, 15), (3, 3)), (("twice", "x"), (3, 33), (3, 25))}


@pytest.mark.parametrize("text", ["", "{", "[1,", "nonsense"])
def test_text_that_is_no_json_has_a_first_character(text):
    assert Places(text).place(("a", 0)) == (1, 1)
