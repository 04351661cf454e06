"""The weights of a transformer, one record a tensor.

Shapes are those of PyTorch: (outputs, inputs). A column split cuts outputs, a row split cuts inputs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Literal

from labs.model.transformers.transformer import Transformer

Kind = Literal["embedding", "attention", "mlp", "experts", "norms", "head"]
Split = Literal["column", "row", "vocabulary", "replicated"]
Place = Literal["first", "layers", "last", "ends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """A weight: in every layer that has it, or once.

    Attributes:
        name: such as attention.query
        kind: embedding, attention, mlp, experts, norms or head
        shape: outputs and inputs; of routed experts, the experts before them
        split: what tensor ranks cut: column (outputs), row (inputs), vocabulary (rows), or nothing: replicated
        axis: the dimension that they cut, or None [1]
        granule: entries of that dimension that stay together, such as a head's width [1]
        routed: whether expert ranks cut the first dimension
        place: the stage that holds it: first, last, ends (a copy on both: a tied embedding), or that of its layers
        layers: layers that have it; 1 outside of layers [1]
        first_layer: the first of those layers, counted from 0 [1]
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    split: Split = "replicated"
    axis: int | None = None
    granule: int = 1
    routed: bool = False
    place: Place = "layers"
    layers: int = 1
    first_layer: int = 0

    @property
    def elements(self) -> int:
        """Parameters of it in one layer."""
        return prod(self.shape)


def tensors(*, model: Transformer) -> tuple[Tensor, ...]:
    """Return every weight of a transformer, from the embedding to the head.

    Multi-token prediction modules are no part of it.

        parameters = Σ layers · Π shape

    Args:
        model: the transformer

    Returns:
        one record for each weight

    Raises:
        ModelError: never for a Transformer, which has refused what is impossible

    Source:
        Shoeybi et al. 2019 (arXiv 1909.08053), section 3, for what is split by column, row and vocabulary

    >>> from labs.model.transformers.transformer import gpt
    >>> weights = tensors(model=gpt(hidden=1024, layers=24, heads=16))
    >>> next((weight.shape, weight.split, weight.layers) for weight in weights if weight.name == "mlp.up")
    ((4096, 1024), 'column', 24)
    """
    return _tensors(model)


@cache
def _tensors(model: Transformer) -> tuple[Tensor, ...]:
    return (*_embedding(model), *_attention(model), *_mlp(model), *_experts(model), *_norms(model), *_head(model))


def _embedding(model: Transformer) -> Iterator[Tensor]:
    yield Tensor(
        name="embedding.tokens",
        kind="embedding",
        shape=(model.vocabulary, model.hidden),
        split="vocabulary",
        axis=0,
        place="ends" if model.tied else "first",
    )
    if model.positions:
        shape = (model.positions, model.hidden)
        yield Tensor(name="embedding.positions", kind="embedding", shape=shape, place="first")


def _head(model: Transformer) -> Iterator[Tensor]:
    if not model.tied:
        shape = (model.vocabulary, model.hidden)
        yield Tensor(name="head.output", kind="head", shape=shape, split="vocabulary", axis=0, place="last")


def _matrix(
    name: str,
    kind: Kind,
    shape: tuple[int, int],
    split: Split,
    layers: int,
    *,
    granule: int = 1,
    bias: bool = False,
    first_layer: int = 0,
) -> Iterator[Tensor]:
    """Yield a matrix and its bias; the bias of a row split is added once, after the sum, and so every rank has it."""
    axis = {"column": 0, "row": 1}.get(split)
    yield Tensor(
        name=name,
        kind=kind,
        shape=shape,
        split=split,
        axis=axis,
        granule=granule,
        layers=layers,
        first_layer=first_layer,
    )
    if bias:
        cut = split == "column"
        yield Tensor(
            name=f"{name}_bias",
            kind=kind,
            shape=shape[:1],
            split="column" if cut else "replicated",
            axis=0 if cut else None,
            granule=granule if cut else 1,
            layers=layers,
            first_layer=first_layer,
        )


