"""A piece of a page, ready before MkDocs starts."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Prepared:
    """HTML, and what the page around it has to know."""

    html: Markup
    sections: tuple[tuple[str, str], ...] = ()  # (id, title) for the table of contents
    runs_python: bool = False
