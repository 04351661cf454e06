"""Text of a card as Markdown that shows it as typed: nothing in it is markup to Markdown, to HTML or to templates."""

import re
from typing import NewType

Markdown = NewType("Markdown", str)  # text that is escaped already; a plain str is not

# Every Markdown takes a backslash before the first of these. The others are entities, as some engines would show the
# backslash; an entity also parts `{{`, `{%` and `{#`, which templates look for before Markdown does.
SIGNS = (
    {sign: f"\\{sign}" for sign in "\\`*_[]#"}
    | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    | {sign: f"&#{ord(sign)};" for sign in "{|$~^"}
)
SIGN = re.compile("[" + re.escape("".join(SIGNS)) + "]")
# What starts a list, a directive or a definition, here or in some extension, when it stands first.
FIRST = re.compile(r"[!%()+,\-./:;=?@]")
ORDINAL = re.compile(r"(\d+)[.)](?=\s|$)")
LINE_BREAK = re.compile(r"\s*[\r\n]\s*")
# Signs of an address that would end it, or be read as an entity or as mathematics.
OF_ADDRESS = re.compile("[&$()]")
TEX_BLANKS = re.compile(r"[ \t\r\n]+")
# In mathematics a blank means nothing: it parts what HTML and templates would take for theirs.
TEX_MARKUP = re.compile(r"(?<=<)(?=[A-Za-z/!?])|(?<=\{)(?=[{%#])")


def one_line(text: str) -> str:
    """Return the text with a blank for each line break, as a browser shows it."""
    return LINE_BREAK.sub(" ", text).strip()


def inline(text: str) -> Markdown:
    r"""Return the text for a paragraph, a heading, a list or a table's cell, wherever it stands there.

    >>> print(inline("- x_<t | {{ n }}"))
    &#45; x\_&lt;t &#124; &#123;&#123; n }}
    """
    escaped = SIGN.sub(lambda sign: SIGNS[sign[0]], one_line(text))
    if ordinal := ORDINAL.match(escaped):
        return Markdown(f"{ordinal[1]}\\{escaped[ordinal.end(1) :]}")
    if FIRST.match(escaped):
        return Markdown(f"&#{ord(escaped[0])};{escaped[1:]}")
    return Markdown(escaped)


def link(text: str, address: str) -> Markdown:
    """Return a link; the address is one that a card may hold, or a file's name."""
    safe = OF_ADDRESS.sub(lambda sign: f"&#{ord(sign[0])};", address)
    return Markdown(f"[{inline(text)}]({safe})")


def code(text: str) -> Markdown:
    """Return a code span, in which every sign is itself.

    >>> print(code("global_batch(microbatch=8)"))
    `global_batch(microbatch=8)`
    """
    line = one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{ticks}{pad}{line}{pad}{ticks}")


def fenced(text: str, language: str) -> Markdown:
    """Return a fenced block. Nothing in it can be escaped: an engine with templates has to leave such blocks alone."""
    fence = "`" * max(_longest_run(text) + 1, 3)
    return Markdown(f"{fence}{language}\n{text.replace('\r\n', '\n').rstrip()}\n{fence}")


def equation(tex: str) -> Markdown:
    r"""Return LaTeX as a block between double dollar signs.

    >>> print(equation(r"a <b^{{n}}"))
    $$
    a < b^{ {n}}
    $$
    """
    return Markdown(f"$$\n{TEX_MARKUP.sub(' ', TEX_BLANKS.sub(' ', tex).lstrip(' '))}\n$$")


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
