"""A decoder-only transformer, described by the numbers of its config."""

from dataclasses import dataclass

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Attention through low-rank latents, as in DeepSeek-V2 and V3.

    Attributes:
        query_rank: width of the query latent, 0 where queries are projected directly [1]
        kv_rank: width of the latent that is cached for keys and values [1]
        rope_width: width of the part of a head that carries the position [1]
        nope_width: width of the part of a head that does not [1]
        value_width: width of a head's value [1]
    """

    query_rank: int
    kv_rank: int
    rope_width: int
    nope_width: int
    value_width: int

    def __post_init__(self) -> None:
        for name in ("kv_rank", "rope_width", "nope_width", "value_width"):
            object.__setattr__(self, name, count(name, getattr(self, name)))
        object.__setattr__(self, "query_rank", count("query_rank", self.query_rank, at_least=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """The experts of a mixture-of-experts layer.

    Attributes:
        count: routed experts, E [1]
        chosen: experts that each token is sent to, k [1]
        ffn: width of one expert [1]
        shared: experts that every token passes, each of the same width [1]
        dense_layers: first layers that have an ordinary MLP instead [1]
        shared_gate: whether a gate of one row weighs the shared experts, as in Qwen2-MoE
        router_bias: whether the router has a bias for each expert, as in DeepSeek-V3
    """

    count: int
    chosen: int
    ffn: int
    shared: int = 0
    dense_layers: int = 0
    shared_gate: bool = False
    router_bias: bool = False

    def __post_init__(self) -> None:
        for name in ("count", "chosen", "ffn"):
            object.__setattr__(self, name, count(f"{name} of experts", getattr(self, name)))
        for name in ("shared", "dense_layers"):
            object.__setattr__(self, name, count(f"{name} of experts", getattr(self, name), at_least=0))
        if self.chosen > self.count:
            raise ModelError(f"expected at most {self.count} chosen experts, found {self.chosen}", argument="experts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformer:
    """A decoder-only transformer.

    Attributes:
        name: as people call it
        hidden: width of the residual stream, h [1]
        layers: transformer layers, L [1]
        heads: query heads, a [1]
        kv_heads: key and value heads; as many as heads unless queries share them [1]
        head_width: width of one head, d; a · d is h in most models [1]
        ffn: width of the MLP, f [1]
        gated: whether the MLP has a gate beside its up projection: three matrices, not two
        vocabulary: tokens, V [1]
        sequence: tokens of one training sequence, s [1]
        tied: whether the output head is the embedding
        positions: rows of a learned position embedding, 0 without one [1]
        biases: whether matrices have biases
        qkv_biases: whether query, key and value have biases where other matrices have none
        output_bias: whether the output of attention has a bias where other matrices have none
        norm_biases: whether norms have a bias beside their scale
        norms: norms of one layer before attention and MLP: two, or one that both share [1]
        qk_norms: whether each head's query and key are normed, as in Qwen3
        parallel: whether attention and MLP run side by side and their outputs are added
        final_norm: whether a norm stands before the head
        experts: the mixture of experts, or None for a dense model
        latent: latent attention, or None
    """

    name: str = "transformer"
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_width: int
    ffn: int
    gated: bool
    vocabulary: int
    sequence: int
    tied: bool = False
    positions: int = 0
    biases: bool = False
    qkv_biases: bool = False
    output_bias: bool = False
    norm_biases: bool = False
    norms: int = 2
    qk_norms: bool = False
    parallel: bool = False
    final_norm: bool = True
    experts: Experts | None = None
    latent: LatentAttention | None = None

    def __post_init__(self) -> None:
        for name in ("hidden", "layers", "heads", "kv_heads", "head_width", "ffn", "vocabulary", "sequence"):
            object.__setattr__(self, name, count(name, getattr(self, name)))
        if self.heads % self.kv_heads:
            raise ModelError(
                f"expected kv_heads to divide heads, found {self.heads} heads and {self.kv_heads} kv_heads",
                argument="kv_heads",
            )
        object.__setattr__(self, "positions", count("positions", self.positions, at_least=0))
        object.__setattr__(self, "norms", count("norms", self.norms, at_most=2))
        if self.experts and self.experts.dense_layers >= self.layers:
            raise ModelError(
                f"expected fewer dense layers than {self.layers} layers, found {self.experts.dense_layers}",
                argument="experts",
            )

    @property
    def dense_layers(self) -> int:
        """Layers with an ordinary MLP: all of them without experts."""
        return self.experts.dense_layers if self.experts else self.layers


def gpt(
    *, hidden: int, layers: int, heads: int, vocabulary: int = 51200, sequence: int = 2048, name: str = "GPT"
) -> Transformer:
    """Return a GPT of the Megatron papers: MLP four times as wide, biases, learned positions, tied head.

    >>> gpt(hidden=12288, layers=96, heads=96).ffn
    49152
    """
    if count("hidden", hidden) % count("heads", heads):
        raise ModelError(f"expected heads to divide hidden, found {heads} and {hidden}", argument="heads")
    return Transformer(
        name=name,
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=heads,
        head_width=hidden // heads,
        ffn=4 * hidden,
        gated=False,
        vocabulary=vocabulary,
        sequence=sequence,
        tied=True,
        positions=sequence,
        biases=True,
        norm_biases=True,
    )
