"""The commands that build the atlas: check cards, start one, build a site from them, write them as Markdown.

python -m macros check [PATH ...]           says what is wrong in the cards, all at once
python -m macros new ID                     starts a card
python -m macros site --cards DIR --out DIR builds a site from a folder of cards
python -m macros export DIR                 writes the cards as plain Markdown
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from macros.bundle import BuildFailed
from macros.cards.blank import blank_card
from macros.cards.fields import ID, web_address
from macros.cards.load import Library, load_cards
from macros.export.folder import INDEX, ExportError, write_export
from macros.problem import Problem, shown_path
from macros.site import SiteError, build_site, mkdocs_command

CARDS = Path("cards")
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, 1 where something is wrong, 2 for a call that is not understood."""
    given = _parser().parse_args(arguments)
    try:
        exit_code = _run(given)
        sys.stdout.flush()  # here, so that a reader who has gone is noticed inside this try
        return exit_code
    except (SiteError, ExportError, BuildFailed) as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:  # whoever read the output has stopped: nothing to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"{place}{error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return INTERRUPTED
    return 1


def _run(given: argparse.Namespace) -> int:
    match given.command:
        case "check":
            return check(given.paths or [CARDS], strict=given.strict, github=given.format == "github")
        case "new":
            return new(given.id, given.cards)
        case "export":
            return export(given.cards, given.out, given.site)
        case _:
            return site(given.cards, given.out, strict=given.strict)


def check(paths: Iterable[Path], *, strict: bool = False, github: bool = False) -> int:
    """Print every problem of the cards, and how many there are."""
    library = load_cards(paths, strict=strict)
    _report(library.problems, github=github)
    print(_summary(library))
    return 1 if library.errors else 0


def new(card_id: str, folder: Path = CARDS) -> int:
    """Write a card file to fill in."""
    file = folder / f"{card_id}.json"
    if not ID.fullmatch(card_id):
        print(f"expected an id of lower-case letters, digits and single hyphens, found {card_id}", file=sys.stderr)
        return 1
    if folder.exists() and not folder.is_dir():
        print(f"{shown_path(folder)}: expected a folder, found a file", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(blank_card(card_id))
    except FileExistsError:
        print(f"expected an id that no card has yet, found {shown_path(file)}", file=sys.stderr)
        return 1
    here = f"{shown_path(Path(sys.executable))} -m macros check {shown_path(file)}"
    print(f"wrote {shown_path(file)}; fill it in, then run: {here}")
    return 0


def site(cards: Path, out: Path, *, strict: bool = False) -> int:
    """Check the cards, then build their site."""
    library = load_cards([cards], strict=strict)
    _report(library.problems)
    print(_summary(library), flush=True)
    if library.errors:
        print("no site was built", file=sys.stderr)
        return 1
    page = build_site(cards, out, command=partial(mkdocs_command, strict=strict))
    print(f"The site is in {shown_path(page.parent)}. Open {page.as_uri()}")
    return 0


def export(cards: Path, out: Path, site: str | None = None) -> int:
    """Check the cards, then write them as Markdown."""
    from macros.export.pages import exported  # here, as `check` is not to wait for what pages need

    library = load_cards([cards])
    _report(library.problems)
    print(_summary(library), flush=True)
    if library.errors:
        print("nothing was exported", file=sys.stderr)
        return 1
    write_export(exported(library, site), out)
    print(f"The pages are in {shown_path(out)}. Begin with {shown_path(out / INDEX)}")
    return 0


def _address(text: str) -> str:
    try:
        return web_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected {error}, found {text}") from None


def _report(problems: Iterable[Problem], *, github: bool = False) -> None:
    for problem in problems:
        print(problem.annotation() if github else problem.text())


def _summary(library: Library) -> str:
    warnings = len(library.problems) - len(library.errors)
    counts = [_counted(library.read, "card"), _counted(len(library.errors), "problem")]
    return ", ".join(counts + ([_counted(warnings, "warning")] if warnings else []))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m macros", description="Check the cards, start a card, build a site, write Markdown."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    checks = commands.add_parser("check", help="say what is wrong in the cards, all at once")
    checks.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="card files, or folders of them (default: cards)"
    )
    checks.add_argument("--strict", action="store_true", help="warnings are errors: names not here, slips of units")
    checks.add_argument("--format", choices=("text", "github"), default="text", help="github: notes for a pull request")
    starts = commands.add_parser("new", help="start a card file, every required field in place")
    starts.add_argument("id", metavar="ID", help="lower-case letters, digits, hyphens: the file's name without .json")
    starts.add_argument("--cards", type=Path, default=CARDS, metavar="DIR", help="folder of cards (default: cards)")
    builds = commands.add_parser("site", help="build a site from a folder of cards")
    builds.add_argument("--cards", type=Path, required=True, metavar="DIR", help="folder of cards")
    builds.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where the site goes; an older site there is replaced"
    )
    builds.add_argument("--strict", action="store_true", help="warnings are errors: names not here, slips of units")
    exports = commands.add_parser("export", help="write the cards as plain Markdown, for another engine to build")
    exports.add_argument(
        "out", type=Path, metavar="DIR", help="a new folder, an empty one, or an older export, which is replaced"
    )
    exports.add_argument("--cards", type=Path, default=CARDS, metavar="DIR", help="folder of cards (default: cards)")
    exports.add_argument(
        "--site", type=_address, metavar="ADDRESS", help="where the built site is hosted: the labs lead there"
    )
    return parser


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal that cannot show µ shows \xb5
    sys.exit(main())
