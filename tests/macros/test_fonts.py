"""The mathematics font: small, the same bytes each time, and with every sign that equations need."""

import io
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from macros.equations.mathml import APPLY, TIMES
from macros.equations.scan import SIGNS
from macros.fonts import subset_math_font

SOURCE = Path(__file__).parents[2] / "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
LETTERS = "abcxyzABCXYZ0123456789αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩϵϑϕµℓℏℝℕℤℂ𝔼𝑚𝑥ℎ𝜃½%°é\u0302\u0303\u0304\u20d7"
LATEX = "∑∏∫∮⋃⋂⏟⏞⌈⌉⌊⌋⟨⟩⟦⟧⊕⊗⊙∂∇∀∃∅∞ℵ⋯⋮⋱†‡′″‴…⟶⟹⇀↦∖∣∤∦≔≜⊤⊥□◦•△"


@pytest.fixture(scope="module")
def subset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("font") / "math.woff2"
    subset_math_font(SOURCE, target)
    return target


def test_it_has_what_sets_mathematics(subset: Path) -> None:
    with TTFont(subset) as font:
        assert font.flavor == "woff2"
        assert {"MATH", "GSUB", "GPOS", "glyf", "cmap"} <= set(font.keys())
        constants = font["MATH"].table.MathConstants
        assert constants.FractionRuleThickness.Value > 0
        # What must grow: parentheses, bars, roots.
        growing = set(font["MATH"].table.MathVariants.VertGlyphCoverage.glyphs)
        glyphs = font.getBestCmap()
        assert {glyphs[ord(sign)] for sign in "()[]{}|‖⌈⌉⌊⌋√"} <= growing


def test_it_has_every_sign_of_the_grammar(subset: Path) -> None:
    with TTFont(subset) as font:
        glyphs = font.getBestCmap()
    assert [sign for sign in "".join(SIGNS) + LETTERS + LATEX + TIMES + APPLY if ord(sign) not in glyphs] == []


def test_it_is_smaller_than_its_source_and_carries_its_licence(subset: Path) -> None:
    assert subset.stat().st_size < 260_000 < SOURCE.stat().st_size
    with TTFont(subset) as font:
        assert "STIX" in str(font["name"].getDebugName(0))
        assert font["name"].getDebugName(14) == "https://scripts.sil.org/OFL"


def test_the_same_source_gives_the_same_bytes(subset: Path, tmp_path: Path) -> None:
    with TTFont(SOURCE, recalcTimestamp=False) as font, TTFont(io.BytesIO(subset.read_bytes())) as made:
        assert made["head"].modified == font["head"].modified
    again = tmp_path / "again.woff2"
    subset_math_font(SOURCE, again)
    assert again.read_bytes() == subset.read_bytes()
