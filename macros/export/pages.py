"""All files of an export: a page for each card, an index, and the figures."""


from macros.cards.load import Library
from macros.export.blocks import bullets, heading, page
from macros.export.card import Place, card_markdown
from macros.export.escape import Markdown, inline, link
from macros.export.folder import INDEX
from macros.figures import drawn
from macros.pages.index import by_level, capital


def exported(library: Library, site: str | None = None) -> dict[str, str]:
    """Return file name -> text.

    Args:
        library: cards without errors
        site: address of a site where the labs are live, or None

    Raises:
        BuildFailed: a figure's code has a mistake
    """
    names = dict.fromkeys(name for card in library.cards.values() for name in card.figures)
    figures = {name: drawn(name) for name in names}
    place = Place(library=library, figures=figures, site=site.rstrip("/") if site else None)
    pages = {f"{card.id}.md": card_markdown(card, place) for card in library.cards.values()}
    drawings = {f"figures/{name}.svg": f"{figure.svg}\n" for name, figure in figures.items()}
    return {INDEX: _index(library), **pages, **drawings}


def _index(library: Library) -> str:
    blocks = [heading(1, inline("Cards"))]
    for level, branches in by_level(library.cards).items():
        blocks.append(heading(2, inline(capital(level))))
        for branch, cards in branches.items():
            entries = [Markdown(f"{link(card.name, f'{card.id}.md')}: {inline(card.role)}") for card in cards]
            blocks += [heading(3, inline(branch)), bullets(entries)]
    return page("Cards", "All cards by level and branch.", blocks)
