"""What went wrong in text that is nearly JSON, in words for whoever wrote it.

Python's decoder says where it stopped; this looks at what stands there and names the usual slips.
"""

import re

from macros.problem import quoted

type Slip = tuple[int, str, str | None]  # position, message, hint

# One piece of JSON outside the reach of the slip: a closed text, a bracket, or anything else.
PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\]]|[^"{}\[\]]+|"', re.DOTALL)
WORD = re.compile(r"[\w.+-]+")
# An escape with a whole pair of surrogates, one with four digits, or any other: tried in this order.
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|.)", re.DOTALL)
CLOSING = {"{": "}", "[": "]"}
CURLY_QUOTES = "“”„‟«»‘’"
CONSTANTS = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
    "undefined": "null",
}
DEEPEST = 100


def explained(text: str, position: int, message: str) -> Slip:
    """Return place, sentence and hint for the place where Python's decoder stopped."""
    if not text.strip():
        message = "expected a card, which is an object in { }, found an empty file"
        return 0, message, "`python -m macros new ID` writes one to fill in"
    if message.startswith("Unterminated string"):
        return position, "expected a closing quote for the text that starts here, found the end of the file", None
    if message.startswith("Invalid control character"):
        return _line_break_in_text(text, position)
    if message.startswith("Invalid \\"):
        return _bad_escape(text, position)
    if message.startswith("Extra data"):
        return _text_after_the_end(text, position)
    if position >= len(text.rstrip()):
        return _cut_short(text)
    return _at_character(text, position, message)


def _at_character(text: str, position: int, message: str) -> Slip:
    here = text[position]
    before = _last_before(text, position)
    if (here == "/" and text[position + 1 : position + 2] in ("/", "*")) or here == "#":
        return position, "expected JSON, found a comment", "JSON has no comments: take it out"
    if here in CURLY_QUOTES or here == "'" or here == "`":
        return position, f"expected straight double quotes, found {here}", 'text and keys stand in double quotes: "…"'
    comma = position if message.startswith("Illegal trailing") else before  # Python 3.13 stops there, 3.12 behind it
    closer = text[comma + 1 :].lstrip()[:1] if comma is not None and text[comma] == "," else ""
    if comma is not None and closer and closer in "}]":
        return comma, f"expected no comma before the closing {closer}, found one", "take the comma out"
    if message.startswith("Expecting ':'"):
        return position, f"expected a colon after the key, found {_piece(text, position)}", 'an entry is "key": value'
    if message.startswith("Expecting ','"):
        return _missing_comma(text, position)
    if message.startswith("Expecting property name"):
        return position, f"expected a key in double quotes, found {_piece(text, position)}", 'an entry is "key": value'
    if here in ",}]":
        return position, f"expected a value, found {here}", None
    word = WORD.match(text, position)
    if word and word[0] in CONSTANTS:
        return position, f"expected a JSON value, found {word[0]}", f"JSON writes {CONSTANTS[word[0]]}"
    hint = "text stands in double quotes; a number is written 5, 0.5 or 5e-6, without a unit" if word else None
    return position, f"expected a value, found {_piece(text, position)}", hint


def _missing_comma(text: str, position: int) -> Slip:
    opened = _open_brackets(text, position)
    closer = CLOSING[text[opened[-1]]] if opened else "}"
    here = text[position]
    end = _last_before(text, position)
    after_text = end is not None and text[end] == '"'
    found = _piece(text, position)
    if here in "}]" and opened:
        bracket = f"the {text[opened[-1]]} of line {_line(text, opened[-1])}"
        return position, f"expected {closer} to close {bracket}, found {here}", None
    if after_text and here not in '"{[':
        hint = r"a quote inside a text is written \"; after a text stands a comma or a closing bracket"
        return position, f"expected a comma or {closer} after the text, found {found}", hint
    goes_on = here.isalpha() or here in "._%" or (here.isdigit() and end == position - 1)
    if goes_on and end is not None and text[end].isdigit():
        hint = "a number is written 5, 0.5 or 5e-6, without leading zeros, separators or a unit"
        return position, f"expected a comma or {closer} after the number, found {found}", hint
    # The comma belongs right after the value before, often a line above the place where the decoder noticed.
    place = position if end is None else end + 1
    return place, f"expected a comma or {closer} here, found {found}", "a comma stands between two entries"


