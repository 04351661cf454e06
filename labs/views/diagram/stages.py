"""The stack of all layers beside the diagram of a transformer: a ladder of them, and the stages that hold them."""

from collections.abc import Mapping, Sequence
from typing import Any

from labs.views.diagram.matrix import Place
from labs.views.drawing import KINDS, area, rule
from labs.views.words import LEADING, fitted

Stage = Mapping[str, Any]
LEFT, WIDE = 48.0, 14.0
NAMES = 40.0  # where the names of stages end


def ladder(
    layers: int, stages: Sequence[Stage], top: float, bottom: float, frame: float
) -> tuple[list[str], list[Place]]:
    """Return the ladder as drawn, and the place of each stage; a layer is opened in the frame to its right."""
    pitch = (bottom - top) / layers
    places = [Place(LEFT, top + pitch * one["from"], WIDE, pitch * (one["to"] - one["from"] + 1)) for one in stages]
    rungs = [_rungs(layers, pitch, top, bottom)] if pitch >= 2.5 and layers > 1 else []
    opened = next((one["from"] for one in stages if one["mine"]), layers // 3)
    start = top + pitch * opened
    return [
        rule(f"M{LEFT:g} {top:.1f}h{WIDE:g}V{bottom:.1f}h{-WIDE:g}z", "grid"),
        *rungs,
        *(area(*place, KINDS["pipeline"]) for place, one in zip(places, stages, strict=True) if one["mine"]),
        *([rule("".join(map(_edge, places)), "pipeline")] if places else []),
        rule(f"M{LEFT + WIDE:g} {start:.1f}L{frame:g} {top:.1f}", "grid"),
        rule(f"M{LEFT + WIDE:g} {start + pitch:.1f}L{frame:g} {bottom:.1f}", "grid"),
        fitted(4, top - 14, "stages" if stages else "layers", 70),
        *_names(stages, places),
    ], places


def _rungs(layers: int, pitch: float, top: float, bottom: float) -> str:
    """Return the lines between layers, as one thick line with that many dashes."""
    x, dashes = LEFT + WIDE / 2, f' stroke-width="{WIDE:g}" stroke-dasharray="1 {pitch - 1:.3f}"'
    return rule(f"M{x:g} {top + pitch - 0.5:.2f}V{bottom - pitch + 0.5:.2f}", "grid", dashes)


def _edge(place: Place) -> str:
    """Return the bracket of a stage."""
    return f"M{LEFT - 1:g} {place.top + 0.8:.1f}h-4V{place.top + place.height - 0.8:.1f}h4"


def _names(stages: Sequence[Stage], places: Sequence[Place]) -> list[str]:
    """Return the stages' numbers: the picked device's first, then those that have room beside them."""
    drawn: list[str] = []
    taken: list[float] = []
    order = sorted(zip(stages, places, strict=True), key=lambda one: not one[0]["mine"])
    apart = LEADING if all(place.height >= LEADING for place in places) else 2 * LEADING
    for stage, place in order:
        y = place.top + place.height / 2
        if any(abs(y - other) < apart for other in taken):
            continue
        taken.append(y)
        mine = stage["mine"]
        extra, colour = (' font-weight="600"', "accent") if mine else ("", "muted")
        words = stage["label"].removeprefix("stage ")
        drawn.append(fitted(NAMES, y + 6, words, NAMES, anchor="end", colour=colour, extra=extra))
    return drawn
