"""Lines of a log as they were printed: without what terminals, launchers, web pages and Markdown put around them."""

import re
from collections.abc import Iterator
from html import unescape

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[@-Z\\-_]")
# A colour as editors, JSON and web pages leave it: the escape written out, changed to another character, or lost.
_COLOUR = re.compile(
    r"(?:\^\[|\\(?:x1[bB]|u001[bB]|033|e)|[\u241b\ufffd])\[[0-9;]*[mK]|\[\d{1,3}(?:;\d{1,3})*m"
)
_TAGS = re.compile(
    r"</?(?:pre|code|br|p|div|span|table|thead|tbody|tr|td|th|b|i|em|strong|font)\b[^<>]*>", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\([#_*|<>\[\]()~`.+-])")
_ENDS = re.compile(r"\\[nrt](?!\w)")  # of a line that stands in a line of JSON
_APOSTROPHES = re.compile(r"(?<![\w.,'])\d{1,3}(?:(?P<mark>['\u2019\u2009\u202f])\d{3})(?:(?P=mark)\d{3})*(?![\w'])")
_THOUSANDS = re.compile(r"(?<![\w.,\[])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w.,])")
_TYPE_BETWEEN_COMMAS = re.compile(r",\s*\"?[A-Za-z]\w*\"?\s*,")
_ODD_SPACES = str.maketrans(
    {
        **dict.fromkeys("\t\v\f\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\0"),
        "\N{MINUS SIGN}": "-",
    }
)
_LONGEST = 4000  # characters of a line that are read
_ROW_AHEAD = re.compile(r"(?<=\s)(?=\d{1,19} +\d{1,19} +[A-Za-z]\w* )")
# What differs from line to line in a launcher's prefix: times, dates, counters.
_VARIES = re.compile(
    r"\(?\[?(?:[\d:.,/+\-]*\d[\d:.,/+\-]*(?:T[\d:.,+\-]+)?Z?|[AP]\.?M\.?"
    r"|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)\]?\)?[.,:]?",
    re.IGNORECASE,
)
# A task's number, as `srun -l` and `mpiexec -l` print it before each line; so do counters of lines.
_TASK = re.compile(r"\d{1,6}:|\[\d{1,6}\]:?")
_GLUED = re.compile(r"(?<=[:>])\d+$")  # a column of numbers right behind a prefix


def clean_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line; a Windows line end counts once."""
    for number, line in enumerate(re.split(r"\r*\n|\r", text), start=1):
        for piece in (line,) if len(line) <= _LONGEST else _pieces(line):
            yield number, _clean(piece[:_LONGEST])


def _pieces(line: str) -> list[str]:
    """Return a line that is none: a whole log as a text of JSON, or one whose line ends got lost."""
    return line.split("\\n") if "\\n" in line else _ROW_AHEAD.split(line)


def source(prefix: str, *, tasks: bool = False) -> str:
    """Return what in a line's prefix names the process that wrote it: the prefix without times and counters.

    >>> source("12:00:01.5 host1 3:"), source("12:00:01.5 host1 3:", tasks=True)
    ('host1', 'host1 3:')
    """
    words = (
        word
        for word in prefix.replace("#", " ").split()
        if len(word) > 40 or not _VARIES.fullmatch(word) or (tasks and _TASK.fullmatch(word))
    )
    return " ".join(word if tasks and _TASK.fullmatch(word) else _GLUED.sub("", word) for word in words)


def _clean(line: str) -> str:
    if "\x1b" in line:
        line = _ANSI.sub("", line)
    if "&" in line:
        line = unescape(unescape(line))  # pages escape what was copied from a page
    if "[" in line:
        line = _COLOUR.sub("", line)
    if "<" in line:
        line = _TAGS.sub(" ", line)
    if "\\" in line:
        line = _ENDS.sub(" ", _ESCAPED.sub(r"\1", line))
    if "'" in line or not line.isascii():
        line = _APOSTROPHES.sub(lambda found: found[0].replace(found["mark"], ""), line)
    line = line.translate(_ODD_SPACES)
    if "," in line:
        separated = _TYPE_BETWEEN_COMMAS.search(line)
        line = (
            re.sub(r"[,\"]", " ", line) if separated else _THOUSANDS.sub(lambda found: found[0].replace(",", ""), line)
        )
    return line.replace("|", " ")
