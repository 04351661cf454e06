from decimal import Decimal

import pytest

from macros.cards.syntax import NotJson, line_and_column, read_document

QUOTE = r"a quote inside a text is written \"; after a text stands a comma or a closing bracket"
NUMBER = "a number is written 5, 0.5 or 5e-6, without leading zeros, separators or a unit"
VALUE = "text stands in double quotes; a number is written 5, 0.5 or 5e-6, without a unit"
ENTRY = 'an entry is "key": value'
COMMENT = "JSON has no comments: take it out"
COMMA = "a comma stands between two entries"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("[1,]", (1, 3), "expected no comma before the closing ], found one", "take the comma out"),
        ('{"a": 1,\n}', (1, 8), "expected no comma before the closing }, found one", "take the comma out"),
        ('{"a": 1\n,\n}', (2, 1), "expected no comma before the closing }, found one", "take the comma out"),
        ('{"µ": 1\n "b": 2}', (1, 8), 'expected a comma or } here, found the text "b"', COMMA),
        ("[1 2]", (1, 3), "expected a comma or ] here, found 2", COMMA),
        ("[{} {}]", (1, 4), "expected a comma or ] here, found {", COMMA),
        ('{"a" 1}', (1, 6), "expected a colon after the key, found 1", ENTRY),
        ('{"a" = 1}', (1, 6), "expected a colon after the key, found =", ENTRY),
        ("{a: 1}", (1, 2), "expected a key in double quotes, found a", ENTRY),
        ('{"a": 1,, "b": 2}', (1, 9), "expected a key in double quotes, found ,", ENTRY),
        ("{'a': 1}", (1, 2), "expected straight double quotes, found '", 'text and keys stand in double quotes: "…"'),
        ("[“a”]", (1, 2), "expected straight double quotes, found “", 'text and keys stand in double quotes: "…"'),
        ("// x\n{}", (1, 1), "expected JSON, found a comment", COMMENT),
        ("{} # x", (1, 4), "expected the end of the file, found a comment", COMMENT),
        ('{"a": /* x */ 1}', (1, 7), "expected JSON, found a comment", COMMENT),
        ('{"a": True}', (1, 7), "expected a JSON value, found True", "JSON writes true"),
        ('{"a": None}', (1, 7), "expected a JSON value, found None", "JSON writes null"),
        ('{"a": }', (1, 7), "expected a value, found }", None),
        ('{"a": .5}', (1, 7), "expected a value, found .5", VALUE),
        ('{"a": soon}', (1, 7), "expected a value, found soon", VALUE),
        ('{"a": 5 µs}', (1, 9), "expected a comma or } after the number, found µs", NUMBER),
        ('{"a": 007}', (1, 8), "expected a comma or } after the number, found 07", NUMBER),
        ('{"a": 1_000}', (1, 8), "expected a comma or } after the number, found _000", NUMBER),
        ('{"a": "b "c" d"}', (1, 11), "expected a comma or } after the text, found c", QUOTE),
        ('{"a": [1}', (1, 9), "expected ] to close the [ of line 1, found }", None),
        ('{"a": 1}}', (1, 9), "expected the end of the file, found one } too many", None),
        ("{}, {}", (1, 3), "expected the end of the file, found a comma", "one card stands in one file"),
        (
            "{}\n{}",
            (2, 1),
            "expected the end of the file, found {",
            "a card is one object, and a file holds one card",
        ),
        ('{"a": 1', (1, 8), "expected } to close the { of line 1, found the end of the file", None),
        (
            '{\n"a": [1,\n',
            (2, 9),
            "expected ] to close the [ of line 2, found the end of the file",
            "the end of the file is missing",
        ),
        (
            '{"a": "b',
            (1, 7),
            "expected a closing quote for the text that starts here, found the end of the file",
            None,
        ),
        (
            '{"\\"": "b\nc"}',
            (1, 10),
            "expected the closing quote of the text that starts at column 8, found the end of the line",
            r"inside a text a line break is written \n and a quote \"",
        ),
        (
            '{"a": "\t"}',
            (1, 8),
            "expected text without control characters, found U+0009",
            "take it out, or write a blank for a tab",
        ),
        (
            r'{"a": "\lambda"}',
            (1, 8),
            r"expected an escape that JSON knows, found \lambda",
            r"a backslash is written \\ in JSON: \\lambda",
        ),
        (
            r'{"a": "\u03b"}',
            (1, 8),
            r"expected an escape that JSON knows, found \u03b",
            r"\u takes four hexadecimal digits; a backslash is written \\",
        ),
        (
            r'{"a": "\\ud800 \ud83d\ude00 \ud800"}',
            (1, 29),
            r"expected a whole character, found half of one, \ud800",
            "write the character itself",
        ),
        (
            '{"NaN": [1, -Infinity]}',
            (1, 13),
            "expected a number that JSON knows, found -Infinity",
            "leave the field out where there is no number",
        ),
        (
            '["[",' * 200,
            (1, 501),
            "expected at most 100 brackets inside each other, found more",
            None,
        ),
    ],
)
def test_a_slip_is_named_with_its_place(text, place, message, hint):
    # Python's decoder gives up on depth only far beyond what 200 brackets need, so that one is made deeper.
    deep = text * 1000 if text.startswith('["[",') else text
    with pytest.raises(NotJson) as caught:
        read_document(deep.encode())
    assert line_and_column(caught.value.text, caught.value.position) == place
    assert caught.value.message == message
    assert caught.value.hint == hint


def test_numbers_that_python_would_not_read_are_read():
    data = read_document(b'{"long": ' + b"9" * 5000 + b', "large": 1e99999999999999999999, "exact": 2.020}').data
    assert data == {"long": Decimal("9" * 5000), "large": Decimal("Infinity"), "exact": Decimal("2.020")}
    assert str(data["exact"]) == "2.020"


@pytest.mark.parametrize(
    ("content", "repeats"), [(b'{"a": 1, "b": {"a": 1}}', False), (b'{"a": 1, "\\u0061": 1}', True), (b"[]", False)]
)
def test_a_repeated_key_is_noticed(content, repeats):
    assert read_document(content).repeats_a_key is repeats
