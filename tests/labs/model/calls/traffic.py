"""Traffic of the parallelisms: the call that gives each published value."""

from labs.model.ring import ring_all_reduce_bytes_per_rank
from labs.model.roofline import (
    best_data_ranks,
    data_parallel_critical_batch,
    data_parallel_limit,
    mixed_critical_batch,
    tensor_parallel_limit,
)


def critical_tokens(C, W):
    return data_parallel_critical_batch(compute=C, bandwidth=W)


def mixed_tokens(a, F):
    """Return the critical batch for a critical intensity a, two axes for data and one for tensors."""
    return mixed_critical_batch(compute=a, bandwidth=1, ffn=F, data_axes=2)


CALLS = {
    "tp-bytes-layer-gpt3": lambda b, s, h, t: 4 * ring_all_reduce_bytes_per_rank(payload=2 * b * s * h, ranks=t),
    "dp-grad-bytes-7.5B": lambda P, d: ring_all_reduce_bytes_per_rank(payload=2 * P, ranks=d),
    "sb-dp-v5p": critical_tokens,
    "sb-dp-v5p-3axes": lambda x, n: data_parallel_critical_batch(compute=x, bandwidth=1, axes=n),
    "sb-dp-chips": lambda x, n: data_parallel_limit(batch=16e6, compute=x, bandwidth=1, axes=n),
    "sb-xopt": lambda B, F, r, N: best_data_ranks(batch=B, ffn=F, devices=N, data_axes=r),
    "sb-mixed-limit": mixed_tokens,
    "sb-mixed-limit-70b": mixed_tokens,
    "sb-h100-dp-node": critical_tokens,
    "sb-h100-dp-net": critical_tokens,
    "sb-b200-dp-net": critical_tokens,
    "sb-h100-tp": lambda F, x: tensor_parallel_limit(ffn=F, compute=x, bandwidth=1),
}
