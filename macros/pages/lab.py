"""A lab as the page shows it before any script runs: its controls, its first frame, and what its presets come to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from labs.answer import answered_frame
from labs.catalog import LABS
from labs.lab import Lab, LabModule, Preset
from macros.pages.cell import CellView, lab_cell
from macros.pages.controls import GroupView, groups, has_many, sentence
from macros.presets import preset_answers, preset_script

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
    name: str  # tells it from other labs in the page and in its address
    title: str
    scope: str
    groups: tuple[GroupView, ...]
    many: bool  # inputs: they stand beside the results, where there is room
    presets: tuple[PresetView, ...]
    presets_path: str  # of their script, in the site
    picture: str  # the place of its first frame
    frame: FrameView
    cell: CellView
    equation: Mapping[str, Any] | None = None  # what a calculator sends along


def lab_view(lab_id: str, scope: str | None) -> LabView:
    """Return the lab with its first frame; the card's sentence of scope stands before the lab's own."""
    view = _catalogued(lab_id)
    return replace(view, scope=scope) if scope else view


@cache  # its frames are the same on every page, and a thousand cards may show it
def _catalogued(lab_id: str) -> LabView:
    return view_of(LABS[lab_id], lab_id, f"frame:{lab_id}")


def view_of(module: LabModule, name: str, picture: str) -> LabView:
    """Return a lab by its name in the page, and the name of the place where its first frame goes."""
    lab = module.LAB
    return LabView(
        id=lab.id,
        name=name,
        title=lab.title,
        scope=lab.scope,
        groups=groups(lab),
        many=has_many(lab),
        presets=tuple(_preset(preset, module) for preset in lab.presets),
        presets_path=preset_script(lab.id).path if lab.presets else "",
        picture=picture,
        frame=_frame(module),
        cell=lab_cell(module, name),
    )


def _frame(module: LabModule) -> FrameView:
    answered = answered_frame(module, module.LAB.defaults())
    html = Markup(answered["html"])  # the views escape every text
    return FrameView(inputs=answered["inputs"], summary=answered["summary"], html=html)


def _preset(preset: Preset, module: LabModule) -> PresetView:
    lab = module.LAB
    answered = preset_answers(lab.id)[preset.id]
    inputs = answered["inputs"]
    return PresetView(
        id=preset.id,
        label=preset.label,
        note=preset.note,
        source=preset.source,
        inputs=inputs,
        said=sentence(_said(preset, module.LAB, inputs)),
        summary=answered["summary"],
    )


def _said(preset: Preset, lab: Lab, inputs: Inputs) -> str:
    """Return a preset's inputs in words; of many inputs, and of those aside in groups, only what is not the default."""
    told = [one for one in lab.controls if one.name in preset.inputs or not (has_many(lab) or one.group)]
    return "; ".join(f"{one.label.lower()} {inputs[one.name]['text']}" for one in told)
