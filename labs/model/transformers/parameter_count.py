"""How many parameters a transformer has, by kind."""

from dataclasses import dataclass
from functools import cache

from labs.model.transformers.transformer import Transformer
from labs.model.transformers.weights import Kind, tensors


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Parameters of a transformer by kind.

    Attributes:
        embedding: of tokens, and of positions where they are learned [1]
        attention: projections of attention with their biases [1]
        mlp: of ordinary layers [1]
        experts: routed and shared experts and routers [1]
        norms: scales and biases of all norms [1]
        head: the output head, 0 where the embedding is used again [1]
        total: all of them [1]
        active: that one token meets: of the routed experts only the chosen ones; the whole embedding and head [1]
    """

    embedding: int
    attention: int
    mlp: int
    experts: int
    norms: int
    head: int
    total: int
    active: int


def parameters(*, model: Transformer) -> Parameters:
    """Return the parameters of a transformer by kind, in total, and met by one token.

        N = Σ layers · Π shape; for a GPT 12 L h² (1 + 13 / (12 h) + (V + s) / (12 L h)) and 2 h of the final norm

    Args:
        model: the transformer

    Returns:
        the attributes of Parameters, each with its unit

    Raises:
        ModelError: never for a Transformer, which has refused what is impossible

    Source:
        Narayanan et al. 2021 (arXiv 2104.04473), section 5.1, equation 2

    >>> from labs.model.transformers.transformer import gpt
    >>> parameters(model=gpt(hidden=768, layers=12, heads=12, vocabulary=50257, sequence=1024)).total
    124439808
    """
    return _parameters(model)


@cache
def _parameters(model: Transformer) -> Parameters:
    kinds: dict[Kind, int] = dict.fromkeys(("embedding", "attention", "mlp", "experts", "norms", "head"), 0)
    idle = 0
    for tensor in tensors(model=model):
        kinds[tensor.kind] += tensor.layers * tensor.elements
        if tensor.routed and model.experts:
            idle += (
                tensor.layers * tensor.elements // model.experts.count * (model.experts.count - model.experts.chosen)
            )
    total = sum(kinds.values())
    return Parameters(**kinds, total=total, active=total - idle)
