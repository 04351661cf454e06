"""The times of a pipeline's passes as the lab's inputs give them, and what is known of its step in closed form."""

from collections.abc import Mapping
from typing import Any

from labs.model.pipelines.bubble import bubble_overhead, zero_bubble_time
from labs.model.pipelines.forms import pipeline_step_time
from labs.model.quantities.inputs import positive, share

Inputs = Mapping[str, Any]
Stages = tuple[float, ...]


def times(inputs: Inputs) -> tuple[float, float, float]:
    """Return forward, backward and the weights' part of it, of a stage that is not slower."""
    positive("slow", inputs["slow"], "1")
    backward = positive("backward", inputs["backward"], "s")
    return positive("forward", inputs["forward"], "s"), backward, share("weight", inputs["weight"]) * backward


def slow_place(inputs: Inputs) -> int:
    """Return which stage is the slower one, from 0."""
    p = int(inputs["stages"])
    return {"first": 0, "middle": p // 2, "last": p - 1}[inputs["slow_stage"]]


def times_of(inputs: Inputs) -> tuple[Stages, Stages, Stages]:
    """Return forward, backward and the weights' part of it, of each stage: only for as many as are simulated."""
    slow = slow_place(inputs)
    factors = [float(inputs["slow"]) if stage == slow else 1.0 for stage in range(inputs["stages"])]
    forward, backward, weight = (tuple(time * factor for factor in factors) for time in times(inputs))
    return forward, backward, weight


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
