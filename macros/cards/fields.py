"""The kinds of value that a card's fields hold: text, ids, addresses, numbers, lists without repeats."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, NoReturn
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

PLACEHOLDER = "TODO:"  # `python -m macros new` starts each hole with it
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# A line break may stand in a text; what breaks lines besides, hides, or turns the direction of writing may not.
CONTROL = re.compile("(?!\r\n)[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
RESERVED = frozenset({"index"})  # a folder's first page has this name
LONGEST_LITERAL = 30  # digits, and the largest power of ten: far above every number a card states
# The letter of each escape that JSON and TeX both know, and so JSON eats: "\frac" arrives as a form feed and "rac".
ESCAPED = {"\x08": "b", "\x0c": "f", "\r": "r", "\t": "t", "\n": "n"}
# TeX commands that begin with the line break's letter; a line break in TeX is harmless otherwise.
AFTER_LINE_BREAK = re.compile(
    r"\n(abla|e|eg|eq|exists|i|leq|geq|less|gtr|mid|ot|otin|parallel|rightarrow|u)(?![A-Za-z])"
)


def refuse(expected: str, *, hint: str | None = None, at: int | None = None, found: str | None = None) -> NoReturn:
    """Raise what pydantic collects; `at` is an entry of the list being looked at, `found` the words for what came.

    Raises:
        PydanticCustomError: always
    """
    raise PydanticCustomError("card", "{expected}", {"expected": expected, "hint": hint, "at": at, "found": found})


def refuse_placeholder(value: str, expected: str) -> None:
    """Refuse the text that a new card starts with."""
    if value.lstrip().startswith(PLACEHOLDER):
        wanted = value.lstrip().removeprefix(PLACEHOLDER).strip()
        refuse(expected, hint=f"to fill in: {wanted}" if wanted else None, found="a placeholder")


def filled(value: str) -> str:
    """Return the text if a reader would see something, all of it.

    Raises:
        PydanticCustomError: it is empty, a placeholder, or holds control characters
    """
    refuse_placeholder(value, "text")
    # The first test is quick, and nearly always enough.
    if not value[:1].isalnum() and not any(mark.isprintable() and not mark.isspace() for mark in value):
        refuse("text", found="an empty text" if not value else "a text of blanks")
    if CONTROL.search(value):
        refuse_control(value.replace("\r\n", "\n"))
    return value


def on_one_line(value: str) -> str:
    """Return the text if it is filled and has no line break: names stand in headings, tables and lists."""
    if "\n" in filled(value).strip():
        refuse("text on one line", found="a line break in it")
    return value


def refuse_control(value: str) -> None:
    """Refuse a control character in the words of whoever typed a TeX command with one backslash."""
    found = CONTROL.search(value)
    if not found:
        return
    rest = re.match("[A-Za-z]*", value[found.end() :])
    if found[0] in ESCAPED and rest and rest[0]:
        command = ESCAPED[found[0]] + rest[0]
        refuse(
            "text without control characters",
            found=rf"one that \{ESCAPED[found[0]]} makes",
            hint=rf'the TeX command \{command} is written "\\{command}" in JSON',
        )
    refuse("text without control characters", found=f"character U+{ord(found[0]):04X}")


def tex(value: str) -> str:
    r"""Return the text if no TeX command lost its beginning to a line break, as `\nu` does with one backslash."""
    filled(value)
    if broken := AFTER_LINE_BREAK.search(value):
        refuse(
            "TeX without broken commands",
            found=f'a line break before "{broken[1]}"',
            hint=rf'the TeX command \n{broken[1]} is written "\\n{broken[1]}" in JSON',
        )
    return value


def python(value: str) -> str:
    """Return the text if it can be Python code, indented by spaces. Whether it compiles, macros.cards.cells says."""
    refuse_placeholder(value, "Python code")
    if not value.strip():
        refuse("Python code", found="an empty text" if not value else "a text of blanks")
    if "\t" in value:
        refuse("Python code indented by spaces", found="a tab")
    if control := CONTROL.search(value.replace("\r\n", "\n")):
        refuse("Python code without control characters", found=f"character U+{ord(control[0]):04X}")
    return value


def card_id(value: str) -> str:
    """Return the text if it can name a card, a lab or a figure."""
    expected = "an id of lower-case letters, digits and single hyphens"
    refuse_placeholder(value, expected)
    if not ID.fullmatch(value):
        near = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
        refuse(expected, hint=f'did you mean "{near}"?' if near else None)
    if value in RESERVED:
        refuse("another id", hint="a folder's first page has this name")
    return value


def web_address(value: str) -> str:
    """Return the text if it is an http or https address: anything else in a link could run a script or lead nowhere."""
    expected = "a web address that begins with https:// or http://"
    refuse_placeholder(value, expected)
    try:
        parts = urlsplit(value)
        host = parts.hostname
        _ = parts.port  # raises where it is no number
    except ValueError:
        parts, host = None, None
    if parts is None or parts.scheme not in ("http", "https") or not host:
        looks_bare = re.match(r"(//)?[\w-]+(\.[\w-]+)+(/|$)", value)
        refuse(expected, hint=f'did you mean "https://{value.removeprefix("//")}"?' if looks_bare else None)
    if re.search(r'[\s<>"\\^`{|}\x00-\x1f\x7f]', value):
        refuse("a web address without blanks and quotes", hint="a blank in an address is written %20")
    return value


def number(value: object) -> Decimal:
    """Return a JSON number with its digits as written."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        refuse("a number")
    exact = Decimal(value)
    if (
        not exact.is_finite()
        or abs(exact.adjusted()) > LONGEST_LITERAL
        or len(exact.as_tuple().digits) > LONGEST_LITERAL
    ):
        refuse(f"a number of at most {LONGEST_LITERAL} digits, from 1e-{LONGEST_LITERAL} to 1e{LONGEST_LITERAL}")
    return exact


