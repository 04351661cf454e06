"""The mathematics font, cut down to what mathematics needs."""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

# Whole blocks, so that an equation of a card never needs a glyph that is not there.
BLOCKS = (
    (0x0020, 0x007E),  # Basic Latin
    (0x00A0, 0x00FF),  # Latin-1
    (0x0131, 0x0131),  # dotless i
    (0x0237, 0x0237),  # dotless j
    (0x02B0, 0x02FF),  # accents
    (0x0300, 0x036F),  # combining marks
    (0x0370, 0x03FF),  # Greek
    (0x1E00, 0x1EFF),  # Latin with marks
    (0x2000, 0x206F),  # punctuation, primes, invisible operators
    (0x2070, 0x209F),  # raised and lowered characters
    (0x20D0, 0x20FF),  # combining marks for symbols
    (0x2100, 0x214F),  # letterlike: ℓ, ℝ
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # operators
    (0x2300, 0x23FF),  # brackets and their parts
    (0x25A0, 0x25FF),  # shapes
    (0x27C0, 0x27FF),  # symbols A, long arrows
    (0x2900, 0x2AFF),  # arrows B, symbols B, operators
    (0x1D400, 0x1D7FF),  # alphabets of mathematics
)


def subset_math_font(source: Path, target: Path) -> None:
    """Write the subset of a mathematics font as WOFF2; the same source gives the same bytes.

    Args:
        source: STIX Two Math as WOFF2
        target: where the subset goes
    """
    options = Options()
    options.layout_features = ["*"]  # whatever the source has
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # names, and the licence
    options.flavor = "woff2"
    with TTFont(source, recalcTimestamp=False) as font:
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[code for first, last in BLOCKS for code in range(first, last + 1)])
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(target)
