"""Gradients merged into buckets, so that few large exchanges take the place of many small ones."""

from math import ceil

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount, outcome, positive

# What libraries call MB here is 2**20 byte.
DDP_BUCKET = 25 * 2**20
DDP_FIRST_BUCKET = 2**20
# As in the code; the documentation still states the 64 MB of old releases.
HOROVOD_FUSION_BUFFER = 128 * 2**20


def bucket_count(*, payload: float, bucket: float) -> int:
    """Return the buckets that hold a payload which may be cut anywhere.

        n = ⌈M / b⌉

    Args:
        payload: all gradients, M [byte]
        bucket: size of a full one, b [byte]

    Returns:
        buckets [1]

    Raises:
        ModelError: an input out of range

    Source:
        PyTorch, torch/nn/parallel/distributed.py (bucket_cap_mb, 25); Horovod, horovod/common/operations.cc (128 MiB)

    >>> bucket_count(payload=350e6, bucket=25e6)
    14
    """
    return ceil(outcome("count", amount("payload", payload, "byte") / positive("bucket", bucket, "byte"), "1"))


def gradient_buckets(
    *, gradients: tuple[float, ...], bucket: float = DDP_BUCKET, first_bucket: float = DDP_FIRST_BUCKET
) -> tuple[tuple[int, ...], ...]:
    """Return which gradients share a bucket, as PyTorch's DDP merges them: the last layers' first, none cut in two.

    The gradient that fills a bucket closes it, so it may exceed its size; a small first one is reduced early.

        bucket k = the fewest next gradients with a sum ≥ b (b₀ for the first)

    Args:
        gradients: bytes of each, in the order of the forward pass
        bucket: size that closes a bucket, b [byte]
        first_bucket: size that closes the first one, b₀ [byte]

    Returns:
        for each bucket, in the order of their reduction, the places of its gradients in the list given

    Raises:
        ModelError: an input out of range

    Source:
        PyTorch, torch/csrc/distributed/c10d/reducer.cpp (compute_bucket_assignment_by_size) and reducer.hpp

    >>> gradient_buckets(gradients=(20e6, 20e6, 20e6, 2e6))
    ((3,), (2, 1), (0,))
    """
    sizes = [amount("gradients", size, "byte") for size in gradients]
    if not sizes:
        raise ModelError("expected one gradient or more, found none", argument="gradients")
    limit, later = positive("first_bucket", first_bucket, "byte"), positive("bucket", bucket, "byte")
    buckets: list[tuple[int, ...]] = []
    filling: list[int] = []
    for place in reversed(range(len(sizes))):
        filling.append(place)
        if sum(sizes[member] for member in filling) >= limit:
            buckets.append(tuple(filling))
            filling, limit = [], later
    if filling:
        buckets.append(tuple(filling))
    return tuple(buckets)
