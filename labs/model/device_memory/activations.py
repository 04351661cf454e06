"""What the forward pass of one layer leaves in memory for the backward pass, tensor by tensor, in 16 bits.

The residual stream's tensors are whole on each tensor rank, or split along the sequence with sequence parallelism;
those between two matrices are split by heads and by the MLP's width. What can be had again from a neighbour at the cost
of an elementwise function is not kept (the gate's activation, as fused kernels do). Statistics of norms and of flash
attention, 4 bytes a row, are left out.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from labs.model.device_memory.counting import check_ranks
from labs.model.plans.plan import RECOMPUTES, Plan, Recompute, require_recompute
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count, outcome
from labs.model.transformers.transformer import Experts, Transformer

Split = Literal["sequence", "tensor", "kv heads", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTensor:
    """One tensor that a layer keeps for its backward pass.

    Attributes:
        name: what it is
        bytes_per_token: with nothing split [byte]
        split: by what tensor ranks divide it: sequence (with sequence parallelism alone), tensor, kv heads, nothing
        scores: whether it grows with the square of the sequence: selective recomputation and flash attention drop it
    """

    name: str
    bytes_per_token: float
    split: Split
    scores: bool = False


def kept_tensors(*, model: Transformer, experts: bool = False, dropout: bool = True) -> tuple[KeptTensor, ...]:
    """Return the tensors that one layer keeps for its backward pass; of a GPT 34 h + 5 a s bytes a token in all.

    Of a layer with experts each token counts once for each chosen expert: routing is taken as balanced. What is sent
    to experts and what comes back is whole on each tensor rank.

        bytes = 2 (norm inputs + matrix inputs + Q + K + V + attention + MLP widths) + dropout masks + 5 a s

    Args:
        model: the transformer
        experts: whether of a layer with experts
        dropout: whether masks of dropout are kept: two of the residual stream, and one of the scores with its product

    Returns:
        the attributes of KeptTensor, each with its unit, for each tensor

    Raises:
        ModelError: experts asked of a model without

    Source:
        Korthikanti et al. (arXiv 2205.05198), section 4.1; latent attention, gates and experts worked out likewise

    >>> from labs.model.transformers.transformer import gpt
    >>> table = kept_tensors(model=gpt(hidden=1024, layers=1, heads=16))
    >>> sum(tensor.bytes_per_token for tensor in table if not tensor.scores) / 1024
    34.0
    """
    hidden = model.hidden
    table = [
        KeptTensor(name="inputs of norms", bytes_per_token=2 * model.norms * hidden, split="sequence"),
        KeptTensor(name="inputs of attention and MLP", bytes_per_token=2 * model.norms * hidden, split="sequence"),
        *_attention(model),
        KeptTensor(
            name="attention scores",
            bytes_per_token=(5 if dropout else 2) * model.heads * model.sequence,
            split="tensor",
            scores=True,
        ),
    ]
    if dropout:
        table.append(KeptTensor(name="masks of dropout", bytes_per_token=2 * hidden, split="sequence"))
    if not experts:
        return (*table, *_mlp("MLP", model.ffn, gated=model.gated))
    if model.experts is None:
        raise ModelError("expected a model with experts, found a dense one", argument="experts")
    return (*table, *_routed(model.experts, hidden, gated=model.gated))


def _attention(model: Transformer) -> list[KeptTensor]:
    if latent := model.latent:
        key = latent.nope_width + latent.rope_width
        low = 2 * latent.query_rank + 2 * latent.kv_rank + latent.rope_width
        return [
            KeptTensor(name="latents, before and after their norms", bytes_per_token=2 * low, split="sequence"),
            KeptTensor(name="queries", bytes_per_token=2 * model.heads * key, split="tensor"),
            KeptTensor(
                name="keys and values", bytes_per_token=2 * model.heads * (key + latent.value_width), split="tensor"
            ),
            KeptTensor(
                name="output of attention", bytes_per_token=2 * model.heads * latent.value_width, split="tensor"
            ),
        ]
    queries = 2 * model.heads * model.head_width
    keys_and_values = 2 * 2 * model.kv_heads * model.head_width
    return [
        KeptTensor(name="queries", bytes_per_token=queries, split="tensor"),
        KeptTensor(name="keys and values", bytes_per_token=keys_and_values, split="kv heads"),
        KeptTensor(name="output of attention", bytes_per_token=queries, split="tensor"),
    ]


def _mlp(name: str, width: int, *, gated: bool) -> list[KeptTensor]:
    before = 2 * width * (2 if gated else 1)
    return [
        KeptTensor(name=f"{name}, before the activation function", bytes_per_token=before, split="tensor"),
        KeptTensor(name=f"{name}, input of the last matrix", bytes_per_token=2 * width, split="tensor"),
    ]


def _routed(experts: Experts, hidden: int, *, gated: bool) -> list[KeptTensor]:
    shared = _mlp("shared experts", experts.shared * experts.ffn, gated=gated) if experts.shared else []
    return [
        KeptTensor(name="probabilities of the router", bytes_per_token=4 * experts.count, split="sequence"),
        KeptTensor(name="inputs of experts", bytes_per_token=2 * experts.chosen * hidden, split="nothing"),
        *_mlp("experts", experts.chosen * experts.ffn, gated=gated),
        KeptTensor(
            name="outputs of experts, before weighting", bytes_per_token=2 * experts.chosen * hidden, split="nothing"
        ),
        *shared,
    ]


@cache
def _sums(model: Transformer, experts: bool, dropout: bool) -> tuple[float, float, float, float, float]:
    """Return bytes a token by what splits them: sequence, tensor, kv heads, nothing; and the scores'."""
    table = kept_tensors(model=model, experts=experts, dropout=dropout)
    by: dict[str, float] = dict.fromkeys(("sequence", "tensor", "kv heads", "nothing", "scores"), 0.0)
    for tensor in table:
        by["scores" if tensor.scores else tensor.split] += tensor.bytes_per_token
    return by["sequence"], by["tensor"], by["kv heads"], by["nothing"], by["scores"]


