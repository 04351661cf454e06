"""The prose of a card: where a sentence stands in it, and the sentence that comes nearest to one that does not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher

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
NEAR = 0.75  # of a sentence's letters, in their order: below, two sentences have little in common
AROUND = 32  # characters shown on each side of the first difference


@dataclass(frozen=True)
class Place:
    """A piece of a card's prose: the attribute it stands in, the same as a JSON pointer, and the words."""

    field: str
    pointer: str
    sentence: str


@dataclass(frozen=True)
class Prose:
    """The texts of a card that may state a number. They are gone through only as far as a sentence is looked for."""

    card: Card

    def find(self, sentence: str) -> Place | None:
        """Return where the sentence stands word for word; the two micro signs count as one."""
        wanted = sentence.translate(MICRO)
        for text in _texts(self.card):
            start = text.sentence.find(sentence)
            if start < 0 and (wanted != sentence or "\u03bc" in text.sentence):
                start = text.sentence.translate(MICRO).find(wanted)
            if start >= 0:
                return Place(text.field, text.pointer, text.sentence[start : start + len(wanted)])
        return None

    def nearest(self, sentence: str) -> Place | None:
        """Return the piece of the prose that comes nearest to a sentence, or None where none comes near."""
        count = len(SENTENCE_END.split(sentence.strip()))
        best, most = None, NEAR * len(sentence)
        matcher = SequenceMatcher(b=sentence, autojunk=False)
        for text in _texts(self.card):
            for candidate in _runs(text.sentence, count):
                matcher.set_seq1(candidate)
                *blocks, _ = matcher.get_matching_blocks()
                same = sum(block.size for block in blocks)
                if same > most:
                    best, most = Place(text.field, text.pointer, _part(candidate, sentence, blocks)), same
        return best


def difference(one: str, other: str) -> tuple[int, str, str]:
    """Return where two sentences first differ, and what stands around that place in each.

    >>> difference("about 2.02 ms", "about 2.03 ms")
    (6, 'about 2.02 ms', 'about 2.03 ms')
    """
    start = next(
        (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start -= len(one[:start]) - len(WORD_BEGUN.sub("", one[:start]))
    return start, _around(one, start), _around(other, start)


def _part(candidate: str, sentence: str, blocks: Sequence[Match]) -> str:
    """Return the part of the candidate that is like the sentence, without the words before and behind it."""
    longest, last = max(blocks, key=lambda block: block.size), blocks[-1]
    start, end = max(longest.a - longest.b, 0), last.a + len(sentence) - last.b
    start -= len(candidate[:start]) - len(WORD_BEGUN.sub("", candidate[:start]))
    return candidate[start:end]


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
