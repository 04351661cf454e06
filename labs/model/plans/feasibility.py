"""Why a plan is impossible for a model, and what would make it possible."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from labs.model.plans.plan import Plan
from labs.model.quantities.divisors import divisors
from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Transformer

Mend = tuple[tuple[str, int | bool], ...]  # a change that mends a plan: arguments, and the values to take together

# Why a number that ranks divide must come out even.
WHOLE = {
    "heads": "Each tensor rank holds whole heads.",
    "kv_heads": "Each tensor rank holds whole key and value heads; more ranks than such heads have to hold copies.",
    "ffn": "Tensor ranks hold equally many columns of the MLP.",
    "ffn of experts": "Tensor ranks hold equally many columns of each expert.",
    "layers": "Each stage, and each chunk of one, holds equally many whole layers.",
    "accumulation": "The interleaved schedule runs microbatches in rounds of as many as there are stages.",
    "experts": "Expert ranks hold equally many whole experts.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One reason why a plan is impossible for a model.

    Attributes:
        message: what is expected and what was found, in one sentence
        argument: of the plan, that it is about
        why: what stands behind it, in one sentence
        mends: the smallest changes that mend it, any one of them; sequence is the model's
    """

    message: str
    argument: str
    why: str
    mends: tuple[Mend, ...]

    @property
    def hint(self) -> str:
        """The changes in words."""
        alike = groupby(self.mends, key=lambda mend: tuple(name for name, _ in mend) if _counted(mend) else mend)
        said = ", or ".join(_said(tuple(mends)) for _, mends in alike)
        return f"take {said}"

    @property
    def error(self) -> ModelError:
        """The same as an error."""
        return ModelError(self.message, argument=self.argument, hint=self.hint)


def _counted(mend: Mend) -> bool:
    return not any(isinstance(value, bool) for _, value in mend)


def _said(mends: tuple[Mend, ...]) -> str:
    """Return changes of the same arguments in words: "tensor 8 or 16"."""
    first, *others = mends
    words = " and ".join(
        (name if value else f"{name} off") if isinstance(value, bool) else f"{name} {value}" for name, value in first
    )
    return " or ".join((words, *(" and ".join(str(value) for _, value in other) for other in others)))


def reasons(*, model: Transformer, plan: Plan) -> tuple[Refusal, ...]:
    """Return every reason why a plan is impossible for a model, with the changes that mend it as values to take.

        possible = no remainder of heads, kv heads, widths, layers, experts, sequence, microbatches

    Args:
        model: the transformer
        plan: how it is split

    Returns:
        one record for each reason; none if the plan is possible

    Raises:
        ModelError: never for a Transformer and a Plan

    Source:
        as of refusals, which says the same in sentences

    >>> from labs.model.transformers.transformer import gpt
    >>> reasons(model=gpt(hidden=1024, layers=24, heads=16), plan=Plan(tensor=32))[0].mends
    ((('tensor', 16),),)
    """
    return tuple(_reasons(model, plan))


def refusals(*, model: Transformer, plan: Plan) -> tuple[str, ...]:
    """Return every reason why a plan is impossible for a model, each with the smallest change that mends it.

    A vocabulary that tensor ranks do not divide is no reason: it is padded, as Megatron-LM does. Memory is none here.

        possible = no remainder of heads, kv heads, widths, layers, experts, sequence, microbatches

    Args:
        model: the transformer
        plan: how it is split

    Returns:
        sentences; none if the plan is possible

    Raises:
        ModelError: never for a Transformer and a Plan

    Source:
        NVIDIA/Megatron-LM, megatron/training/arguments.py (validate_args) and megatron/core/transformer;
        vllm-project/vllm, vllm/model_executor/models/llama.py, for copies of key and value heads

    >>> from labs.model.transformers.transformer import gpt
    >>> refusals(model=gpt(hidden=1024, layers=24, heads=16), plan=Plan(tensor=32))
    ('expected tensor to divide heads, found 32 and 16 (take tensor 16)',)
    """
    return tuple(str(reason.error) for reason in _reasons(model, plan))


def require_possible(model: Transformer, plan: Plan) -> None:
    """Refuse a plan that is impossible for a model, with the first reason."""
    for reason in _reasons(model, plan):
        raise reason.error


