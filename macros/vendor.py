"""What the site ships of other people's work, and the licence of each."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


class MissingParts(Exception):
    """A part that `npm ci` installs is not there."""

    def __init__(self, path: Path) -> None:
        hint = "`make site` installs what the browser needs"
        super().__init__(f"expected {path.name} in {path.parent}, found nothing\n  hint: {hint}")


@dataclass(frozen=True, kw_only=True)
class Package:
    """One npm package, and what it is for."""

    name: str
    purpose: str
    licence_file: str = "LICENSE"


# CodeMirror is many packages; these are the ones of which some code is in the editor.
EDITOR = (
    "@codemirror/commands", "@codemirror/lang-python", "@codemirror/language", "@codemirror/state", "@codemirror/view",
    "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python", "@marijn/find-cluster-break", "style-mod",
    "w3c-keyname",
)  # fmt: skip
# One line a package. The order is that of the licences page.
PACKAGES = (
    Package(name="pyodide", purpose="CPython for WebAssembly, runs the labs", licence_file=""),
    Package(name="@fontsource-variable/source-serif-4", purpose="typeface of the text"),
    Package(name="@fontsource-variable/inter", purpose="typeface of headings, labels and tables"),
    Package(name="@fontsource-variable/jetbrains-mono", purpose="typeface of code"),
    Package(name="@fontsource/stix-two-math", purpose="typeface of equations, subset"),
    *(Package(name=name, purpose="the editor of the code cells") for name in EDITOR),
    Package(name="iframe-worker", purpose="lets the search work from disk"),
)


@dataclass(frozen=True)
class Licence:
    """What one shipped part is, and under which terms."""

    name: str
    version: str
    licence: str
    purpose: str
    text: str | None  # site path of the licence's text


def licence_texts(modules: Path) -> Mapping[str, Path]:
    """Return site path -> file for the licence of each package.

    Raises:
        MissingParts: a package is not installed
    """
    return {
        _licence_path(package): _there(modules / package.name / package.licence_file)
        for package in PACKAGES
        if package.licence_file
    }


def licences(modules: Path) -> Iterator[Licence]:
    """Return the licence of each vendored package, from its own package.json."""
    for package in PACKAGES:
        about = json.loads(_there(modules / package.name / "package.json").read_text(encoding="utf-8"))
        text = _licence_path(package) if package.licence_file else None
        yield Licence(package.name, about["version"], about["license"], package.purpose, text)


def _licence_path(package: Package) -> str:
    return f"licences/{package.name.strip('@').replace('/', '-')}.txt"


def _there(path: Path) -> Path:
    if not path.exists():
        raise MissingParts(path)
    return path
