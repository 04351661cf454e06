"""Bars that lie, one for each side of a comparison, with all that is known of how its value varied.

The bar ends at the middle value. A ring is one run; where there are too many for that, a whisker reaches to the 95th
percentile. A broken line across a bar is the limit that it must not pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from labs.views.drawing import COLOURS, FONT, PLAIN, WIDTH, area, rule, text, width_of
from labs.views.rows import FOOT, axis_below
from labs.views.scale import Axis, from_zero
from labs.views.text import escape, quantity

LEFT, RIGHT = 6, 464
PITCH, HEIGHT = 46, 16
DIGITS = 3  # what a time of a browser is worth
OURS, THEIRS = PLAIN[0], PLAIN[1]
BEYOND = 3  # how far the line of a limit reaches beyond its bar
NAMES = {"s": "Time", "byte": "Size"}


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar: its name, its value, and what else is drawn at it."""

    label: str
    value: float
    ours: bool = True
    runs: tuple[float, ...] = ()
    far: float | None = None  # where the whisker ends
    limit: float | None = None


def bars_svg(title: str, bars: Sequence[Bar], unit: str) -> Markup:
    """Return the picture, named with its values for those who do not see it."""
    shown = [value for bar in bars for value in (bar.value, *bar.runs, bar.far, bar.limit) if value is not None]
    x = Axis(*from_zero(shown), LEFT, RIGHT, log=False, unit=unit, margin=4)
    bottom = PITCH * len(bars) + 8
    parts = [*axis_below({"label": NAMES[unit]}, x, 0, bottom)]
    for i, bar in enumerate(bars):
        parts += _drawn(bar, x, PITCH * (i + 1) - HEIGHT, unit)
    parts.append(rule(f"M{LEFT} 0V{bottom}", "muted"))
    says = "; ".join(f"{bar.label} {quantity(bar.value, unit, DIGITS)}" for bar in bars)
    return Markup(
        f'<svg viewBox="0 0 {WIDTH} {bottom + FOOT}" role="img" aria-label="{escape(f"{title}. {says}.")}" '
        f'xmlns="http://www.w3.org/2000/svg" font-size="{FONT}">{"".join(parts)}</svg>'
    )


def _drawn(bar: Bar, x: Axis, top: float, unit: str) -> list[str]:
    colour, extra = ("accent", ' font-weight="600"') if bar.ours else ("ink", "")
    total = quantity(bar.value, unit, DIGITS)
    middle = top + HEIGHT / 2
    drawn = [
        text(LEFT + 4, top - 8, bar.label, colour=colour, room=RIGHT - LEFT - width_of(total) - 12, extra=extra),
        text(RIGHT, top - 8, total, anchor="end", colour=colour, extra=extra),
        area(LEFT, top, x.place(bar.value) - LEFT, HEIGHT, OURS if bar.ours else THEIRS),
    ]
    if bar.far is not None:
        drawn.append(whisker(x.place(bar.value), x.place(bar.far), middle))
    drawn += [ring(x.place(run), middle) for run in bar.runs]
    if bar.limit is not None:
        drawn.append(limit(x.place(bar.limit), top))
    return drawn


def ring(x: float, y: float) -> str:
    """Return the mark of one run."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{COLOURS["surface"]}" stroke="{COLOURS["ink"]}"/>'


def whisker(start: float, end: float, y: float) -> str:
    """Return the line from the middle value to the 95th percentile."""
    return rule(f"M{start:.1f} {y:.1f}H{end:.1f}m0 -4v8", "ink", ' stroke-width="1.4"')


def limit(x: float, top: float) -> str:
    """Return the line that the bar must not pass."""
    return rule(f"M{x:.1f} {top - BEYOND:.1f}v{HEIGHT + 2 * BEYOND}", "ink", ' stroke-width="2" stroke-dasharray="4 2"')
