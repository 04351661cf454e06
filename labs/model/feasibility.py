"""Why a plan is impossible for a model, and what would make it possible."""

from collections.abc import Iterator

from labs.model.errors import ModelError
from labs.model.inputs import count
from labs.model.plan import Plan
from labs.model.transformer import Transformer


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

    >>> from labs.model.transformer import gpt
    >>> refusals(model=gpt(hidden=1024, layers=24, heads=16), plan=Plan(tensor=32))
    ('expected tensor to divide heads, found 32 and 16 (take tensor 16)',)
    """
    return tuple(str(reason) for reason in _reasons(model, plan))


def require_possible(model: Transformer, plan: Plan) -> None:
    """Refuse a plan that is impossible for a model, with the first reason."""
    for reason in _reasons(model, plan):
        raise reason


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


def _reasons(model: Transformer, plan: Plan) -> Iterator[ModelError]:
    t, p, v, e, c = plan.tensor, plan.pipeline, plan.interleave, plan.expert, plan.context
    if t > 1:
        yield from _tensor_reasons(model, plan)
    pieces = p * v
    if model.layers % pieces and not plan.uneven:
        hint = _layer_hint(model.layers, p, v)
        name = "pipeline × interleave" if v > 1 else "pipeline"
        yield _indivisible(name, pieces, "layers", model.layers, "pipeline", hint)
    elif model.layers < pieces:
        yield ModelError(
            f"expected a layer or more on each stage, found {model.layers} layers on {p} stages",
            argument="pipeline",
            hint=f"take pipeline {model.layers}",
        )
    if v > 1 and plan.accumulation % p:
        # The interleaved schedule runs microbatches in rounds of p.
        up = -(-plan.accumulation // p) * p
        yield _indivisible("pipeline", p, "accumulation", plan.accumulation, "accumulation", f"take accumulation {up}")
    if e > 1 and not model.experts:
        yield ModelError(
            f"expected expert 1 for a model without experts, found {e}", argument="expert", hint="take expert 1"
        )
    elif model.experts and model.experts.count % e:
        hint = _degree_hint("expert", e, model.experts.count)
        yield _indivisible("expert", e, "experts", model.experts.count, "expert", hint)
    yield from _sequence_reasons(model.sequence, t if plan.sequence_parallel else 1, c)


def _tensor_reasons(model: Transformer, plan: Plan) -> Iterator[ModelError]:
    t = plan.tensor
    if model.heads % t:
        yield _indivisible("tensor", t, "heads", model.heads, "tensor", _degree_hint("tensor", t, model.heads))
    kv, copies = model.kv_heads, plan.replicate_kv and t % model.kv_heads == 0
    # Latent attention expands its latent to as many keys and values as heads.
    if kv != model.heads and not model.latent and kv % t and not copies:
        hint = _degree_hint("tensor", t, kv)
        if t % kv == 0:
            hint += ", or replicate_kv"
        yield _indivisible("tensor", t, "kv_heads", kv, "tensor", hint)
    widths = [("ffn", model.ffn)] if model.dense_layers else []
    if model.experts:
        widths.append(("ffn of experts", model.experts.ffn))
    for name, width in widths:
        if width % t:
            yield _indivisible("tensor", t, name, width, "tensor", _degree_hint("tensor", t, width))


def _sequence_reasons(sequence: int, t: int, c: int) -> Iterator[ModelError]:
    # Each context rank takes an early and a late piece of the sequence, so that causal attention is even work.
    pieces = 2 * c if c > 1 else 1
    if sequence % pieces:
        yield ModelError(
            f"expected 2 · context to divide sequence, found {pieces} and {sequence}",
            argument="context",
            hint=f"take sequence {-(-sequence // pieces) * pieces}",
        )
    elif sequence // c % t:
        name = "context × tensor" if c > 1 else "tensor"
        step = pieces * t
        yield ModelError(
            f"expected {name} to divide sequence under sequence_parallel, found {c * t} and {sequence}",
            argument="sequence_parallel",
            hint=f"take sequence {-(-sequence // step) * step}, or sequence_parallel off",
        )


def _indivisible(divisor: str, one: int, what: str, other: int, argument: str, hint: str) -> ModelError:
    return ModelError(f"expected {divisor} to divide {what}, found {one} and {other}", argument=argument, hint=hint)


def _degree_hint(name: str, degree: int, whole: int) -> str:
    """Return the divisors of a whole that are next to a degree, below and above."""
    below = next(other for other in range(min(degree - 1, whole), 0, -1) if whole % other == 0)
    above = next((other for other in range(degree + 1, whole + 1) if whole % other == 0), None)
    return f"take {name} {below}" + (f" or {above}" if above else "")


def _layer_hint(layers: int, stages: int, chunks: int) -> str:
    if chunks > 1 and layers % stages == 0:
        return _degree_hint("interleave", chunks, layers // stages)
    if chunks > 1:
        below = next(other for other in range(stages, 0, -1) if layers % other == 0)
        return f"take pipeline {below} and interleave 1"
    return _degree_hint("pipeline", stages, layers) + (", or uneven" if layers > stages else "")
