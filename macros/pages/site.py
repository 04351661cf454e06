"""The whole site's own part, prepared before the first page is rendered: whatever can fail has failed here."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from labs.catalog import LABS
from macros.browser import build_parts
from macros.cards.load import Library, load_cards
from macros.fonts import subset_math_font
from macros.pages.calculators import calculator_pictures
from macros.pages.card import card_page, draw_figures
from macros.pages.home import home
from macros.pages.index import card_index
from macros.pages.lab import lab_view
from macros.pages.lab_page import lab_gallery, lab_page
from macros.pages.licences import licence_table
from macros.pages.model import model_reference
from macros.pages.prepared import Prepared
from macros.pages.published import published_page
from macros.pages.speed import speed_page
from macros.presets import preset_files
from macros.problem import Problem
from macros.results import read_results
from macros.styles import bundled_styles
from macros.vendor import licence_texts

ROOT = Path(__file__).parent.parent.parent
RESULTS = "bench/results.json"
IFRAME_WORKER = "iframe-worker/shim/index.js"
STYLES = "docs/assets/stylesheets/atlas.css"
MATH_FONT = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"


class CardsRefused(Exception):
    """The cards have errors; the site is not built."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(problem.text() for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Site:
    """What the MkDocs side looks things up in."""

    library: Library
    prepared: Mapping[str, Prepared]  # what a page names: "card:<id>", "lab:<id>", or a piece of a hand-written page
    pictures: Mapping[str, Markup]  # what a prepared piece names in turn: "figure:<id>", or "frame:<lab>"
    files: Mapping[str, Path | bytes]  # site path -> file to copy, or its content
    script: str  # site path of the script that every page carries
    supplement: str  # site path of the code of labs that Python starts without
    begin: str  # the script itself that stands in a page where Python runs
    iframe_worker: str  # the script itself that puts an <iframe> in Worker's place in a page from disk
    wheel: str  # site path of the model as a package


def prepare(cards: Path, *, root: Path = ROOT) -> Site:
    """Return everything that the pages of these cards need.

    Raises:
        CardsRefused: a card has an error
        ResultsRefused: bench/results.json is not as the bench writes it
        MissingParts: what `npm ci` installs is not there
    """
    library = load_cards([cards])
    if library.errors:
        raise CardsRefused(library.problems)
    speed = speed_page(read_results(root / RESULTS))
    modules = root / "node_modules"
    parts = build_parts(root, root / ".build" / "browser")
    figures = draw_figures(library)
    return Site(
        library=library,
        prepared={
            **{f"card:{id}": card_page(card, library, figures) for id, card in library.cards.items()},
            **{f"lab:{id}": lab_page(id, library.cards) for id in LABS},
            "card_index": card_index(library.cards),
            "home": home(library.cards),
            "lab_gallery": lab_gallery(library.cards),
            "licences": licence_table(modules),
            "model_reference": model_reference(),
            "published_runs": published_page(),
            "speed": speed,
        },
        pictures={
            **{f"figure:{id}": figure["svg"] for id, figure in figures.items()},
            **{f"frame:{lab}": lab_view(lab, None).frame.html for lab in LABS},
            **calculator_pictures(library.cards),
        },
        files={
            **licence_texts(modules),
            **bundled_styles(root / STYLES, modules=modules),
            "assets/fonts/stix-two-math.woff2": _math_font(modules / MATH_FONT, root / ".build"),
            **parts.files,
            **preset_files(),
        },
        script=parts.script,
        supplement=parts.supplement,
        begin=parts.begin.read_text(encoding="utf-8"),
        iframe_worker=(modules / IFRAME_WORKER).read_text(encoding="utf-8").strip(),
        wheel=parts.wheel,
    )


def _math_font(source: Path, cache: Path) -> Path:
    """Return the subset of the mathematics font, made once for each version of the source and of the way it is cut."""
    rule = (Path(__file__).parent.parent / "fonts.py").read_bytes()
    name = hashlib.sha256(rule + source.read_bytes()).hexdigest()[:16]
    target = cache / f"stix-two-math-{name}.woff2"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subset_math_font(source, target)
    return target
