"""Traffic of the parallelisms: the call that gives each published value."""

from labs.model.boundaries.training_step import crossings
from labs.model.collectives.ring import ring_all_reduce_bytes_per_rank
from labs.model.machines.roofline import (
    best_data_ranks,
    data_parallel_critical_batch,
    data_parallel_limit,
    mixed_critical_batch,
    tensor_parallel_limit,
)
from labs.model.plans.plan import Plan
from labs.model.transformers.parameter_count import parameters
from labs.model.transformers.transformer import gpt


def of_a_layer(t=8, b=1, s=2048, h=12288, split=False):
    """What tensor ranks exchange in one layer, what is gathered only to save memory apart."""
    found = crossings(
        model=gpt(hidden=h, layers=1, heads=h // 128, sequence=s),
        plan=Plan(tensor=t, microbatch=b, sequence_parallel=split),
    )
    return [
        crossing
        for crossing in found
        if crossing.where == "every stage" and crossing.phase != "step" and "again" not in crossing.name
    ]


def payload(b, s, h):
    (size,) = {crossing.payload for crossing in of_a_layer(b=b, s=s, h=h)}
    return size


def layer_bytes(b, s, h, t):
    return sum(crossing.bytes_per_step for crossing in of_a_layer(t, b, s, h))


def sequence_parallel_share(t):
    return sum(one.sent for one in of_a_layer(t, split=True)) / sum(one.sent for one in of_a_layer(t))


def volume(zero):
    """Elements that a rank sends in a step, by parameters, of ever more ranks."""
    model = gpt(hidden=4096, layers=36, heads=32)
    found = crossings(model=model, plan=Plan(data=2**40, zero=zero))
    return round(sum(one.bytes_per_step for one in found) / 2 / parameters(model=model).total, 9)


def boundary(b, s, h, t):
    found = crossings(
        model=gpt(hidden=h, layers=2, heads=h // 128, sequence=s),
        plan=Plan(tensor=t, pipeline=2, microbatch=b, sequence_parallel=True),
    )
    (size,) = {crossing.payload for crossing in found if crossing.axis == "pipeline" and crossing.operation == "send"}
    return size


def critical_tokens(C, W):
    return data_parallel_critical_batch(compute=C, bandwidth=W)


def mixed_tokens(a, F):
    """Return the critical batch for a critical intensity a, two axes for data and one for tensors."""
    return mixed_critical_batch(compute=a, bandwidth=1, ffn=F, data_axes=2)


CALLS = {
    "zero-comm-12": lambda P: volume(1),
    "zero-comm-3": lambda P: volume(3),
    "tp-payload-gpt3": payload,
    "tp-bytes-layer-gpt3": layer_bytes,
    "tp-sp-same-bytes": sequence_parallel_share,
    "pp-payload-scatter": boundary,
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
