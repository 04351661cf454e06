"""Parameters: the call that gives each published value."""

from collections.abc import Callable

CALLS: dict[str, Callable[..., float]] = {}
