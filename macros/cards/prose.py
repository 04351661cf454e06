"""The prose of a card: where a sentence stands in it, and the sentence that comes nearest to one that does not."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from pydantic.alias_generators import to_camel

from macros.cards.amounts import MICRO
from macros.cards.types import Card
from macros.problem import json_pointer

# In the order they are searched: where numbers usually stand comes first.
FIELDS = (
    "engineering_example",
    "description",
    "role",
    "tradeoff",
    "why_ai",
    "mechanism",
    "misconception",
    "learning_objective",
    "evidence_notes",
    "scope",
    "lab_scope",
    "scale",
)
LISTS = {
    "specs": ("value", "context"),
    "science": ("explanation", "assumptions"),
    "history": ("description",),
    "check": ("question", "options", "explanation"),
    "checks": ("question", "options", "explanation"),
    "interfaces": ("signal",),
}
KEYS = {"why_ai": "whyAI"}  # where the key is not the attribute in camel case
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
WORD_BEGUN = re.compile(r"[\w.,]+$")  # a word or a number that differs in its middle is shown from its beginning
NEAR = 0.6  # of difflib's ratio: below, two sentences have little in common
AROUND = 32  # characters shown on each side of the first difference


@dataclass(frozen=True)
class Place:
    """A piece of a card's prose: the attribute it stands in, the same as a JSON pointer, and the words."""

    field: str
    pointer: str
    sentence: str


@dataclass(frozen=True)
class Prose:
    """The texts of a card that may state a number."""

    texts: tuple[Place, ...]

    def find(self, sentence: str) -> Place | None:
        """Return where the sentence stands word for word; the two micro signs count as one."""
        wanted = sentence.translate(MICRO)
        for text in self.texts:
            start = text.sentence.find(sentence)
            if start < 0 and (wanted != sentence or "\u03bc" in text.sentence):
                start = text.sentence.translate(MICRO).find(wanted)
            if start >= 0:
                return Place(text.field, text.pointer, text.sentence[start : start + len(wanted)])
        return None

    def nearest(self, sentence: str) -> Place | None:
        """Return the sentences of the prose that come nearest to one, or None where none comes near."""
        count = len(SENTENCE_END.split(sentence.strip()))
        matcher = SequenceMatcher(b=sentence, autojunk=False)
        best, best_ratio = None, NEAR
        for text in self.texts:
            for candidate in _runs(text.sentence, count):
                matcher.set_seq1(candidate)
                if (
                    matcher.real_quick_ratio() > best_ratio
                    and matcher.quick_ratio() > best_ratio
                    and matcher.ratio() > best_ratio
                ):
                    best, best_ratio = Place(text.field, text.pointer, candidate), matcher.ratio()
        return best


def prose_of(card: Card) -> Prose:
    """Return the prose of a card."""
    return Prose(tuple(_texts(card)))


def difference(one: str, other: str) -> tuple[int, str, str]:
    """Return where two sentences first differ, and what stands around that place in each.

    >>> difference("about 2.02 ms", "about 2.03 ms")
    (8, 'about 2.02 ms', 'about 2.03 ms')
    """
    start = next(
        (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start -= len(one[:start]) - len(WORD_BEGUN.sub("", one[:start]))
    return start, _around(one, start), _around(other, start)


def _around(text: str, place: int) -> str:
    before, after = text[:place], text[place:]
    start = "…" + before[-AROUND:] if len(before) > AROUND else before
    end = after[:AROUND] + "…" if len(after) > AROUND else after
    return start + end


def _runs(text: str, count: int) -> Iterator[str]:
    """Yield each run of so many sentences."""
    bounds = [0, *(match.end() for match in SENTENCE_END.finditer(text)), len(text)]
    for index in range(max(len(bounds) - count, 1)):
        yield text[bounds[index] : bounds[min(index + count, len(bounds) - 1)]].strip()


def _texts(card: Card) -> Iterator[Place]:
    for name in FIELDS:
        yield from _in(name, KEYS.get(name, to_camel(name)), getattr(card, name))
    for name, parts in LISTS.items():
        value = getattr(card, name)
        entries: Iterable[tuple[str, object]] = (
            [(f"{name}.{index}", entry) for index, entry in enumerate(value)]
            if isinstance(value, tuple)
            else [(name, value)]
        )
        for path, entry in entries:
            for part in parts:
                yield from _in(f"{path}.{part}", f"{path}.{part}", getattr(entry, part))


def _in(field: str, key: str, value: str | tuple[str, ...] | None) -> Iterator[Place]:
    if isinstance(value, str):
        yield Place(field, json_pointer(tuple(key.split("."))), value)
    for index, text in enumerate(value if isinstance(value, tuple) else ()):
        yield Place(f"{field}.{index}", json_pointer((*key.split("."), index)), text)
