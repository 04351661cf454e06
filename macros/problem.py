"""What is wrong, and where: one record and one text format for everything that a contributor can get wrong."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

type Severity = Literal["error", "warning"]
type Pointer = tuple[str | int, ...]

SHOWN_CHARACTERS = 72
# What would break a line, or hide in one: controls, line separators, marks of direction, half surrogates.
UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A problem of one card before it has a line: where it stands in the data, what was expected and found."""

    at: Pointer
    message: str
    hint: str | None = None
    severity: Severity = "error"
    on_key: bool = False  # the key is meant, not its value
    character: int | None = None  # inside the text at this place


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A problem with its place. Line and column count from 1; a line of 0 means the file as a whole."""

    file: Path
    line: int
    column: int
    pointer: str | None  # in the file's data; None in a file without data
    message: str
    hint: str | None = None
    severity: Severity = "error"

    def as_error(self) -> "Problem":
        """Return the same problem as an error."""
        return replace(self, severity="error")

    def text(self) -> str:
        """Return `file:line:col: /pointer: expected …, found …`, with the hint on a line below."""
        place = shown_path(self.file) + (f":{self.line}:{self.column}" if self.line else "")
        warning = "warning: " if self.severity == "warning" else ""
        hint = f"\n  hint: {one_line(self.hint)}" if self.hint else ""
        return f"{place}: {warning}{self._words()}{hint}"

    def annotation(self) -> str:
        """Return the line that GitHub's workflows turn into a note beside the changed line."""
        place = f",line={self.line},col={self.column}" if self.line else ""
        file = _workflow_escaped(shown_path(self.file)).replace(":", "%3A").replace(",", "%2C")
        hint = f"\nhint: {one_line(self.hint)}" if self.hint else ""
        return f"::{self.severity} file={file}{place}::{_workflow_escaped(self._words() + hint)}"

    def _words(self) -> str:
        # A pointer to the whole document is the empty string; "/" can be seen. A file as a whole has none.
        pointer = f"{one_line(self.pointer or '/')}: " if self.line and self.pointer is not None else ""
        return pointer + one_line(self.message)


def json_pointer(parts: Pointer) -> str:
    """Return the parts as a JSON pointer (RFC 6901).

    >>> json_pointer(("specs", 0, "a/b"))
    '/specs/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def shown_path(path: Path) -> str:
    """Return the path as it is shown: from the current folder where it lies below it, with forward slashes."""
    with suppress(ValueError, OSError):  # it lies elsewhere, or the current folder is gone
        path = path.absolute().relative_to(Path.cwd())
    return one_line(path.as_posix())


def one_line(text: str) -> str:
    """Return the text with every character escaped that would break the line or hide in it.

    >>> one_line("a" + chr(10) + "b")
    'a\\\\nb'
    """
    return UNSHOWABLE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def quoted(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return the text in quotes as JSON writes it, cut to a length that fits a message."""
    return json.dumps(text if len(text) <= limit else text[: limit - 1] + "…", ensure_ascii=False)


def listed(names: Sequence[str]) -> str:
    """Return the names with commas between them, so that they fit a sentence.

    >>> listed(["s", "ms", "µs"])
    's, ms, µs'
    """
    return ", ".join(names)


def _workflow_escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
