"""Traffic of the parallelisms: the call that gives each published value."""

from labs.model.ring import ring_all_reduce_bytes_per_rank

CALLS = {
    "tp-bytes-layer-gpt3": lambda b, s, h, t: 4 * ring_all_reduce_bytes_per_rank(payload=2 * b * s * h, ranks=t),
    "dp-grad-bytes-7.5B": lambda P, d: ring_all_reduce_bytes_per_rank(payload=2 * P, ranks=d),
}
