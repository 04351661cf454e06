"""The plans that a search goes through: splits of a model over all devices, and the ways to run a step of each."""

from collections.abc import Iterator

from labs.model.plans.plan import Plan
from labs.model.transformers.transformer import Transformer

MICROBATCHES = (1, 2, 4, 8, 16)
LARGEST_TENSOR = 64
LARGEST_INTERLEAVE = 8
TOKENS_OF_A_CONTEXT_RANK = 4096  # fewer, and attention is too little work to send keys and values for
# A step's time spreads work evenly over stages, so stages must not differ by more than embedding and head make up for.
FULLEST_STAGE = 1.1


def splits(model: Transformer, devices: int, sequences: int) -> Iterator[Plan]:
    """Yield every plan that is tried, also those that a model or a batch makes impossible."""
    for t in _divisors(devices, LARGEST_TENSOR):
        copies = not model.latent and t > model.kv_heads
        for c in _contexts(model, devices // t):
            for p in _divisors(devices // (t * c), model.layers):
                d = devices // (t * c * p)
                for e in _divisors(model.experts.count, d * c) if model.experts else (1,):
                    if (d * c) % e == 0:
                        yield from _runs(model, sequences, t, c, p, d, e, copies)


def lopsided(model: Transformer, plan: Plan) -> str:
    """Return why stages differ too much to be tried, or nothing."""
    most, average = -(-model.layers // plan.pipeline), model.layers / plan.pipeline
    if most <= FULLEST_STAGE * average:
        return ""
    return (
        "expected the fullest stage to hold about as many layers as the average, "
        f"found {most} and {average:.3g} on {plan.pipeline} stages"
    )


def _runs(
    model: Transformer, sequences: int, t: int, c: int, p: int, d: int, e: int, copies: bool
) -> Iterator[Plan]:
    """Yield the ways to run a step of a split."""
    each = max(1, sequences // d)  # sequences of a replica
    uneven = model.layers % p > 0
    chunks = (1,) if uneven or p == 1 else _divisors(model.layers // p, LARGEST_INTERLEAVE)
    for b in MICROBATCHES:
        if b > each:
            return
        for v in chunks:
            yield Plan(
                tensor=t,
                context=c,
                pipeline=p,
                data=d,
                expert=e,
                microbatch=b,
                accumulation=each // b,
                interleave=v,
                sequence_parallel=t > 1,
                uneven=uneven,
                replicate_kv=copies,
            )


def _contexts(model: Transformer, devices: int) -> tuple[int, ...]:
    most = max(1, model.sequence // TOKENS_OF_A_CONTEXT_RANK)
    return tuple(c for c in _divisors(devices, most) if c & (c - 1) == 0)


def _divisors(number: int, most: int) -> tuple[int, ...]:
    return tuple(divisor for divisor in range(1, min(number, most) + 1) if number % divisor == 0)
