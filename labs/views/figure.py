"""What every chart has around its picture: a title, a readout, a cursor, and a folded table of the same numbers.

The table is the one place of the chart's values as text. The page's script reads a row of it into the readout when the
reader points at the chart or moves the cursor by key; `data-at` says where in the drawing the row stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labs.views.action import sets_attribute
from labs.views.drawing import COLOURS, FONT, WIDTH
from labs.views.table import table_html
from labs.views.text import escape


@dataclass(frozen=True)
class Column:
    """One column of the numbers: its name, and the sample of its line or area, as SVG text."""

    label: str
    key: str = ""


@dataclass(frozen=True)
class Row:
    """One row: its texts, and where the cursor shows it.

    For lines `at` is x and then each line's y, None where the line is not drawn; for boxes it is x, y, width, height.
    """

    texts: tuple[str, ...]
    at: tuple[float | None, ...]
    sets: Mapping[str, str] | None = None  # inputs that a press on it fills
    key: str = ""  # tells it from others where the page marks what the last change brought


@dataclass(frozen=True)
class Picture:
    """A chart as drawn."""

    kind: str
    height: float
    parts: Sequence[str]
    columns: Sequence[Column]
    rows: Sequence[Row]
    current: int | None  # the row that the readout shows at rest
    dots: int = 0  # of the cursor on lines; none: it is a frame around a box
    span: tuple[float, float] = (0, 0)  # top and bottom of the cursor's line
    says: str = ""  # the value that matters, for the name
    width: float = WIDTH


def figure_html(series: dict[str, Any], picture: Picture) -> str:
    """Return the picture in a figure, well-formed as XML too."""
    title = series["title"]
    name = f"{title}. {picture.says}" if picture.says else f"{title}."
    drawn = "".join(picture.parts) + _mark(picture)
    return (
        f'<figure class="lab-chart" data-series="{escape(series["id"])}" data-kind="{picture.kind}"'
        f"{' data-wide=""' if picture.width > WIDTH else ''}>"
        f"<figcaption>{escape(title)}</figcaption>"
        f'<div class="lab-plot"><svg viewBox="0 0 {picture.width:g} {picture.height:g}" role="img" '
        f'aria-label="{escape(name)}" xmlns="http://www.w3.org/2000/svg" font-size="{FONT}">{drawn}</svg>'
        f"{_cursor(title, picture)}</div>"
        f"{_beside(series, picture)}{_numbers(picture)}"
        '<button type="button" class="lab-save">Save chart</button></figure>'
    )


def ornament(picture: Picture) -> str:
    """Return the picture alone, hidden from screen readers."""
    return (
        f'<svg viewBox="0 0 {picture.width:g} {picture.height:g}" aria-hidden="true" '
        f'xmlns="http://www.w3.org/2000/svg" font-size="{FONT}">{"".join(picture.parts)}</svg>'
    )


def _mark(picture: Picture) -> str:
    """Return the cursor as drawn: hidden until the script puts it somewhere."""
    accent, surface = COLOURS["accent"], COLOURS["surface"]
    if not picture.dots:
        shape = f'<rect fill="none" stroke="{accent}" stroke-width="2"/>'
    else:
        top, bottom = picture.span
        dot = f'<circle r="4" fill="{surface}" stroke="{accent}" stroke-width="2"/>'
        shape = f'<path d="M0 {top:g}V{bottom:g}" stroke="{accent}"/>' + dot * picture.dots
    return f'<g class="lab-mark" visibility="hidden">{shape}</g>'


def _cursor(title: str, picture: Picture) -> str:
    """Return the slider over the rows: what keys, touch and screen readers move. Without scripts it is not shown."""
    if not picture.rows:
        return ""
    at = picture.current or 0
    return (
        f'<input type="range" class="lab-cursor" min="0" max="{len(picture.rows) - 1}" step="1" value="{at}" '
        f'data-rest="{at}" autocomplete="off" aria-label="{escape(title)}: read the values" '
        f'aria-valuetext="{escape(_spoken(picture, at))}"/>'
    )


def _spoken(picture: Picture, at: int) -> str:
    texts = picture.rows[at].texts
    return ", ".join(f"{column.label} {text}".strip() for column, text in zip(picture.columns, texts, strict=True))


def _readout(picture: Picture) -> str:
    if not picture.rows:
        return ""
    texts = picture.rows[picture.current or 0].texts
    values = "".join(
        f"<span>{column.key}{escape(column.label)} <strong>{escape(text)}</strong></span> "
        for column, text in zip(picture.columns, texts, strict=True)
    )
    return f'<p class="lab-readout">{values.rstrip()}</p>'


def _beside(series: dict[str, Any], picture: Picture) -> str:
    """Return what stands beside the picture: the readout, and a table where the series has one as its `aside`."""
    aside = series.get("aside")
    return f'<div class="lab-beside">{_readout(picture)}{table_html(aside)}</div>' if aside else _readout(picture)


def _numbers(picture: Picture) -> str:
    head = "".join(f'<th scope="col">{escape(column.label)}</th>' for column in picture.columns)
    body = "".join(
        f'<tr data-at="{" ".join("-" if place is None else f"{place:.1f}" for place in row.at)}"'
        f"{f' data-sets="{sets_attribute(row.sets)}"' if row.sets else ''}"
        f"{f' data-key="{escape(row.key)}"' if row.key else ''}"
        f"{' class="lab-now"' if i == picture.current else ''}>"
        f'<th scope="row">{escape(row.texts[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row.texts[1:])
        + "</tr>"
        for i, row in enumerate(picture.rows)
    )
    return (
        '<details class="lab-numbers"><summary>The same as numbers</summary>'
        f'<table class="lab-points"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>'
    )
