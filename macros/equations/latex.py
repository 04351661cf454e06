"""LaTeX as MathML, by math-core: what it refuses is an error with its place, never something half set."""

import re
import unicodedata
from html.entities import html5
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from math_core import LatexError, LatexToMathML

from macros.equations.mathml import THIN

# math-core ends the whole process where nesting exhausts its stack, so the limits stand before it.
LONGEST = 4000
DEEPEST = 40
# What math-core lacks, or knows in some places only.
MACROS = {
    "substack": r"\begin{subarray}{c}#1\end{subarray}",
    "mbox": r"\text{#1}",
    "hbox": r"\text{#1}",
    "widetilde": r"\tilde{#1}",
}
# Definitions could nest without end; labels would make ids and links, which one page must not have twice.
DEFINING = (
    "def edef gdef xdef let newcommand renewcommand providecommand DeclareMathOperator DeclareRobustCommand"
    " NewDocumentCommand newenvironment renewenvironment label ref eqref"
)
REFUSED = frozenset(DEFINING.split())
NUMBERED = re.compile(r"\\(?:begin|end)\{(?:align|alignat|equation|gather|multline)(?=\})")
TOKEN = re.compile(
    r"\\(?P<begin>begin|left)\b|\\(?P<end>end|right)\b|\\(?P<command>[A-Za-z]+)|\\(?P<line>\\)|\\.|[{}]|(?P<comment>%)",
    re.DOTALL,
)
CORE = (
    "math semantics annotation mrow mi mn mo mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot"
    " mtable mtr mtd mstyle mpadded mphantom mmultiscripts mprescripts none"
)
IN_TEXT = "b i em code span"  # of \textbf and the like; MathML lets HTML stand in <mtext>
ELEMENTS = frozenset(f"{CORE} {IN_TEXT}".split())
LINKING = frozenset({"href", "id", "src", "actiontype"})
ENTITY = re.compile("&([A-Za-z]+;)")
XML_ENTITIES = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})
FACTORS = frozenset(("mi", "mn", "msub", "msup", "msubsup", "mfrac", "msqrt", "mrow"))
WORDS_FOR = (
    ("Unknown (.*)", r"expected LaTeX that can be typeset, found an unknown \1"),
    ('Unexpected "\\$"', "expected LaTeX without dollar signs around it, found one"),
    ("Found (.*)", r"expected LaTeX that can be typeset, found \1"),
    ("Expected (.*), but reached end of input", r"expected \1, found the end of the LaTeX"),
    ("Expected (.*), but found (.*)", r"expected \1, found \2"),
)
PLACE = re.compile(r"(\d+): (.*)", re.DOTALL)


