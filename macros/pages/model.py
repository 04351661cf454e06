"""The model's functions as a page, from their own docstrings."""

from textwrap import dedent
from typing import Any

from macros.model_calls import Function, public_functions
from macros.pages.prepared import Prepared
from macros.pages.template import render


def model_reference() -> Prepared:
    """Return the reference of the model's public functions, a heading a module, a package's modules together."""
    modules: dict[str, list[Function]] = {}
    for function in public_functions().values():
        modules.setdefault(function.callable.__module__, []).append(function)
    names = sorted(modules)
    shown = [
        {"id": _id(name), "title": name, "functions": [_shown(function) for function in modules[name]]}
        for name in names
    ]
    return Prepared(render("model.html.jinja", modules=shown), tuple((_id(name), name) for name in names))


def _id(module: str) -> str:
    return module.removeprefix("labs.model.").replace(".", "-").replace("_", "-")


def _shown(function: Function) -> dict[str, Any]:
    return {
        "name": function.name,
        "summary": function.summary,
        "body": [{"text": dedent(text).strip(), "is_formula": text.startswith("    ")} for text in function.body],
        "arguments": function.arguments,
        "result": function.result,
        "example": function.example,
        "source": function.source,
    }
