"""How every figure looks: one palette, one size of type, and the settings that keep matplotlib's output byte-equal."""

from typing import Any

from matplotlib.typing import RcKeyType

# CSS variable `--atlas-<name>` -> its value on a light page: what matplotlib draws with, and the fallback of a drawing
# that is taken out of the site. The page gives both schemes, in docs/assets/stylesheets/colours.css; a test compares.
PALETTE: dict[str, str] = {
    "surface": "#fdfcf9",
    "ink": "#1f1e1b",
    "muted": "#5f5a50",  # secondary text, axes
    "grid": "#dfdacd",  # hairlines that carry no meaning alone
    "accent": "#8a2a36",
    # the kinds of parallelism
    "data": "#0a6ea8",
    "tensor": "#b0500f",
    "pipeline": "#00443f",
    "sequence": "#75246f",
    "expert": "#7f6640",
    "state": "#43208c",
}

SURFACE = PALETTE["surface"]
INK = PALETTE["ink"]
MUTED = PALETTE["muted"]
GRID = PALETTE["grid"]
ACCENT = PALETTE["accent"]

# A canvas is drawn as wide as a phone, one unit a CSS pixel there; a wider page scales it and may set its type and
# lines smaller through `--atlas-figure-scale`.
WIDTH = 360.0
SMALL = 10.0
TEXT = 10.5

SETTINGS: dict[RcKeyType, Any] = {
    "svg.hashsalt": "parallelism-atlas",  # ids from the drawing alone, not from a random salt
    "svg.fonttype": "none",  # text stays text
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "patch.edgecolor": INK,
    "figure.dpi": 72,  # one unit of length is one unit of the viewBox
    "font.family": "DejaVu Sans",  # matplotlib's own, so that it measures the same everywhere
    "font.size": TEXT,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "lines.linewidth": 1.4,
    "lines.dash_capstyle": "round",
    "lines.scale_dashes": False,
}
