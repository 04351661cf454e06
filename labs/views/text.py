"""Values and text as a reader sees them, safe to stand in HTML."""

from html import escape

from labs.model.units import format_quantity

__all__ = ["escape", "shown"]

NOTHING = "—"


def shown(value: float | str | None, unit: str | None = None) -> str:
    """Return a value as text: words as they are, numbers with their unit, a dash for what is not defined.

    >>> shown(0.25, "%"), shown(None, "s"), shown("latency")
    ('25 %', '—', 'latency')
    """
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if unit == "%":
        return f"{format_quantity(100 * value, '1', digits=3)} %"
    return format_quantity(value, unit or "1")
