"""Values and text as a reader sees them, safe to stand in HTML."""

from functools import lru_cache

from labs.model.quantities.units import format_quantity

NOTHING = "—"


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Return text that is text in HTML, between tags and within quotes.

    The standard library's own would bring its table of 2,231 entities into the browser.

    >>> escape('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")


@lru_cache(maxsize=4096)  # while a control is dragged, most of a frame's texts are those of the frame before
def quantity(value: float, unit: str, digits: int = 5) -> str:
    """Return a quantity with its unit, as the model writes it."""
    return format_quantity(value, unit, digits)


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
        return f"{quantity(100 * value, '1', 3)} %"
    return quantity(value, unit or "1")
