"""The part of each weight that one device holds."""

from dataclasses import dataclass
from math import prod

from labs.model.plans.feasibility import require_possible
from labs.model.plans.plan import Plan
from labs.model.plans.stages import stage_layers
from labs.model.quantities.inputs import count, positive
from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import Kind, Tensor, tensors

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coordinates:
    """A device's rank in each kind of parallelism, counted from 0.

    Attributes:
        tensor: among those that share its matrices [1]
        context: among those that share its sequences [1]
        data: among the replicas [1]
        pipeline: its stage [1]
        expert: among those that share the experts of a layer: data and context ranks counted anew [1]
    """

    tensor: int
    context: int
    data: int
    pipeline: int
    expert: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """What one device holds of one weight, the same in each of its layers.

    Attributes:
        tensor: name of the weight
        kind: embedding, attention, mlp, experts, norms or head
        whole: shape of the weight, a padded vocabulary included
        tile: first and last entry (that one excluded) of each dimension
        shape: of the tile
        piece: first and last element (that one excluded) of the tile, row by row; ZeRO stage 3 leaves a slice of it
        layers: those on this device; empty for a weight outside of layers
        padding: rows of the whole that are no tokens [1]
        elements: held in each layer [1]
        bytes: held in all layers of the device [byte]
        holders: devices that hold this very piece; 1 if no other does [1]
    """

    tensor: str
    kind: Kind
    whole: tuple[int, ...]
    tile: tuple[Range, ...]
    shape: tuple[int, ...]
    piece: Range
    layers: tuple[int, ...]
    padding: int
    elements: int
    bytes: float
    holders: int


def coordinates(*, plan: Plan, device: int) -> Coordinates:
    """Return a device's ranks: neighbours in number share a matrix first, then a sequence, then are replicas.

        device = ((pipeline · d + data) · c + context) · t + tensor; expert = (data · c + context) mod e

    Args:
        plan: how a model is split
        device: counted from 0 [1]

    Returns:
        the attributes of Coordinates, each with its unit

    Raises:
        ModelError: a device that the plan does not have

    Source:
        NVIDIA/Megatron-LM, megatron/core/parallel_state.py, order "tp-cp-ep-dp-pp"

    >>> coordinates(plan=Plan(tensor=2, data=4, expert=2, pipeline=2), device=11)
    Coordinates(tensor=1, context=0, data=1, pipeline=1, expert=1)
    """
    rest, tensor = divmod(count("device", device, at_least=0, at_most=plan.devices - 1), plan.tensor)
    stage, replica = divmod(rest, plan.data * plan.context)
    data, context = divmod(replica, plan.context)
    return Coordinates(tensor=tensor, context=context, data=data, pipeline=stage, expert=replica % plan.expert)


def shards(*, model: Transformer, plan: Plan, device: int = 0, parameter_bytes: float = 2) -> tuple[Shard, ...]:
    """Return what one device holds of each weight.

    Tensor ranks hold tiles, expert ranks experts, stages layers. Under ZeRO stage 3 the ranks that would hold the same
    tile (data × context; of routed experts those with the same expert rank) hold one slice of it each.

        bytes = bytes per parameter · elements · layers

    Args:
        model: the transformer
        plan: how it is split
        device: counted from 0 [1]
        parameter_bytes: of one parameter [byte]

    Returns:
        one record for each weight of which the device holds something

    Raises:
        ModelError: a plan that is impossible for the model, or a device that it does not have

    Source:
        Shoeybi et al. 2019 (arXiv 1909.08053), section 3; Rajbhandari et al. 2020 (arXiv 1910.02054), section 5.3

    >>> from labs.model.transformers.transformer import gpt
    >>> held = shards(model=gpt(hidden=1024, layers=24, heads=16), plan=Plan(tensor=4, pipeline=2), device=1)
    >>> next((shard.tile, shard.bytes) for shard in held if shard.tensor == "mlp.up")
    (((1024, 2048), (0, 1024)), 25165824.0)
    """
    require_possible(model, plan)
    at = coordinates(plan=plan, device=device)
    size = positive("parameter_bytes", parameter_bytes, "byte")
    own = stage_layers(model=model, plan=plan, stage=at.pipeline)
    found = []
    for tensor in tensors(model=model):
        last_layer = tensor.first_layer + tensor.layers
        layers = tuple(layer for layer in own if tensor.first_layer <= layer < last_layer)
        if not (layers if tensor.place == "layers" else at.pipeline in ends(tensor, plan)):
            continue
        found.append(_shard(tensor, plan, at, layers if tensor.place == "layers" else (), size))
    return tuple(found)


def ends(tensor: Tensor, plan: Plan) -> tuple[int, ...]:
    """Return the stages that hold a weight outside of layers."""
    first, last = 0, plan.pipeline - 1
    return {"first": (first,), "last": (last,), "ends": (first, last) if last else (first,), "layers": ()}[tensor.place]


def part(tensor: Tensor, ranks: int) -> tuple[int, int]:
    """Return how many parts tensor ranks cut a weight into, and the entries of each, padding included."""
    if tensor.axis is None:
        return 1, 0
    granules = tensor.shape[tensor.axis] // tensor.granule
    parts = min(ranks, granules) if tensor.split != "vocabulary" else ranks
    return parts, -(-granules // parts) * tensor.granule


def _shard(tensor: Tensor, plan: Plan, at: Coordinates, layers: tuple[int, ...], size: float) -> Shard:
    parts, width = part(tensor, plan.tensor)
    whole, tile = list(tensor.shape), [(0, length) for length in tensor.shape]
    if tensor.axis is not None:
        # Where key and value heads are fewer than ranks, neighbours hold the same head.
        index = at.tensor * parts // plan.tensor
        whole[tensor.axis] = parts * width
        tile[tensor.axis] = (index * width, (index + 1) * width)
    replicas, slot = plan.data * plan.context, at.data * plan.context + at.context
    if tensor.routed:
        each = tensor.shape[0] // plan.expert
        tile[0] = (at.expert * each, (at.expert + 1) * each)
        replicas, slot = replicas // plan.expert, slot // plan.expert
    shape = tuple(stop - start for start, stop in tile)
    elements = prod(shape)
    piece = (0, elements)
    if plan.zero == 3:
        each = -(-elements // replicas)
        piece = (min(slot * each, elements), min((slot + 1) * each, elements))
    held = piece[1] - piece[0]
    copies = (1 if plan.zero == 3 else replicas) * (plan.tensor // parts) * max(1, len(ends(tensor, plan)))
    return Shard(
        tensor=tensor.name,
        kind=tensor.kind,
        whole=tuple(whole),
        tile=tuple(tile),
        shape=shape,
        piece=piece,
        layers=layers,
        padding=whole[0] - tensor.shape[0] if tensor.split == "vocabulary" else 0,
        elements=held,
        bytes=held * size * max(1, len(layers)),
        holders=copies,
    )
