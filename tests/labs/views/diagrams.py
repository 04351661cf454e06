"""Transformers as the diagram takes them, from the model's own weights, cut in ways that a test chooses."""

from itertools import pairwise
from typing import Any

from labs.model.transformers.transformer import Experts, LatentAttention, Transformer, gpt
from labs.model.transformers.weights import tensors

DENSE = gpt(hidden=12288, layers=96, heads=96)
GATED = Transformer(hidden=16384, layers=126, heads=128, kv_heads=8, head_width=128, ffn=53248, gated=True,
                    vocabulary=128256, sequence=8192)
TIED = Transformer(hidden=2048, layers=16, heads=32, kv_heads=8, head_width=64, ffn=8192, gated=True,
                   vocabulary=128256, sequence=8192, tied=True)
MIXTURE = Transformer(hidden=4096, layers=32, heads=32, kv_heads=8, head_width=128, ffn=14336, gated=True,
                      vocabulary=32000, sequence=4096, experts=Experts(count=8, chosen=2, ffn=14336))
LATENT = Transformer(
    hidden=7168, layers=61, heads=128, kv_heads=128, head_width=192, ffn=18432, gated=True, vocabulary=129280,
    sequence=4096, experts=Experts(count=256, chosen=8, ffn=2048, shared=1, dense_layers=3),
    latent=LatentAttention(query_rank=1536, kv_rank=512, rope_width=64, nope_width=128, value_width=128),
)
PARALLEL = Transformer(hidden=4544, layers=32, heads=71, kv_heads=1, head_width=64, ffn=18176, gated=False,
                       vocabulary=65024, sequence=2048, norms=1, parallel=True, tied=True)
QK_NORMS = Transformer(hidden=4096, layers=36, heads=32, kv_heads=8, head_width=128, ffn=12288, gated=True,
                       vocabulary=151936, sequence=32768, qk_norms=True)
MODELS = {"dense": DENSE, "gated": GATED, "tied": TIED, "mixture": MIXTURE, "latent": LATENT, "parallel": PARALLEL,
          "qk norms": QK_NORMS}

PLACES = (
    "attention input", "attention", "attention output", "mlp input", "mlp output", "embedding output", "head input",
    "loss", "embedding weights", "layer weights", "head weights", "norm weights", "stage boundary", "tied ends",
    "all weights",
)
AXES = {"tensor": "all-reduce", "context": "send-recv", "data": "reduce-scatter", "pipeline": "send-recv",
        "expert": "all-to-all"}


def arrow(key: str, place: str, axis: str, **changes: Any) -> dict[str, Any]:
    return {
        "key": key, "name": f"{place} of {axis} ranks", "place": place, "axis": axis, "operation": AXES[axis],
        "phase": "forward", "short": place, "label": f"{AXES[axis]} 512 MiB × 96", "payload": 2**29,
        "each": "512 MiB", "sets": {"selected": key}, "selected": False,
        "zero": False,
    } | changes


def diagram(
    model: Transformer = GATED,
    *,
    tensor: int = 1,
    expert: int = 1,
    slices: int = 1,
    copies: int = 1,
    stages: int = 0,
    chunks: int = 1,
    arrows: tuple[dict[str, Any], ...] = (),
    selected: str = "",
    mine: bool = True,
) -> dict[str, Any]:
    """Return a diagram's series: every matrix that tensor ranks split is cut, and a device of the middle is picked."""
    boxes = []
    for weight in tensors(model=model):
        if weight.name.endswith("_bias") or (model.experts and weight.kind == "mlp"):
            continue
        axis = weight.axis if not weight.routed or weight.axis is None else weight.axis - 1
        parts = 1 if axis is None else tensor
        boxes.append({
            "name": weight.name, "label": weight.name.split(".")[1].replace("_", " ").capitalize(),
            "block": weight.kind, "shape": list(weight.shape[-2:]),
            "experts": weight.shape[0] if weight.routed else None, "axis": axis, "parts": parts,
            "expert_parts": expert if weight.routed else 1, "slices": slices, "copies": copies,
            "mine": [parts // 2, expert // 2 if weight.routed else 0, slices // 2] if mine else None,
            "says": f"part {parts // 2} of {parts}", "sets": {"selected": weight.name},
            "selected": weight.name == selected,
        })
    count = stages * chunks
    edges = [model.layers * i // count for i in range(count + 1)] if count else []
    return {
        "kind": "model", "id": "model", "title": "Where the model lies", "layers": model.layers,
        "layer": "a layer with experts" if model.experts else "a layer", "boxes": boxes,
        "stages": [
            {"label": f"stage {i % stages}", "from": start, "to": end - 1, "mine": i % stages == stages // 2}
            for i, (start, end) in enumerate(pairwise(edges))
        ],
        "arrows": [dict(one, selected=one["key"] == selected) for one in arrows],
    }


def busy(places: tuple[str, ...] = PLACES) -> tuple[dict[str, Any], ...]:
    """Return two arrows at each place, of all axes in turn."""
    axes = list(AXES)
    return tuple(
        arrow(f"{place} {n}", place, axes[(i + n) % 5], zero=axes[(i + n) % 5] == "data" and n == 0)
        for i, place in enumerate(places)
        for n in range(2)
    )
