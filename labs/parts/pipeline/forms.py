"""The times of a pipeline's passes as the lab's inputs give them, and what is known of its step in closed form."""

from collections.abc import Mapping
from typing import Any

from labs.model.pipelines.bubble import bubble_overhead, zero_bubble_time
from labs.model.pipelines.forms import pipeline_step_time
from labs.model.quantities.inputs import positive, share

Inputs = Mapping[str, Any]
Stages = tuple[float, ...]


def times_of(inputs: Inputs) -> tuple[Stages, Stages, Stages]:
    """Return forward, backward and the weights' part of it, of each stage."""
    p = inputs["stages"]
    slow = {"first": 0, "middle": p // 2, "last": p - 1}[inputs["slow_stage"]]
    factors = [positive("slow", inputs["slow"], "1") if stage == slow else 1.0 for stage in range(p)]
    f, b = positive("forward", inputs["forward"], "s"), positive("backward", inputs["backward"], "s")
    w = share("weight", inputs["weight"]) * b
    return tuple(f * k for k in factors), tuple(b * k for k in factors), tuple(w * k for k in factors)


def closed_time(inputs: Inputs, schedule: str) -> float | None:
    """Return the step of a schedule where a closed form gives it: of equal stages, mostly without delay."""
    p, m = int(inputs["stages"]), int(inputs["microbatches"])
    f, b, d = float(inputs["forward"]), float(inputs["backward"]), float(inputs["delay"])
    v = inputs["chunks"] if schedule == "interleaved" else 1
    if inputs["slow"] != 1 or (schedule == "interleaved" and (m % p or (v > 1 and d > min(f, b) / v))):
        return None
    if schedule in ("1f1b", "interleaved"):
        return pipeline_step_time(stages=p, microbatches=m, forward=f, backward=b, chunks=v, delay=d)
    overhead = closed_overhead(inputs, schedule)
    return None if overhead is None else m * (f + b) * (1 + overhead)


def closed_overhead(inputs: Inputs, schedule: str) -> float | None:
    """Return idle over working time where a closed form gives it: of equal stages without delay."""
    p, m, f, b = int(inputs["stages"]), int(inputs["microbatches"]), float(inputs["forward"]), float(inputs["backward"])
    if inputs["slow"] != 1 or inputs["delay"] or (schedule == "interleaved" and m % p):
        return None
    if schedule != "zb-h1":
        return bubble_overhead(stages=p, microbatches=m, chunks=inputs["chunks"] if schedule == "interleaved" else 1)
    w = float(inputs["weight"]) * b
    if m < p or w > f or w > (b - w) * (1 + 1e-12):
        return None
    return zero_bubble_time(stages=p, forward=f, backward=b, weight=w) / (m * (f + b))
