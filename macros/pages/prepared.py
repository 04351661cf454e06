"""A piece of a page, ready before MkDocs starts: its HTML, and the sections that the table of contents lists."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Prepared:
    """HTML, and its sections as (id, title)."""

    html: Markup
    sections: tuple[tuple[str, str], ...] = ()
