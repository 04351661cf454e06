"""A lab as the page shows it before any script runs: its controls, its first frame, and what its presets come to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from labs.answer import answered_frame, shown_input
from labs.catalog import LABS
from labs.lab import Choice, Control, Lab, Preset, TextControl
from macros.pages.cell import CellView, lab_cell
from macros.presets import preset_answers, preset_script


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


MANY = 6

type Inputs = Mapping[str, Mapping[str, Any]]  # control -> value in base units, and its text


@dataclass(frozen=True)
class FrameView:
    """The frame of the defaults: the script shows it again whenever the fields hold its inputs."""

    inputs: Inputs
    summary: str
    html: Markup


@dataclass(frozen=True)
class PresetView:
    """A preset in words; its frame is in the lab's script of presets."""

    id: str
    label: str
    note: str
    source: str
    inputs: Inputs
    said: str  # its inputs as a sentence
    summary: str


@dataclass(frozen=True)
class LabView:
    """What the lab template shows."""

    id: str
    title: str
    scope: str
    groups: tuple[GroupView, ...]
    many: bool  # inputs: they stand beside the results, where there is room
    presets: tuple[PresetView, ...]
    presets_path: str  # of their script, in the site
    frame: FrameView
    cell: CellView


def lab_view(lab_id: str, scope: str | None) -> LabView:
    """Return the lab with its first frame; the card's sentence of scope stands before the lab's own."""
    view = _view(lab_id)
    return replace(view, scope=scope) if scope else view


@cache  # its frames are the same on every page, and a thousand cards may show it
def _view(lab_id: str) -> LabView:
    lab = LABS[lab_id].LAB
    return LabView(
        id=lab.id,
        title=lab.title,
        scope=lab.scope,
        groups=_groups(lab),
        many=_has_many(lab),
        presets=tuple(_preset(preset, lab) for preset in lab.presets),
        presets_path=preset_script(lab_id).path,
        frame=_frame(lab),
        cell=lab_cell(LABS[lab_id]),
    )


def _frame(lab: Lab) -> FrameView:
    answered = answered_frame(LABS[lab.id], lab.defaults())
    html = Markup(answered["html"])  # the views escape every text
    return FrameView(inputs=answered["inputs"], summary=answered["summary"], html=html)


def _preset(preset: Preset, lab: Lab) -> PresetView:
    answered = preset_answers(lab.id)[preset.id]
    inputs = answered["inputs"]
    return PresetView(
        id=preset.id,
        label=preset.label,
        note=preset.note,
        source=preset.source,
        inputs=inputs,
        said=sentence("; ".join(f"{control.label.lower()} {inputs[control.name]['text']}" for control in lab.controls)),
        summary=answered["summary"],
    )


def _groups(lab: Lab) -> tuple[GroupView, ...]:
    groups: dict[str, list[ControlView]] = {name: [] for name in _names(lab)}
    for text in lab.texts:
        groups[text.group].append(_text(text))
    for control in lab.controls:
        groups[control.group].append(_control(control, brief=_has_many(lab)))
    return tuple(GroupView(title, tuple(controls), title in lab.folded) for title, controls in groups.items())


def _has_many(lab: Lab) -> bool:
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