def padded_vocabulary(*, vocabulary: int, tensor: int, multiple: int = 1) -> int:
    """Return the rows of an embedding that tensor ranks split evenly.

    Megatron-LM pads to a multiple of 128 for each rank; shards and crossings here take the least, a multiple of 1.

        V' = ⌈V / (k t)⌉ k t; k = multiple

    Args:
        vocabulary: tokens, V [1]
        tensor: ranks that share the embedding, t [1]
        multiple: of what each rank's part is, k [1]

    Returns:
        rows, those of padding included [1]

    Raises:
        ModelError: an input out of range

    Source:
        NVIDIA/Megatron-LM, megatron/training/tokenizer/tokenizer.py, _vocab_size_with_padding

    >>> padded_vocabulary(vocabulary=50257, tensor=8, multiple=128)
    51200
    """
    step = count("tensor", tensor) * count("multiple", multiple)
    return -(-count("vocabulary", vocabulary) // step) * step


def _reasons(model: Transformer, plan: Plan) -> Iterator[Refusal]:
    t, p, v, e, c = plan.tensor, plan.pipeline, plan.interleave, plan.expert, plan.context
    if t > 1:
        yield from _tensor_reasons(model, plan)
    pieces = p * v
    if model.layers % pieces and not plan.uneven:
        name = "pipeline × interleave" if v > 1 else "pipeline"
        yield _indivisible(name, pieces, "layers", model.layers, "pipeline", _layer_mends(model.layers, p, v))
    elif model.layers < pieces:
        yield Refusal(
            message=f"expected a layer or more on each stage, found {model.layers} layers on {p} stages",
            argument="pipeline",
            why="A stage without a layer would have nothing to do.",
            mends=_take("pipeline", model.layers),
        )
    if v > 1 and plan.accumulation % p:
        # The interleaved schedule runs microbatches in rounds of p.
        up = -(-plan.accumulation // p) * p
        mends = _take("accumulation", up)
        yield _indivisible("pipeline", p, "accumulation", plan.accumulation, "accumulation", mends)
    if e > 1 and not model.experts:
        yield Refusal(
            message=f"expected expert 1 for a model without experts, found {e}",
            argument="expert",
            why="Expert ranks split experts, and this model has none.",
            mends=_take("expert", 1),
        )
    elif model.experts and model.experts.count % e:
        mends = _degrees("expert", e, model.experts.count)
        yield _indivisible("expert", e, "experts", model.experts.count, "expert", mends)
    yield from _sequence_reasons(model.sequence, t if plan.sequence_parallel else 1, c)


def _tensor_reasons(model: Transformer, plan: Plan) -> Iterator[Refusal]:
    t = plan.tensor
    if model.heads % t:
        yield _indivisible("tensor", t, "heads", model.heads, "tensor", _degrees("tensor", t, model.heads))
    kv, copies = model.kv_heads, plan.replicate_kv and t % model.kv_heads == 0
    # Latent attention expands its latent to as many keys and values as heads.
    if kv != model.heads and not model.latent and kv % t and not copies:
        mends = _degrees("tensor", t, kv)
        refusal = _indivisible("tensor", t, "kv_heads", kv, "tensor", mends)
        if t % kv == 0:
            why = f"{refusal.why} With copies, each key and value head would be held by {t // kv} ranks."
            refusal = replace(refusal, why=why, mends=mends + _take("replicate_kv", True))
        yield refusal
    widths = [("ffn", model.ffn)] if model.dense_layers else []
    if model.experts:
        widths.append(("ffn of experts", model.experts.ffn))
    for name, width in widths:
        if width % t:
            yield _indivisible("tensor", t, name, width, "tensor", _degrees("tensor", t, width))


def _sequence_reasons(sequence: int, t: int, c: int) -> Iterator[Refusal]:
    # Each context rank takes an early and a late piece of the sequence, so that causal attention is even work.
    pieces = 2 * c if c > 1 else 1
    if sequence % pieces:
        yield Refusal(
            message=f"expected 2 · context to divide sequence, found {pieces} and {sequence}",
            argument="context",
            why="Each context rank takes an early and a late piece of the sequence, so that attention is even work.",
            mends=_take("sequence", -(-sequence // pieces) * pieces),
        )
    elif sequence // c % t:
        name = "context × tensor" if c > 1 else "tensor"
        step = pieces * t
        yield Refusal(
            message=f"expected {name} to divide sequence under sequence_parallel, found {c * t} and {sequence}",
            argument="sequence_parallel",
            why="Tensor ranks take equally many tokens outside of the matrices.",
            mends=_take("sequence", -(-sequence // step) * step) + _take("sequence_parallel", False),
        )


def _indivisible(
    divisor: str, one: int, what: str, other: int, argument: str, mends: tuple[Mend, ...]
) -> Refusal:
    message = f"expected {divisor} to divide {what}, found {one} and {other}"
    return Refusal(message=message, argument=argument, why=WHOLE[what], mends=mends)


def _take(name: str, *values: int | bool) -> tuple[Mend, ...]:
    """Return changes of one argument, one for each value."""
    return tuple(((name, value),) for value in values)


def _degrees(name: str, degree: int, whole: int) -> tuple[Mend, ...]:
    """Return the divisors of a whole that are next to a degree, below and above."""
    every = divisors(whole)
    below = max(other for other in every if other < degree)
    return _take(name, below, *[other for other in every if other > degree][:1])


def _layer_mends(layers: int, stages: int, chunks: int) -> tuple[Mend, ...]:
    if chunks > 1 and layers % stages == 0:
        return _degrees("interleave", chunks, layers // stages)
    if chunks > 1:
        below = next(other for other in range(min(stages, layers), 0, -1) if layers % other == 0)
        return ((("pipeline", below), ("interleave", 1)),)
    return _degrees("pipeline", stages, layers) + (_take("uneven", True) if layers > stages else ())
