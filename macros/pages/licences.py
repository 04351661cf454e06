"""The licences of what the site ships, from the packages themselves."""

from pathlib import Path

from macros.pages.prepared import Prepared
from macros.pages.template import render
from macros.vendor import licences


def licence_table(modules: Path) -> Prepared:
    """Return the table of licences."""
    return Prepared(render("licences.html.jinja", licences=list(licences(modules))))