class EquationError(ValueError):
    """LaTeX that cannot be set: what is wrong, and at which character, counted from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def _converter(macros: dict[str, str]) -> LatexToMathML:
    # The annotation is asked for because spacing is wrong in Chromium without it. A macro expands a few times at most.
    return LatexToMathML(annotation=True, fancy_error=False, macros=macros, max_expansions=DEEPEST)


PLAIN = _converter({**MACROS, "tag": r"\qquad(#1)"})
TAGGED = _converter(MACROS)  # numbered environments have their own \tag


def latex_html(source: str, *, note: str | None = None) -> str:
    r"""Return LaTeX as a whole `<math display="block">` element.

    An environment that numbers its lines is set without numbers, as every card would begin with (1); `\tag` gives one.
    A line break outside every environment breaks the line.

    Args:
        source: LaTeX without the dollar signs
        note: what is noted as the source, where that differs

    Raises:
        EquationError: LaTeX that cannot be set

    >>> latex_html(r"\fraction")
    Traceback (most recent call last):
    macros.equations.latex.EquationError: expected LaTeX that can be typeset, found an unknown command "\fraction"
    """
    if not source.strip():
        raise EquationError("expected LaTeX, found an empty text", 0)
    if len(source) > LONGEST:
        raise EquationError(f"expected at most {LONGEST} characters of LaTeX, found {len(source)}", LONGEST)
    _check_characters(source)
    broken = _check_structure(source)
    prepared, insertions = _prepared(source, broken=broken)
    converter = TAGGED if NUMBERED.search(prepared) else PLAIN
    try:
        html = converter.convert_with_local_state(prepared, displaystyle=True)
    except LatexError as error:
        raise _refusal(str(error), insertions, len(source)) from None
    return _finished(html, note or source)


def _check_characters(source: str) -> None:
    for offset, character in enumerate(source):
        if unicodedata.category(character) in ("Cc", "Cs", "Cn") and character not in "\t\n\r":
            raise EquationError(f"expected LaTeX, found the unprintable character U+{ord(character):04X}", offset)


def _check_structure(source: str) -> bool:
    """Check depth and commands; return whether a line is broken outside every environment."""
    environments = braces = run = 0
    end, broken = 0, False
    for token in TOKEN.finditer(source):
        # Commands take what follows as argument, without braces too: \sqrt\sqrt\frac1\frac1 nests.
        run = run + 1 if token["command"] and len(source[end : token.start()].strip()) < 2 else 0
        end = token.end()
        environments += bool(token["begin"]) - bool(token["end"])
        braces += (token[0] == "{") - (token[0] == "}")
        if max(environments, braces, run) > DEEPEST:
            raise EquationError(f"expected LaTeX nested at most {DEEPEST} deep, found more", token.start())
        if token["command"] in REFUSED:
            raise EquationError(f'expected LaTeX without definitions and labels, found "{token[0]}"', token.start())
        if token["comment"]:
            raise EquationError(r'expected LaTeX without comments, found "%"; a percent sign is \%', token.start())
        broken = broken or bool(token["line"] and environments == braces == 0)
    return broken


def _prepared(source: str, *, broken: bool) -> tuple[str, list[tuple[int, int]]]:
    """Return the text for math-core, and where it was lengthened: (place in it, characters)."""
    parts, insertions, end, length = [], [], 0, 0

    def insert(text: str, at: int) -> None:
        nonlocal end, length
        parts.append(source[end:at])
        length += at - end
        insertions.append((length, len(text)))
        parts.append(text)
        end, length = at, length + len(text)

    if broken:
        insert(r"\begin{gathered}", 0)
    if r"\tag" not in source:
        for match in NUMBERED.finditer(source):
            insert("*", match.end())
    if broken:
        insert(r"\end{gathered}", len(source))
    return "".join(parts) + source[end:], insertions


def _refusal(text: str, insertions: list[tuple[int, int]], length: int) -> EquationError:
    match = PLACE.fullmatch(text)
    place, reason = (int(match[1]), match[2]) if match else (0, text)
    offset = place - sum(added for at, added in insertions if at < place)
    reason = reason.removesuffix(".")
    for pattern, message in WORDS_FOR:
        if found := re.fullmatch(pattern, reason, re.DOTALL):
            return EquationError(found.expand(message), min(max(offset, 0), length))
    return EquationError(f"expected LaTeX that can be typeset, found a mistake: {reason}", min(max(offset, 0), length))


def _finished(html: str, source: str) -> str:
    """Return the MathML as well-formed XML, checked, with a thin space behind words that would run into a factor."""
    html = ENTITY.sub(lambda match: match[0] if match[1] in XML_ENTITIES else html5.get(match[1], match[0]), html)
    try:
        math = ElementTree.fromstring(html)
    except ElementTree.ParseError as error:
        raise EquationError(f"expected LaTeX that gives MathML, found output that is none: {error}", 0) from None
    for element in math.iter():
        if element.tag == "menclose" and element.attrib == {"notation": "box"}:  # only Firefox draws it
            element.tag, element.attrib = "mrow", {"style": "border: 1px solid; padding: 0.2em"}
        if element.tag == "annotation":
            element.text = source  # math-core's own holds the prepared text
        if element.tag in ("mrow", "mtd"):
            _space_words(element)
        _check_safe(element)
    return ElementTree.tostring(math, encoding="unicode")


def _space_words(parent: Element) -> None:
    for at, (left, right) in reversed(list(enumerate(pairwise(list(parent)), start=1))):
        if left.tag == "msub" and right.tag in FACTORS and left[1].find(".//mspace") is not None:
            parent.insert(at, Element("mspace", width=THIN))


def _check_safe(element: Element) -> None:
    # Nothing unsafe is known to come through; this keeps it so when math-core changes.
    names = set(element.attrib)
    if element.tag not in ELEMENTS or LINKING & names or any(name.startswith("on") for name in names):
        raise EquationError(f"expected LaTeX that every browser shows, found what gives <{element.tag}>", 0)
