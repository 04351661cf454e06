"""The explorer as its tests ask it: a frame for some inputs, and what stands in it."""

from typing import Any

from labs import execution
from labs.answer import read_inputs
from labs.lab import Frame

LAB = execution.LAB
PRESETS = {preset.id: preset for preset in LAB.presets}
Inputs = dict[str, Any]


def frame(**inputs: Any) -> Frame:
    return execution.frame(**LAB.inputs(inputs))


def preset(name: str, **more: Any) -> Frame:
    return frame(**dict(PRESETS[name].inputs) | more)


def metrics(shown: Frame) -> dict[str, Any]:
    return {metric["name"]: metric["value"] for metric in shown["metrics"]}


def table(shown: Frame, name: str) -> dict[str, Any]:
    asides = [diagram["aside"] for diagram in shown["diagrams"] if "aside" in diagram]
    (found,) = (one for one in (*asides, *shown["tables"]) if one["id"] == name)
    return dict(found)


def column(shown: Frame, name: str, label: str) -> list[Any]:
    one = table(shown, name)
    at = [column["label"] for column in one["columns"]].index(label)
    return [row[at]["text"] if isinstance(row[at], dict) else row[at] for row in one["rows"]]


def boxes(shown: Frame) -> dict[str, Any]:
    return {box["name"]: box for box in shown["diagrams"][0]["boxes"]}


def actions(shown: Frame) -> list[dict[str, Any]]:
    return [sentence for sentence in shown["verdict"] if isinstance(sentence, dict)]


def pressed(base: Inputs, action: dict[str, Any]) -> Frame:
    """Return the frame after a press on an action: its texts are read as the page's are."""
    typed = read_inputs(execution, action["sets"])
    return frame(**base | {name: typed[name] for name in action["sets"]})