def _attention(model: Transformer) -> Iterator[Tensor]:
    hidden, heads, layers, latent = model.hidden, model.heads, model.layers, model.latent
    if latent:
        key = latent.nope_width + latent.rope_width
        both = latent.nope_width + latent.value_width
        if latent.query_rank:
            yield from _matrix("attention.query_down", "attention", (latent.query_rank, hidden), "replicated", layers)
            query = (heads * key, latent.query_rank)
            yield from _matrix("attention.query_up", "attention", query, "column", layers, granule=key)
        else:
            yield from _matrix("attention.query", "attention", (heads * key, hidden), "column", layers, granule=key)
        down, up = (latent.kv_rank + latent.rope_width, hidden), (heads * both, latent.kv_rank)
        yield from _matrix("attention.kv_down", "attention", down, "replicated", layers)
        yield from _matrix("attention.kv_up", "attention", up, "column", layers, granule=both)
        width = latent.value_width
    else:
        width, bias = model.head_width, model.biases or model.qkv_biases
        for name, count in (("query", heads), ("key", model.kv_heads), ("value", model.kv_heads)):
            shape = (count * width, hidden)
            yield from _matrix(f"attention.{name}", "attention", shape, "column", layers, granule=width, bias=bias)
    output = (hidden, heads * width)
    bias = model.biases or model.output_bias
    yield from _matrix("attention.output", "attention", output, "row", layers, granule=width, bias=bias)


def _mlp(model: Transformer) -> Iterator[Tensor]:
    if model.dense_layers:
        for name in ("gate", "up") if model.gated else ("up",):
            shape = (model.ffn, model.hidden)
            yield from _matrix(f"mlp.{name}", "mlp", shape, "column", model.dense_layers, bias=model.biases)
        shape = (model.hidden, model.ffn)
        yield from _matrix("mlp.down", "mlp", shape, "row", model.dense_layers, bias=model.biases)


def _experts(model: Transformer) -> Iterator[Tensor]:
    experts, hidden = model.experts, model.hidden
    if not experts:
        return
    first, layers = experts.dense_layers, model.layers - experts.dense_layers
    names = ("gate", "up") if model.gated else ("up",)
    router = (experts.count, hidden)
    yield from _matrix(
        "experts.router", "experts", router, "replicated", layers, bias=experts.router_bias, first_layer=first
    )
    wide, back = (experts.count, experts.ffn, hidden), (experts.count, hidden, experts.ffn)
    splits: list[tuple[str, tuple[int, ...], Split, int]] = [(name, wide, "column", 1) for name in names]
    for name, shape, split, axis in [*splits, ("down", back, "row", 2)]:
        yield Tensor(
            name=f"experts.{name}",
            kind="experts",
            shape=shape,
            split=split,
            axis=axis,
            routed=True,
            layers=layers,
            first_layer=first,
        )
    if experts.shared:
        width = experts.shared * experts.ffn
        for name in names:
            shape = (width, hidden)
            yield from _matrix(f"experts.shared_{name}", "experts", shape, "column", layers, first_layer=first)
        yield from _matrix("experts.shared_down", "experts", (hidden, width), "row", layers, first_layer=first)
    if experts.shared_gate:
        yield from _matrix("experts.shared_weight", "experts", (1, hidden), "replicated", layers, first_layer=first)


def _norms(model: Transformer) -> Iterator[Tensor]:
    hidden, layers = model.hidden, model.layers
    names = ("attention", "mlp") if model.norms == 2 else ("layer",)
    widths: list[tuple[str, int, bool]] = [(name, hidden, model.norm_biases) for name in names]
    if model.qk_norms:
        widths += [(name, model.head_width, False) for name in ("query", "key")]
    if model.latent:
        if model.latent.query_rank:
            widths.append(("query_latent", model.latent.query_rank, False))
        widths.append(("kv_latent", model.latent.kv_rank, False))
    for name, width, bias in widths:
        yield Tensor(name=f"norms.{name}", kind="norms", shape=(width,), layers=layers)
        if bias:
            yield Tensor(name=f"norms.{name}_bias", kind="norms", shape=(width,), layers=layers)
    if model.final_norm:
        yield Tensor(name="norms.final", kind="norms", shape=(hidden,), place="last")
        if model.norm_biases:
            yield Tensor(name="norms.final_bias", kind="norms", shape=(hidden,), place="last")
