"""A whole site from a folder of cards: checked, built beside the place where it goes, then moved there."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CARDS_VARIABLE = "ATLAS_CARDS"  # mkdocs.yml and the hooks read the cards' folder from it
QUIET_VARIABLE = "ATLAS_QUIET"  # the hooks let MkDocs tell warnings alone; --quiet would keep them from --strict too
# The theme's notice of its end of life is no news to whoever builds a site.
QUIET = {"NO_MKDOCS_2_WARNING": "1", QUIET_VARIABLE: "1"}
TOLD = 1  # MkDocs's exit code when it has said what is wrong
MARKER = ".atlas-site"  # says that a folder is a site of ours, and so may be replaced

type Command = Callable[[Path], Sequence[str]]


class SiteError(Exception):
    """Why no site was built, in a sentence."""


def mkdocs_command(target: Path, *, strict: bool = False) -> Sequence[str]:
    """Return the command that builds the site into a folder; under `strict` its warnings are errors."""
    strictly = ("--strict",) if strict else ()
    return (sys.executable, "-m", "mkdocs", "build", *strictly, "-f", "mkdocs.yml", "-d", str(target))


def build_site(
    cards: Path, out: Path, *, command: Command = mkdocs_command, environment: Mapping[str, str] = os.environ
) -> Path:
    """Build the site of a folder of cards and put it in place; nothing changes there unless the build succeeds.

    Args:
        cards: folder of cards, already checked
        out: where the site goes; an old site there is replaced
        command: gives the command that builds into a folder; it runs in the repository's root
        environment: variables of that command, besides ATLAS_CARDS

    Returns:
        the site's first page

    Raises:
        SiteError: `out` is not ours to replace, or the build failed
        OSError: a file cannot be written
    """
    cards, out = cards.resolve(), out.resolve()
    refuse_to_replace(cards, out)
    out.parent.mkdir(parents=True, exist_ok=True)
    # Next to `out`, so that the move stays on one disk and happens at once.
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as scratch:
        built = Path(scratch) / "new"
        done = subprocess.run(
            command(built), cwd=ROOT, env={**environment, **QUIET, CARDS_VARIABLE: str(cards)}, check=False
        )
        if done.returncode != 0:
            code = f" (exit code {done.returncode})" if done.returncode != TOLD else ""
            raise SiteError(f"expected the build to succeed, found that it did not{code}: {out} is as it was")
        if not (built / "index.html").is_file():
            raise SiteError(f"expected the build to write index.html, found none: {out} is as it was")
        (built / MARKER).write_text(
            "Built by `python -m macros site`, which may replace this folder.\n", encoding="utf-8"
        )
        _put_in_place(built, out, Path(scratch) / "old")
    return out / "index.html"


def refuse_to_replace(cards: Path, out: Path) -> None:
    """Refuse a target that holds anything but an old site of ours.

    Raises:
        SiteError: replacing the target would lose something
    """
    if out.exists() and not out.is_dir():
        raise SiteError(f"expected --out to be a folder, found the file {out}")
    for what, inner in (("the cards", cards), ("this repository", ROOT)):
        if inner == out or out in inner.parents:
            raise SiteError(f"expected --out to be a folder for the site alone, found {out}, which holds {what}")
    if out.is_dir() and any(out.iterdir()) and not (out / MARKER).is_file():
        raise SiteError(
            f"expected --out to be a new folder, an empty one or an older site, found {out} with other files in it\n"
            f"  hint: name another folder, or delete this one yourself"
        )


def _put_in_place(built: Path, out: Path, old: Path) -> None:
    replaced = out.exists()
    if replaced:
        out.rename(old)
    try:
        built.rename(out)
    except OSError:
        if replaced:
            shutil.move(old, out)
        raise
