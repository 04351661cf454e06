"""A transformer over devices: its matrices to proportion, what each is cut into, and what crosses the network where.

    {"kind": "model", "id": …, "title": …, "layers": how many, "layer": which of them is opened, "a layer",
     "boxes": [{"name": …, "label": …, "block": "embedding" | "attention" | "mlp" | "experts" | "norms" | "head",
                "shape": [outputs, inputs] or [width], "experts": how many such matrices or None,
                "axis": the dimension that tensor ranks cut or None, "parts": tensor parts, "expert_parts": ranks,
                "slices": of each part, held apart between uses, "copies": devices that hold the same piece,
                "mine": [part, expert part, slice] of the picked device or None, "says": …, "sets": …,
                "selected": …}, …],
     "stages": [{"label": …, "from": layer, "to": layer, "mine": …}, …],
     "arrows": [{"key": …, "name": …, "place": …, "axis": "tensor" | "context" | "data" | "pipeline" | "expert",
                 "operation": …, "phase": …, "short": what crosses, in a word or two, "label": …,
                 "payload": bytes of one, "each": these as text, "sets": …, "selected": …, "zero": …}, …]}

Whatever is split, the same boxes stand at the same places. labs/views/diagram/layer.py tells where an arrow stands.
"""

from typing import Any

from labs.views.diagram.crossings import crossing, crossings
from labs.views.diagram.flow import FRAME_LEFT
from labs.views.diagram.stages import ladder
from labs.views.diagram.transformer import transformer
from labs.views.figure import Column, Picture, Row

MOST_STAGES = 16  # of more, only those of the picked device can be read


def model_picture(series: dict[str, Any]) -> Picture:
    """Return the diagram as drawn: top to bottom, so that a phone shows it as wide as the page."""
    drawn = transformer(series)
    placed = crossings(series["arrows"], drawn.anchors, drawn.y)
    at = {arrow["key"]: one.place(arrow) for one in placed for arrow in one.arrows}
    height = max([drawn.y, *(place.top + place.height for place in at.values())]) + 6
    beside, places = ladder(series["layers"], series["stages"], drawn.top, drawn.bottom, FRAME_LEFT)
    boxes, arrows, stages = series["boxes"], series["arrows"], series["stages"]
    rows = [
        *(
            Row((box["label"], _shape(box), box["says"]), drawn.places[i], box["sets"], box["name"])
            for i, box in enumerate(boxes)
        ),
        *(
            Row((arrow["name"], arrow["label"], arrow["phase"]), at[arrow["key"]], arrow["sets"], arrow["key"])
            for arrow in arrows
        ),
        *(
            Row((stage["label"], _count(stage), _layers(stage)), place)
            for stage, place in zip(stages, places, strict=True)
            if stage["mine"] or len(stages) <= MOST_STAGES
        ),
    ]
    selected = [one["selected"] for one in (*boxes, *arrows)]
    return Picture(
        kind="model",
        height=height,
        parts=[*beside, *drawn.parts, *map(crossing, placed)],
        columns=[Column("Part"), Column("Size"), Column("Detail")],
        rows=rows,
        current=selected.index(True) if True in selected else None,
        says=_says(series),
    )


def _shape(box: dict[str, Any]) -> str:
    shape = " × ".join(f"{side:,}" for side in box["shape"])
    return f"{box['experts']:,} of {shape}" if box["experts"] else shape


def _count(stage: dict[str, Any]) -> str:
    count = stage["to"] - stage["from"] + 1
    return f"{count:,} layer{'s' if count > 1 else ''}"


def _layers(stage: dict[str, Any]) -> str:
    first, last = stage["from"], stage["to"]
    return f"layer {first}" if first == last else f"layers {first}–{last}"


def _says(series: dict[str, Any]) -> str:
    boxes, arrows = series["boxes"], series["arrows"]
    split = sum(box["parts"] > 1 or box["expert_parts"] > 1 or box["slices"] > 1 for box in boxes)
    return f"{split} of {len(boxes)} weights are split, {len(arrows)} exchanges cross the network."
