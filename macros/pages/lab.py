"""A lab as the page shows it before any script runs: its controls, and its first frame from frame() itself."""

from dataclasses import dataclass

from markupsafe import Markup

from labs.answer import shown_input
from labs.lab import Control, LabModule
from labs.views.frame import frame_html, frame_summary


@dataclass(frozen=True)
class ControlView:
    """A control's words, and its slider's stops as (base value, text)."""

    name: str
    label: str
    symbol: str
    text: str
    hint: str
    stops: tuple[tuple[float, str], ...]
    stop: int


@dataclass(frozen=True)
class LabView:
    """What the lab template shows."""

    id: str
    title: str
    scope: str
    controls: tuple[ControlView, ...]
    summary: str
    frame_html: Markup


def lab_view(module: LabModule, scope: str | None) -> LabView:
    """Return the lab with its first frame; the card's sentence of scope stands before the lab's own."""
    lab = module.LAB
    frame = module.frame(**lab.defaults())
    return LabView(
        id=lab.id,
        title=lab.title,
        scope=scope or lab.scope,
        controls=tuple(map(_control, lab.controls)),
        summary=frame_summary(frame),
        frame_html=Markup(frame_html(frame)),  # the views escape every text
    )


def _control(control: Control) -> ControlView:
    stops = tuple((value, shown_input(control, value)) for value in control.stops)
    span = f"slider from {stops[0][1]} to {stops[-1][1]}"
    return ControlView(
        name=control.name,
        label=control.label,
        symbol=control.symbol,
        text=shown_input(control, control.default),
        hint=sentence(f"{control.note}; {span}" if control.note else span),
        stops=stops,
        stop=control.stops.index(control.default),
    )


def sentence(text: str) -> str:
    """Return the text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
