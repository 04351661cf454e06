"""A table of a frame. On a phone each row folds into a block, so that every cell carries its column's name.

    {"id": …, "caption": …, "columns": [{"label": …, "unit": a unit, "%", or nothing for words}, …],
     "rows": [[a cell for each column], …],
     "folded": whether only the caption is seen at first,
     "keys": [a text for each row that tells it from others], where the page marks what came with the last change,
     "states": [a word for each of these rows], where it also marks what is no longer so}

A cell is a number in base units, a text, None for what is not defined, or an action (labs/views/action.py). The first
column names the row.
"""

from collections.abc import Mapping
from typing import Any

from labs.views.action import action_html
from labs.views.text import escape, shown

MANY = 7  # columns; a table of more may scroll sideways where it does not fold


def table_html(table: dict[str, Any]) -> str:
    """Return the table with its caption, folded where it says so."""
    columns, keys, states = table["columns"], table.get("keys"), table.get("states")
    head = "".join(f'<th scope="col">{escape(column["label"])}</th>' for column in columns)
    named = [f' data-key="{escape(key)}"' for key in keys] if keys else [""] * len(table["rows"])
    if states:
        named = [f'{name} data-state="{escape(state)}"' for name, state in zip(named, states, strict=True)]
    body = "".join(f"<tr{name}>{_cells(row, columns)}</tr>" for name, row in zip(named, table["rows"], strict=True))
    html = (
        f'<table class="lab-table" data-table="{escape(table["id"])}"><caption>{escape(table["caption"])}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    if len(columns) > MANY:
        name = escape(table["caption"])
        html = f'<div class="lab-scrolled" tabindex="0" role="group" aria-label="{name}">{html}</div>'
    if not table.get("folded"):
        return html
    return f'<details class="lab-more"><summary>{escape(table["caption"])}</summary>{html}</details>'


def _cells(row: list[Any], columns: list[dict[str, str]]) -> str:
    first, *rest = zip(row, columns, strict=True)
    return f'<th scope="row">{_cell(*first)}</th>' + "".join(
        f'<td data-label="{escape(column["label"])}">{_cell(value, column)}</td>' for value, column in rest
    )


def _cell(value: Any, column: dict[str, str]) -> str:
    return action_html(value) if isinstance(value, Mapping) else escape(shown(value, column.get("unit")))
