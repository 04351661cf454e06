"""Pieces of pages, ready before MkDocs starts, and the places where they go."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

_RUNS_PYTHON = ('<section class="lab"', '<details class="cell"')
_PLACE = re.compile(r'<div data-atlas="([^"]+)"></div>')


@dataclass(frozen=True)
class Prepared:
    """HTML, and what the page around it has to know."""

    html: Markup
    sections: tuple[tuple[str, str], ...] = ()  # (id, title) for the table of contents
    needs_supplement: bool = False  # of a lab whose code Python starts without

    @property
    def runs_python(self) -> bool:
        """Return whether a lab or a cell stands in it."""
        return any(begin in self.html for begin in _RUNS_PYTHON)


def place(name: str) -> Markup:
    """Return the place of a piece: what stands there until the piece does."""
    return Markup('<div data-atlas="{}"></div>').format(name)


def fill(html: str, piece: Callable[[str], str]) -> str:
    """Return the HTML with the piece of its name in each place; places within a piece stay.

    >>> fill(f"<p>{place('a')}</p>", {"a": "<i>one</i>"}.__getitem__)
    '<p><i>one</i></p>'
    """
    return _PLACE.sub(lambda found: piece(found[1]), html)
