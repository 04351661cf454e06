"""The Jinja environment of the pages: autoescaped, and strict about names."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from macros.pages.prepared import place

TEMPLATES = Path(__file__).parent.parent / "templates"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["place"] = place
    return environment


def render(template: str, **context: Any) -> Markup:
    """Return a template's HTML. Plain strings in the context are escaped, Markup is taken as it is."""
    return Markup(_environment().get_template(template).render(context))
