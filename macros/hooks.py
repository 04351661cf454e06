"""The edge to MkDocs: cards become generated files, prepared HTML takes its place after Markdown.

Keep it small: MkDocs never reloads this file while it serves.
"""

import json
import logging
import os
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority, get_plugin_logger
from mkdocs.structure import StructureItem
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

if TYPE_CHECKING:
    from jinja2 import Environment

    from macros.pages.site import Site

log = get_plugin_logger("atlas")
serving = False  # then a mistake is told and shown, and the server goes on
MISTAKES = "atlas_mistakes"  # of a page, among what MkDocs keeps with it


def on_startup(*, command: str, dirty: bool) -> None:
    """Note what MkDocs is asked for."""
    global serving
    serving = command == "serve"
    if os.environ.get("ATLAS_QUIET"):
        for handler in logging.getLogger("mkdocs").handlers:
            handler.setLevel(logging.WARNING)


@event_priority(100)  # before the macros plugin, which asks for extra.atlas in its own on_config
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Prepare the site, so that whatever can fail fails before a page is rendered."""
    _forget_modules()
    from macros.bundle import BuildFailed
    from macros.pages.site import CardsRefused, prepare
    from macros.results import ResultsRefused
    from macros.vendor import MissingParts

    root = Path(config.config_file_path).parent
    folder = Path(config.extra["cards"])
    try:
        site = prepare(folder if folder.is_absolute() else root / folder)
    except CardsRefused as refused:
        raise Abort(f"{refused}\nThe site is not built.") from None
    except (ResultsRefused, MissingParts, BuildFailed) as failed:
        raise Abort(str(failed)) from None
    for problem in site.library.problems:
        log.info(problem.text())
    config.extra["atlas"] = site
    config.watch.append(str(folder))
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each card and each lab, and the files that the site ships."""
    from labs.catalog import LABS

    site: Site = config.extra["atlas"]
    for file in files.documentation_pages():
        file.edit_uri = f"docs/{file.src_uri}"  # from the top of the repository, as those of generated pages
    for id, card in site.library.cards.items():
        files.append(_generated(config, f"cards/{id}", f'card("{id}")', card.name, card.role, edit=f"cards/{id}.json"))
    for id, module in LABS.items():
        about = module.LAB
        names = (f"labs/{id}", f'lab("{id}")', about.title, about.scope)
        files.append(_generated(config, *names, edit=f"labs/{id}.py", hide=["navigation", "toc"]))
    for target, source in site.files.items():
        if isinstance(source, Path):
            files.append(File.generated(config, target, abs_src_path=str(source)))
        else:
            files.append(File.generated(config, target, content=source))
    return files


def _generated(
    config: MkDocsConfig, name: str, macro: str, title: str, about: str, *, edit: str, hide: Sequence[str] = ()
) -> File:
    """Return a page that one macro fills."""
    # The macros plugin renders titles, and the theme prints them as they are: front matter as JSON, escaped.
    matter: dict[str, object] = {"hide": hide} if hide else {}
    for key, text in (("title", title), ("description", about)):
        matter[key] = escape(text).replace("{", "&#123;")
    head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in matter.items())
    content = f"---\n{head}---\n\n{{{{ {macro} }}}}\n"
    file = File.generated(config, f"{name}.md", content=content, inclusion=InclusionLevel.NOT_IN_NAV)
    file.edit_uri = edit
    return file


@event_priority(100)  # before the macros plugin, which ends at the first mistake and does not tell its line
def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Look for what a hand-written page's macros get wrong; such a page shows that instead."""
    from macros.pages.written import instead, page_problems

    if page.file.generated_by:
        return markdown
    macros: Any = config.plugins["macros"]
    found = page_problems(
        page.file.src_uri,
        page.file.content_string,
        markdown,
        environment=macros.env,
        variables={**macros.variables, "page": page, **page.meta},
        macros=tuple(name for name, macro in macros.macros.items() if macro.__module__ == "macros.main"),
    )
    if not found:
        return markdown
    page.meta.update({MISTAKES: found, "title": "A mistake", "render_macros": False})
    return instead(found)


def on_env(env: "Environment", *, config: MkDocsConfig, files: Files) -> "Environment":
    """End here, with all mistakes of all pages at once."""
    pages = (file.page for file in files.documentation_pages())
    found = [problem.text() for page in pages if page for problem in page.meta.get(MISTAKES, ())]
    if found and not serving:
        raise Abort("\n".join((*found, "The site is not built.")))
    for text in found:
        log.warning(text)
    return env


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the prepared HTML where the macros left its place."""
    from macros.pages.prepared import fill

    site: Site = config.extra["atlas"]

    def put(name: str) -> str:
        prepared = site.prepared[name]
        if prepared.runs_python:
            page.meta["runs_python"] = True
        if prepared.needs_supplement:
            page.meta["needs_supplement"] = True
        sections = ((id, escape(name)) for id, name in prepared.sections)
        added = get_toc([{"level": 2, "id": id, "name": name, "children": []} for id, name in sections])
        listed = page.toc.items
        (listed[0].children if listed and listed[0].level == 1 else listed).extend(added)
        return str(prepared.html)

    return fill(html, put)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Put in the pictures, which search has no use for: reading them would take most of the time of a build."""
    from macros.pages.prepared import fill

    site: Site = config.extra["atlas"]
    return fill(output, lambda name: site.pictures[name])


def on_page_context(context: dict[str, object], *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
    """Give the page of a card or a lab a small navigation below "Cards" or "Labs": a card's neighbours, or all labs.

    All cards in the global navigation would make every page carry every card.
    """
    from labs.catalog import LABS
    from macros.pages.index import neighbours

    site: Site = config.extra["atlas"]
    folder, _, name = page.file.src_uri.removesuffix(".md").rpartition("/")
    if folder == "cards" and name in site.library.cards:
        here = site.library.cards[name]
        links = [(card.id, card.short_name) for card in neighbours(here, site.library.cards)]
        branch = Section(escape(here.branch or here.level), _links(folder, links, name, page))
        branch.active = True
        context["nav"] = _with_section(nav, "Cards", [branch])
    elif folder == "labs" and name in LABS:
        labs = [(id, module.LAB.title) for id, module in LABS.items()]
        context["nav"] = _with_section(nav, "Labs", _links(folder, labs, name, page))


def _links(folder: str, named: list[tuple[str, str]], here: str, page: Page) -> list[StructureItem]:
    # The theme prints titles as they are.
    return [page if id == here else Link(escape(title), f"{folder}/{id}.html") for id, title in named]


def _with_section(nav: Navigation, title: str, below: list[StructureItem]) -> Navigation:
    items: list[StructureItem] = []
    for item in nav.items:
        if getattr(item, "title", "") == title:
            item = Section(title, [item, *below])
            item.active = True
        items.append(item)
    return Navigation(items, nav.pages)


def _forget_modules() -> None:
    """Let a running server see edits: drop our modules, so that the next import reads them again."""
    for name in [name for name in sys.modules if name.split(".")[0] in ("macros", "labs")]:
        if not name.startswith("macros/"):
            del sys.modules[name]
