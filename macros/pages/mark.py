"""Numbers in prose that the model has checked, made visible."""

from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

from macros.cards.numbers import CheckedExample

LINK = Markup('<a class="checked" href="#checked-{}" title="Checked: {}">{}</a>')


def marker(examples: Sequence[CheckedExample]) -> Callable[[str], Markup]:
    """Return a function that escapes a text and links each checked number in it to the call that gives it."""

    def mark(text: str) -> Markup:
        spans = []
        for number, example in enumerate(examples, start=1):
            at = text.find(example.sentence)
            if at >= 0:
                spans.append((at + example.start, at + example.end, number, example.call))
        parts, done = [], 0
        for start, end, number, call in sorted(spans):
            if start < done:
                continue
            parts.append(escape(text[done:start]))
            parts.append(LINK.format(number, call, text[start:end]))
            done = end
        parts.append(escape(text[done:]))
        return Markup("").join(parts)

    return mark
