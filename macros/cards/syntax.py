"""A card file's bytes -> JSON data, or the one problem that keeps them from being JSON."""

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from macros.cards.slips import explained, lone_surrogate, too_deep, word_constant

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
LONGEST_INT = 40  # digits; Python itself refuses to read an int of more than 4,300


class NotJson(Exception):
    """The bytes are not JSON: where (a character of the text), what was expected and found, what helps."""

    def __init__(self, text: str, position: int, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position
        self.message = message
        self.hint = hint


@dataclass(frozen=True)
class Document:
    """A file that is JSON: its text, the data in it, and whether some object has a key twice."""

    text: str
    data: object
    repeats_a_key: bool


def read_document(content: bytes) -> Document:
    """Return the JSON data of a file. Decimal fractions keep their digits as Decimal; a byte order mark is skipped.

    Raises:
        NotJson: the content is not UTF-8 or not JSON
    """
    text = _decoded(content)
    repeats = False

    def pairs_to_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal repeats
        result = dict(pairs)
        repeats = repeats or len(result) < len(pairs)
        return result

    def refuse_constant(name: str) -> object:
        position, message, hint = word_constant(text, name)
        raise NotJson(text, position, message, hint)

    try:
        data = json.loads(
            text,
            parse_float=_exact,
            parse_int=_whole,
            parse_constant=refuse_constant,
            object_pairs_hook=pairs_to_object,
        )
    except json.JSONDecodeError as error:
        raise NotJson(text, *explained(text, error.pos, error.msg)) from None
    except RecursionError:
        raise NotJson(text, *too_deep(text)) from None
    if (broken := lone_surrogate(text)) is not None:
        raise NotJson(text, *broken)
    return Document(text, data, repeats)


def _decoded(content: bytes) -> str:
    if content.startswith(UTF16_MARKS):
        raise NotJson("", 0, "expected text in UTF-8, found UTF-16", "save the file with the encoding UTF-8")
    content = content.removeprefix(BYTE_ORDER_MARK)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        hint = "save the file with the encoding UTF-8"
        raise NotJson(
            before, len(before), f"expected text in UTF-8, found the byte 0x{content[error.start]:02X}", hint
        ) from None


def _exact(literal: str) -> Decimal:
    try:
        return Decimal(literal)
    except InvalidOperation:  # an exponent beyond what decimal holds; the field's check refuses it with its place
        return Decimal("Infinity")


def _whole(literal: str) -> int | Decimal:
    return int(literal) if len(literal) <= LONGEST_INT else Decimal(literal)


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return line and column, both from 1, of a character of the text.

    >>> line_and_column("a" + chr(10) + "bc", 3)
    (2, 2)
    """
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