def layer_activations(
    *,
    model: Transformer,
    plan: Plan,
    recompute: Recompute | None = None,
    experts: bool = False,
    flash: bool = False,
    dropout: bool = True,
) -> float:
    """Return what one layer keeps of one microbatch on one device, for any transformer.

        bytes = s b / c · Σ over kept_tensors of bytes per token / ranks that split it; recomputed in full: 2 s b h / c

    Args:
        model: the transformer
        plan: degrees, microbatch, sequence parallelism
        recompute: instead of the plan's: none, selective or full
        experts: whether of a layer with experts
        flash: whether attention keeps no scores in any case
        dropout: whether masks of dropout are kept

    Returns:
        activations of a layer and a microbatch [byte]

    Raises:
        ModelError: a plan that the model makes impossible

    Source:
        Korthikanti et al. (arXiv 2205.05198), table 2; see kept_tensors

    >>> from labs.model.transformers.transformer import gpt
    >>> model = gpt(hidden=1000, layers=1, heads=10, sequence=1000)
    >>> layer_activations(model=model, plan=Plan()), layer_activations(model=model, plan=Plan(recompute="full"))
    (84000000.0, 2000000.0)
    """
    check_ranks(model, plan)
    chosen = plan.recompute if recompute is None else recompute
    require_recompute(chosen)
    tokens = model.sequence * plan.microbatch / plan.context
    along = plan.tensor if plan.sequence_parallel else 1
    if chosen == "full":
        return outcome("number of bytes", tokens * 2 * model.hidden / along, "byte")
    sequence, tensor, kv, whole, scores = _sums(model, experts, dropout)
    split = tensor if flash or chosen == "selective" else tensor + scores
    each = sequence / along + split / plan.tensor + kv / min(plan.tensor, model.kv_heads) + whole
    return outcome("number of bytes", tokens * each, "byte")


def gpt_layer_activations(
    *,
    sequence: int,
    microbatch: int,
    hidden: int,
    heads: int,
    tensor: int = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
) -> float:
    """Return what one layer of a GPT keeps of one microbatch on one device, by the published formula.

    With sequence parallelism all of it is divided by t. Selective recomputation, and flash attention, drop 5 a s / h.

        bytes = s b h (10 + 24 / t + 5 a s / (h t)), and 2 s b h with full recomputation

    Args:
        sequence: tokens, s [1]
        microbatch: sequences, b [1]
        hidden: width of the residual stream, h [1]
        heads: of attention, a [1]
        tensor: ranks that share each matrix, t [1]
        sequence_parallel: whether they split the sequence outside the matrices
        recompute: none, selective or full

    Returns:
        activations of a layer and a microbatch [byte]

    Raises:
        ModelError: an input out of range

    Source:
        Korthikanti et al. (arXiv 2205.05198), table 2

    >>> gpt_layer_activations(sequence=1000, microbatch=1, hidden=1000, heads=10, tensor=4)
    28500000.0
    """
    tokens = count("sequence", sequence) * count("microbatch", microbatch)
    width, ranks = count("hidden", hidden), count("tensor", tensor)
    scores = 5 * count("heads", heads) * sequence / (width * ranks)
    along = ranks if sequence_parallel else 1
    if recompute not in RECOMPUTES:
        known = ", ".join(RECOMPUTES)
        raise ModelError(f"expected recompute to be one of {known}, found {recompute}", argument="recompute")
    each = {"none": 10 / along + 24 / ranks + scores, "selective": 10 / along + 24 / ranks, "full": 2 / along}
    return outcome("number of bytes", tokens * width * each[recompute], "byte")
