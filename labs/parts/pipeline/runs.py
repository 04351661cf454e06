"""The pipeline lab's simulated steps: of as many schedules as a moving slider leaves time for."""

from collections.abc import Iterable
from typing import cast

from labs.model.pipelines.orders import Schedule, pipeline_order
from labs.model.pipelines.run import PipelineRun, simulate_pipeline
from labs.parts.pipeline.forms import Inputs, closed_time, times_of

# An operation takes about 4 µs here, and four times as long in a browser: of one schedule, and of all in a frame.
SIMULATED, TOGETHER = 2048, 6000

Runs = dict[str, PipelineRun | None]


def operations(inputs: Inputs, schedule: str) -> int:
    """Return how many operations a step of a schedule has."""
    chunks = inputs["chunks"] if schedule == "interleaved" else 1
    return int(inputs["stages"] * inputs["microbatches"] * chunks * (3 if schedule == "zb-h1" else 2))


def impossible(inputs: Inputs, schedule: str) -> str:
    """Return why a schedule cannot be, or nothing."""
    p, m = inputs["stages"], inputs["microbatches"]
    if schedule == "interleaved" and m % p:
        return f"expected microbatches to be a multiple of stages, found {m} and {p}"
    return ""


def runs_of(inputs: Inputs, schedules: Iterable[str]) -> Runs:
    """Return the run of each schedule that is simulated: the chosen one, then those without a closed form, then others.

    None stands for what is impossible or has too many operations.
    """
    possible = [schedule for schedule in schedules if not impossible(inputs, schedule)]
    chosen = inputs["schedule"]
    possible.sort(key=lambda each: (each != chosen, closed_time(inputs, each) is not None, operations(inputs, each)))
    runs: Runs = dict.fromkeys(schedules)
    left = TOGETHER
    for schedule in possible:
        size = operations(inputs, schedule)
        if size <= min(SIMULATED, left):
            runs[schedule] = _run(inputs, schedule)
            left -= size
    return runs


def _run(inputs: Inputs, schedule: str) -> PipelineRun:
    forward, backward, weight = times_of(inputs)
    order = pipeline_order(
        schedule=cast(Schedule, schedule),
        stages=inputs["stages"],
        microbatches=inputs["microbatches"],
        chunks=inputs["chunks"] if schedule == "interleaved" else 1,
    )
    return simulate_pipeline(order=order, forward=forward, backward=backward, weight=weight, delay=inputs["delay"])
