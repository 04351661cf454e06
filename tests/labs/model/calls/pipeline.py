"""Pipelines: the call that gives each published value."""

from labs.model.pipelines.bubble import (
    bubble_overhead,
    bubble_share,
    bubble_time,
    dual_pipe_bubble_time,
    zero_bubble_time,
)
from labs.model.pipelines.forms import layers_per_virtual_stage, microbatches_in_flight
from labs.model.quantities.units import convert


def overhead(p, m, v):
    return bubble_overhead(stages=p, microbatches=m, chunks=v)


def share(p, m):
    return bubble_share(stages=p, microbatches=m)


def virtual_stage(L, p, v):
    return layers_per_virtual_stage(layers=L, stages=p, chunks=v)


def in_ms(function, stages, **times):
    return convert(function(stages=stages, **{name: convert(ms, "ms", "s") for name, ms in times.items()}), "s", "ms")


CALLS = {
    "bubble-p8-m1-v1": overhead,
    "bubble-p8-m8-v1": overhead,
    "bubble-p8-m32-v1": overhead,
    "bubble-naive": lambda p: overhead(p, m=1, v=1),
    "bubble-fraction-total": share,
    "bubble-fraction-p4m8": lambda p, m: 100 * share(p, m),
    "bubble-1f1b-time": lambda PP, F, B: in_ms(bubble_time, PP, forward=F, backward=B),
    "bubble-zb1p-time": lambda PP, F, B, W: in_ms(zero_bubble_time, PP, forward=F, backward=B, weight=W),
    "bubble-dualpipe-time": lambda PP, FB, B, W: in_ms(dual_pipe_bubble_time, PP, overlapped=FB, backward=B, weight=W),
    "inflight-gpipe": lambda p, m: microbatches_in_flight(schedule="gpipe", stages=p, microbatches=m),
    "vstage-76B": virtual_stage,
    "vstage-145B": virtual_stage,
    "vstage-530B": virtual_stage,
}
