"""A table of a frame. On a phone each row folds into a block, so that every cell carries its column's name."""

from typing import Any

from labs.views.text import escape, shown


def table_html(table: dict[str, Any]) -> str:
    """Return the table with its caption; the first column names the row."""
    columns = table["columns"]
    head = "".join(f'<th scope="col">{escape(column["label"])}</th>' for column in columns)
    body = "".join(f"<tr>{_cells(row, columns)}</tr>" for row in table["rows"])
    return (
        f'<table class="lab-table" data-table="{escape(table["id"])}"><caption>{escape(table["caption"])}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: list[Any], columns: list[dict[str, str]]) -> str:
    first, *rest = zip(row, columns, strict=True)
    return f'<th scope="row">{escape(shown(*_unit(first)))}</th>' + "".join(
        f'<td data-label="{escape(column["label"])}">{escape(shown(value, column.get("unit")))}</td>'
        for value, column in rest
    )


def _unit(cell: tuple[Any, dict[str, str]]) -> tuple[Any, str | None]:
    value, column = cell
    return value, column.get("unit")