def quantity(value: object) -> str | Decimal:
    """Return a number, or the text of a quantity with its unit."""
    if isinstance(value, str):
        return filled(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        refuse("a number, or a quantity with its unit in quotes")
    return number(value)


def year(value: object) -> int | str:
    """Return a year as a number or a text such as "1990s"."""
    if isinstance(value, str):
        return filled(value)
    if isinstance(value, bool) or not isinstance(value, int):
        refuse("a year, as a whole number or a text")
    if abs(value) > 9999:
        refuse("a year of at most four digits")
    return value


def different[T](what: str) -> Callable[[tuple[T, ...]], tuple[T, ...]]:
    """Return a check that no entry of a list stands there twice."""

    def check(values: tuple[T, ...]) -> tuple[T, ...]:
        seen: dict[object, int] = {}
        for index, value in enumerate(values):
            read = " ".join(value.split()) if isinstance(value, str) else value  # a reader sees no blank more or less
            if read in seen:
                refuse(f"{what} that all differ", at=index, hint=f"the same as entry {seen[read]}, counted from 0")
            seen[read] = index
        return values

    return check


def year_of(value: int | str) -> int | None:
    """Return the first year that a year's text names, or None."""
    found = re.search("-?[0-9]{1,4}", str(value))
    return int(found[0]) if found else None


def at_least(least: int) -> Callable[[tuple[object, ...]], tuple[object, ...]]:
    """Return a check of a list's length. (pydantic's own counts only the entries that are right.)"""

    def check(values: tuple[object, ...]) -> tuple[object, ...]:
        if len(values) < least:
            refuse(f"a list of {least} or more")
        return values

    return check


Text = Annotated[
    str, AfterValidator(filled), WithJsonSchema({"type": "string", "pattern": rf"^(?!\s*{PLACEHOLDER})[\s\S]*\S"})
]
Line = Annotated[
    str,
    AfterValidator(on_one_line),
    WithJsonSchema({"type": "string", "pattern": rf"^(?!\s*{PLACEHOLDER})[^\n]*\S[^\n]*$"}),
]
Code = Annotated[
    str,
    AfterValidator(python),
    WithJsonSchema({"type": "string", "pattern": rf"^(?!\s*{PLACEHOLDER})[^\t]*\S[^\t]*$"}),
]
Tex = Annotated[str, AfterValidator(tex), WithJsonSchema({"type": "string", "pattern": r"\S"})]
Id = Annotated[str, AfterValidator(card_id), WithJsonSchema({"type": "string", "pattern": f"^{ID.pattern}$"})]
Url = Annotated[
    str,
    AfterValidator(web_address),
    WithJsonSchema({"type": "string", "format": "uri", "pattern": r'^https?://[^\s<>"\\^`{|}]+$'}),
]
Number = Annotated[Decimal, BeforeValidator(number), WithJsonSchema({"type": "number"})]
Quantity = Annotated[
    str | Decimal,
    BeforeValidator(quantity),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": r"\S"}, {"type": "number"}]}),
]
Year = Annotated[
    int | str,
    BeforeValidator(year),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": -9999, "maximum": 9999}, {"type": "string", "pattern": r"\S"}]}
    ),
]
Ids = Annotated[
    tuple[Id, ...],
    AfterValidator(different("ids")),
    WithJsonSchema({"type": "array", "items": {"type": "string", "pattern": f"^{ID.pattern}$"}, "uniqueItems": True}),
]
