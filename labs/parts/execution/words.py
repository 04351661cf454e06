"""Quantities, counts and names as the lab's sentences have them."""

from collections.abc import Sequence

from labs.model.boundaries.crossing import Crossing
from labs.model.device_memory.conventions import Convention
from labs.model.machines.machine import Machine
from labs.model.machines.placement import group_levels
from labs.model.plans.sharding import Shard
from labs.model.transformers.weights import Tensor
from labs.views.text import quantity

RANKS = {
    "tensor": "tensor ranks",
    "context": "context ranks",
    "data": "ranks of the same weights",
    "expert": "expert ranks",
}
LABELS = {
    "embedding.tokens": "Embedding",
    "norms.attention": "Norm",
    "norms.layer": "Norm",
    "norms.mlp": "Norm",
    "norms.final": "Final norm",
    "norms.query": "Query norm",
    "norms.key": "Key norm",
    "norms.query_latent": "Query latent norm",
    "norms.kv_latent": "KV latent norm",
    "attention.kv_down": "KV down",
    "attention.kv_up": "KV up",
    "head.output": "Head",
}


def label(name: str) -> str:
    """Return a weight's name as a box has it.

    >>> label("attention.query"), label("mlp.up")
    ('Query', 'Up')
    """
    return LABELS.get(name) or name.partition(".")[2].replace("_", " ").capitalize()


def short(name: str) -> str:
    """Return what crosses without what tells it from others at its place.

    >>> short("attention output (partial sums)"), short("gradients of a layer"), short("MLP input, gathered again")
    ('attention output', 'gradients', 'MLP input')
    """
    for end in (" (", ", ", " of ", " to "):
        name = name.partition(end)[0]
    return name


def size(count: float) -> str:
    """Return bytes.

    >>> size(2 * 1024 * 1024)
    '2.1 MB'
    """
    return quantity(count, "byte", 3)


def time(seconds: float) -> str:
    """Return a time."""
    return quantity(seconds, "s", 3)


def share(part: float) -> str:
    """Return a part of a whole."""
    return f"{quantity(100 * part, '1', 2)} %"


def of_16_bits(convention: Convention) -> list[str]:
    """Return what times and activations are of, where the parameters that are multiplied are wider than that."""
    if convention.working <= 2:
        return []
    return [
        f"Under {convention.name} weights and gradients are kept and cross in 32 bits, but times are those of 16-bit "
        "arithmetic at the 16-bit peak, and activations are of 2 byte: arithmetic in 32 bits is slower than this."
    ]


def shape(lengths: Sequence[int]) -> str:
    """Return a shape.

    >>> shape((1, 1024, 4096))
    '1 × 1,024 × 4,096'
    """
    return " × ".join(f"{length:,}" for length in lengths)


def span(numbers: Sequence[int]) -> str:
    """Return whole numbers in order as ranges.

    >>> span((0, 1, 2, 8, 9)), span((4,))
    ('0–2, 8–9', '4')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(_range(first, last) for first, last in runs)


def held(tensor: Tensor, shard: Shard) -> str:
    """Return the part of a weight that a shard is: rows, columns, experts, and a slice of them under ZeRO-3."""
    names = ("experts", "rows", "columns") if tensor.routed else ("rows", "columns")
    cut = [
        f"{name} {_range(first, stop - 1)} of {whole:,}"
        for name, (first, stop), whole in zip(names, shard.tile, shard.whole, strict=False)
        if stop - first < whole
    ]
    said = ", ".join(cut) or "all of it"
    first, stop = shard.piece
    elements = 1
    for length in shard.shape:
        elements *= length
    if stop - first < elements:
        said += f"; of these elements {_range(first, stop - 1)} of {elements:,}" if stop > first else "; no element"
    return said


def copies(holders: int) -> str:
    """Return how many devices hold the same."""
    return "no other device holds it" if holders == 1 else f"{holders:,} devices hold the same"


def group(crossing: Crossing) -> str:
    """Return the devices of an operation, and how far apart they are."""
    said = "2 stages" if crossing.axis == "pipeline" else f"{crossing.ranks:,} {RANKS[crossing.axis]}"
    return said if crossing.stride == 1 else f"{said}, {crossing.stride:,} apart"


def level(machine: Machine, crossing: Crossing) -> str:
    """Return the outermost level of the machine that a group spans."""
    return group_levels(machine=machine, ranks=crossing.ranks, stride=crossing.stride)[-1].name


def _range(first: int, last: int) -> str:
    return f"{first:,}–{last:,}" if last > first else f"{first:,}"
