"""Equations of cards: LaTeX, Unicode mathematics and sentences, as MathML or as the text they are."""
