"""The blocks that a page of Markdown is made of, from texts that are escaped already."""

import json
import re
from collections.abc import Iterable, Sequence

from macros.export.escape import Markdown, one_line

# What YAML does not take as it is, and the brace, which a template would see before YAML does.
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff{]")


def page(title: str, description: str, blocks: Iterable[Markdown]) -> str:
    """Return a whole page: its front matter, then its blocks."""
    front = f"---\ntitle: {_yaml(title)}\ndescription: {_yaml(description)}\n---"
    return "\n\n".join([front, *blocks]) + "\n"


def heading(level: int, text: Markdown) -> Markdown:
    """Return a heading of level 1 to 6."""
    return Markdown(f"{'#' * level} {text}")


def labelled(label: str, text: Markdown) -> Markdown:
    """Return a paragraph that begins with a word of ours in bold."""
    return Markdown(f"**{label}** {text}")


def bullets(items: Iterable[Markdown]) -> Markdown:
    """Return a list."""
    return Markdown("\n".join(f"- {item}" for item in items))


def numbered(items: Iterable[Markdown]) -> Markdown:
    """Return a numbered list."""
    return Markdown("\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1)))


def quote(text: Markdown) -> Markdown:
    """Return a paragraph that is set off."""
    return Markdown(f"> {text}")


def table(columns: Sequence[str], rows: Iterable[Sequence[Markdown]]) -> Markdown:
    """Return a table; its columns have names of ours."""
    lines = [columns, ["---"] * len(columns), *rows]
    return Markdown("\n".join(f"| {' | '.join(cells)} |" for cells in lines))


def _yaml(text: str) -> str:
    """Return the text in double quotes: what JSON writes is YAML, but for some characters."""
    quoted = json.dumps(one_line(text), ensure_ascii=False)
    return UNPRINTABLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)