def _line_break_in_text(text: str, position: int) -> Slip:
    if text[position] in "\r\n":
        start = max(piece.start() for piece in PIECE.finditer(text, 0, position) if piece[0] == '"')
        column = start - text.rfind("\n", 0, start)
        message = f"expected the closing quote of the text that starts at column {column}, found the end of the line"
        return position, message, r"inside a text a line break is written \n and a quote \""
    found = f"U+{ord(text[position]):04X}"
    return (
        position,
        f"expected text without control characters, found {found}",
        "take it out, or write a blank for a tab",
    )


def _bad_escape(text: str, position: int) -> Slip:
    start = text.rfind("\\", 0, position + 1)
    sequence = re.match(r"\\(u[0-9a-fA-F]{0,4}|[A-Za-z]+|.?)", text[start:], re.DOTALL)
    found = sequence[0] if sequence else "\\"
    if found.startswith(r"\u"):
        hint = r"\u takes four hexadecimal digits; a backslash is written \\"
    else:
        hint = rf"a backslash is written \\ in JSON: \{found}"
    return start, f"expected an escape that JSON knows, found {found}", hint


def _text_after_the_end(text: str, position: int) -> Slip:
    here = text[position]
    if here in "}]":
        return position, f"expected the end of the file, found one {here} too many", None
    if here == ",":
        return position, "expected the end of the file, found a comma", "one card stands in one file"
    if (here == "/" and text[position + 1 : position + 2] in ("/", "*")) or here == "#":
        return position, "expected the end of the file, found a comment", "JSON has no comments: take it out"
    return (
        position,
        f"expected the end of the file, found {_piece(text, position)}",
        "a card is one object, and a file holds one card",
    )


def _cut_short(text: str) -> Slip:
    end = len(text.rstrip())
    opened = _open_brackets(text, end)
    if not opened:
        return end, "expected a value, found the end of the file", None
    bracket = text[opened[-1]]
    wanted = f"{CLOSING[bracket]} to close the {bracket} of line {_line(text, opened[-1])}"
    message = f"expected {wanted}, found the end of the file"
    return end, message, "the end of the file is missing" if len(opened) > 1 else None


def word_constant(text: str, name: str) -> Slip:
    """Return the place of NaN or Infinity, which Python would read and JSON has not."""
    position = 0
    for piece in PIECE.finditer(text):
        if not piece[0].startswith('"') and (inside := piece[0].find(name)) >= 0:
            position = piece.start() + inside
            break
    return position, f"expected a number that JSON knows, found {name}", "leave the field out where there is no number"


def too_deep(text: str) -> Slip:
    """Return the place where brackets stand in brackets more often than any card needs."""
    depth = 0
    for piece in PIECE.finditer(text):
        depth += (piece[0] in CLOSING) - (piece[0] in "}]")
        if depth > DEEPEST:
            return piece.start(), f"expected at most {DEEPEST} brackets inside each other, found more", None
    return 0, f"expected at most {DEEPEST} brackets inside each other, found more", None


def lone_surrogate(text: str) -> Slip | None:
    r"""Return the first \u escape that is half a character; only texts hold backslashes in valid JSON."""
    for escape in ESCAPE.finditer(text) if r"\u" in text else ():
        if escape[1] and 0xD800 <= int(escape[1], 16) <= 0xDFFF:
            return (
                escape.start(),
                f"expected a whole character, found half of one, {escape[0]}",
                "write the character itself",
            )
    return None


def _open_brackets(text: str, position: int) -> list[int]:
    opened: list[int] = []
    for piece in PIECE.finditer(text, 0, position):
        if piece[0] in CLOSING:
            opened.append(piece.start())
        elif piece[0] in ("}", "]") and opened:
            opened.pop()
    return opened


def _last_before(text: str, position: int) -> int | None:
    end = len(text[:position].rstrip())
    return end - 1 if end else None


def _piece(text: str, position: int) -> str:
    """Return what stands here, as a message shows it: a text, a word or a character."""
    found = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\w.+-]+|.', re.DOTALL).match(text, position)
    piece = found[0] if found else ""
    if piece.startswith('"') and len(piece) > 1:
        return f"the text {quoted(piece[1:-1], 40)}"
    return piece if len(piece) <= 40 else piece[:39] + "…"


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
