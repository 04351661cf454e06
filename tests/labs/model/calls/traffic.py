"""Traffic of the parallelisms: the call that gives each published value."""

from labs.model.crossings import crossings
from labs.model.parameters import parameters
from labs.model.plan import Plan
from labs.model.ring import ring_all_reduce_bytes_per_rank
from labs.model.transformer import gpt


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


CALLS = {
    "zero-comm-12": lambda P: volume(1),
    "zero-comm-3": lambda P: volume(3),
    "tp-payload-gpt3": payload,
    "tp-bytes-layer-gpt3": layer_bytes,
    "tp-sp-same-bytes": sequence_parallel_share,
    "pp-payload-scatter": boundary,
    "dp-grad-bytes-7.5B": lambda P, d: ring_all_reduce_bytes_per_rank(payload=2 * P, ranks=d),
}
