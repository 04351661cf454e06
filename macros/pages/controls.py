"""A lab's inputs as the page shows them before any script runs."""

from dataclasses import dataclass

from labs.answer import shown_input
from labs.lab import Choice, Control, Lab, TextControl

MANY = 6  # inputs; more of them stand beside the results, and say less


@dataclass(frozen=True)
class ControlView:
    """An input's words, and its slider's stops as (base value, text), or its options."""

    name: str
    label: str
    text: str
    hint: str
    symbol: str = ""
    stops: tuple[tuple[float, str], ...] = ()
    stop: int = 0
    play: bool = False
    options: tuple[tuple[str, str], ...] = ()
    rows: int = 0  # of a field for a long text


@dataclass(frozen=True)
class GroupView:
    """Inputs that stand together."""

    title: str
    controls: tuple[ControlView, ...]
    folded: bool


def groups(lab: Lab) -> tuple[GroupView, ...]:
    """Return a lab's inputs, group by group."""
    found: dict[str, list[ControlView]] = {name: [] for name in _names(lab)}
    for text in lab.texts:
        found[text.group].append(_text(text))
    for control in lab.controls:
        found[control.group].append(_control(control, brief=has_many(lab)))
    return tuple(GroupView(title, tuple(controls), title in lab.folded) for title, controls in found.items())


def has_many(lab: Lab) -> bool:
    """Return whether a lab's inputs stand beside its results."""
    return len(lab.controls) > MANY


def _names(lab: Lab) -> tuple[str, ...]:
    """Return the groups: texts of none come first, those of a group of their own after the first controls."""
    controls = [control.group for control in lab.controls]
    texts = [text.group for text in lab.texts]
    own = [name for name in texts if name and name not in controls]
    return tuple(dict.fromkeys([*([""] if "" in texts else []), *controls[:1], *own, *controls]))


def _text(text: TextControl) -> ControlView:
    return ControlView(
        name=text.name,
        label=text.label,
        text=text.default,
        hint=sentence("; ".join(filter(None, (text.note, "" if text.rows == 1 else "it stays in this page")))),
        rows=text.rows,
    )


def _control(control: Control | Choice, *, brief: bool) -> ControlView:
    text = shown_input(control, control.default)
    if isinstance(control, Choice):
        hint = sentence(control.note) if control.note else ""
        return ControlView(name=control.name, label=control.label, text=text, hint=hint, options=control.options)
    stops = tuple((value, shown_input(control, value)) for value in control.stops)
    span = "" if brief else f"slider from {stops[0][1]} to {stops[-1][1]}"
    hint = "; ".join(filter(None, (control.note, span)))
    return ControlView(
        name=control.name,
        label=control.label,
        symbol=control.symbol,
        text=text,
        hint=sentence(hint) if hint else "",
        stops=stops,
        stop=control.stops.index(control.default),
        play=control.play,
    )


def sentence(text: str) -> str:
    """Return the text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
