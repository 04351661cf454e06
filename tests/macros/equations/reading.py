"""MathML read back, from its meaning and not from our writer: the characters it shows, the number it stands for."""

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

INVISIBLE = "\u2061\u2062"
TYPED = {
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<-": "←", "=>": "⇒", "–": "−", "-": "−", "*": "∗", "~": "∼", "'": "′",
}
ACCENTS = {"ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˙": "\u0307", "¨": "\u0308", "\u20d7": "\u20d7"}
PYTHON = {"−": "-", "·": "*", "×": "*", "∗": "*", "⋅": "*", "\u2062": "*"}


def tree(html: str) -> Element:
    """Return the element tree of a piece of MathML, without annotations."""
    root = ElementTree.fromstring(f"<r>{html}</r>")
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == "annotation":
                parent.remove(child)
    return root


def shown(html: str) -> str:
    """Return the characters that MathML shows, a fraction as `above/below`, a root as `√inside`, accents as marks."""
    return _plain(_shown(tree(html)))


def typed(source: str) -> str:
    """Return what of a source must be seen: keyboard signs as mathematics writes them, no marks of scripts."""
    for keyboard, sign in TYPED.items():
        source = source.replace(keyboard, sign)
    return _plain(re.sub("[_^]", "", source))


def without_parentheses(text: str) -> str:
    """Return the text without what a fraction or a root may drop."""
    return re.sub("[()]", "", text)


def value(html: str, values: Mapping[str, Fraction]) -> Fraction:
    """Return the number that MathML means, for letters with these values."""
    return Fraction(eval(_python(tree(html)), {"Fraction": Fraction}, dict(values)))


def _shown(element: Element) -> str:
    children = [_shown(child) for child in element]
    if element.tag == "mfrac":
        return "/".join(children)
    if element.tag == "mover" and element.get("accent"):
        return children[0] + ACCENTS[children[1]]
    if element.tag == "msqrt":
        return "√" + "".join(children)
    return (element.text or "") + "".join(children)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return re.sub(rf"[\s{{}}{INVISIBLE}]", "", text).replace("...", "…")


def _python(element: Element) -> str:
    if element.tag == "mfrac":
        above, below = element
        return f"(({_python(above)})/({_python(below)}))"
    if element.tag == "msup":
        base, power = element
        return f"(({_python(base)})**({_python(power)}))"
    if element.tag == "mn":
        return f"Fraction({element.text})"
    if element.tag in ("mi", "mo"):
        text = element.text or ""
        return PYTHON.get(text, text)
    parts: list[str] = []
    for part in (_python(child) for child in element if child.tag != "mspace"):
        # Side by side means times, also where no sign says so.
        if parts and not parts[-1].endswith(("+", "-", "*", "(")) and part[:1] not in ("+", "-", "*", ")"):
            parts.append("*")
        parts.append(part)
    return "".join(parts)
