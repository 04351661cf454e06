"""The folder of an export: only what was written there before is replaced or deleted, and only by name."""

import re
from collections.abc import Mapping, Set
from pathlib import Path

from macros.problem import shown_path

INDEX = "index.md"
LISTING = ".atlas-export"
ABOUT = "Written by `python -m macros export`, which may replace and delete these files:"
OURS = re.compile(r"[a-z0-9-]+\.md|figures/[a-z0-9-]+\.svg")  # nothing else is deleted, whatever the listing says
SHOWN = 3


class ExportError(Exception):
    """Why nothing was exported, in a sentence."""


def write_export(pages: Mapping[str, str], out: Path) -> None:
    """Write the files, and delete those of an older export that are no longer among them.

    Args:
        pages: file name -> text
        out: a new folder, an empty one, or one that holds an older export; other files in it stay

    Raises:
        ExportError: something would be lost
        OSError: a file cannot be written
    """
    older = _older(out)
    _refuse_to_lose(pages, out, older)
    out.mkdir(parents=True, exist_ok=True)
    _list(out, older | pages.keys())  # before the files, so that an export that was stopped can be repeated
    for name, text in pages.items():
        file = out / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    for name in older - pages.keys():
        (out / name).unlink(missing_ok=True)
    _list(out, pages.keys())


def _older(out: Path) -> frozenset[str]:
    listing = out / LISTING
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    return frozenset(line for line in lines if OURS.fullmatch(line))


def _refuse_to_lose(pages: Mapping[str, str], out: Path, older: frozenset[str]) -> None:
    if out.exists() and not out.is_dir():
        raise ExportError(f"expected a folder to export to, found the file {shown_path(out)}")
    if out.is_dir() and any(out.iterdir()) and not (out / LISTING).is_file():
        raise ExportError(
            f"expected a new folder, an empty one or an older export, found {shown_path(out)} with other files in it\n"
            f"  hint: name another folder, or delete this one yourself"
        )
    if others := sorted(name for name in pages if name not in older and (out / name).exists()):
        named = ", ".join(others[:SHOWN]) + (", …" if len(others) > SHOWN else "")
        raise ExportError(
            f"expected {shown_path(out)} to hold no other files by these names, found {named}\n"
            f"  hint: move them elsewhere"
        )


def _list(out: Path, names: Set[str]) -> None:
    text = "\n".join([ABOUT, *sorted(names)]) + "\n"
    (out / LISTING).write_text(text, encoding="utf-8", newline="\n")
