"""The edge to the macros plugin: what a hand-written page may name. Each macro only looks things up."""

from typing import Any

from macros.pages.prepared import place
from macros.pages.value import stated
from macros.pages.written import misused, strictly


def define_env(env: Any) -> None:
    """Declare the macros. Called by mkdocs-macros-plugin, whose name for itself is `env`."""
    site = env.conf.extra["atlas"]

    def prepared(what: str, name: str, kind: str = "") -> str:
        if kind + str(name) in site.prepared:
            return str(place(kind + name))
        known = {key.removeprefix(kind): None for key in site.prepared if key.rpartition(":")[0] == kind.rstrip(":")}
        raise misused(what, name, known)

    def fragment(name: str) -> str:
        """Return the place of a prepared piece; hooks.py puts the piece there after Markdown."""
        return prepared("a piece of this site", name)

    def card(id: str) -> str:
        """Return the place of a card."""
        return prepared("the id of a card", id, "card:")

    def lab(id: str) -> str:
        """Return the place of a lab on a page of its own."""
        return prepared("the id of a lab", id, "lab:")

    def wheel_path() -> str:
        """Return where the site keeps the model as a package."""
        return str(site.wheel)

    def wheel_name() -> str:
        """Return the package's file name."""
        return wheel_path().rpartition("/")[2]

    def model(call: str, /, **inputs: str | float) -> str:
        """Return a number of the model as text, so that no page types one."""
        return stated(call, inputs)

    for macro in (fragment, card, lab, wheel_path, wheel_name, model):
        env.macro(strictly(macro))
