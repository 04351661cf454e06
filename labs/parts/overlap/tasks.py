"""The overlap lab's steps as tasks, and an exchange moved within them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labs.model.collectives.coarse import coarse_communication_time
from labs.model.collectives.ring import ring_all_reduce_time
from labs.model.quantities.inputs import count, positive
from labs.model.timelines.step_tasks import NETWORK, gradient_reduction_tasks, sharded_parameter_tasks
from labs.model.timelines.tasks import COMPUTE, Read, Task

Inputs = Mapping[str, Any]
Tasks = tuple[Task, ...]

LAYERS = 16  # each is drawn, and each size of a bucket is tried


def tasks_of(inputs: Inputs) -> Tasks:
    """Return the step as its mode has it, nothing moved."""
    if inputs["mode"] == "collective":
        return _one_collective(inputs)
    layers, compute, payload = count("layers", inputs["layers"], at_most=LAYERS), inputs["compute"], inputs["payload"]
    reduced = ring_all_reduce_time(
        payload=payload, ranks=inputs["ranks"], latency=inputs["latency"], bandwidth=inputs["bandwidth"]
    )
    if inputs["mode"] == "prefetch":
        # A ring's all-reduce is a reduce-scatter and an all-gather of the same length.
        return sharded_parameter_tasks(
            layers=layers,
            forward=compute,
            backward=2 * compute,
            gather=reduced / 2,
            scatter=reduced / 2,
            buffers=inputs["buffers"],
        )
    positive("size", inputs["size"], "byte")  # a bucket's, in the field's own name
    return gradient_reduction_tasks(
        backward=(compute,) * layers,
        gradients=(payload,) * layers,
        ranks=inputs["ranks"],
        latency=inputs["latency"],
        bandwidth=inputs["bandwidth"],
        bucket=inputs["size"],
        first_bucket=inputs["size"],
    )


def _one_collective(inputs: Inputs) -> Tasks:
    """Return one collective beside one piece of compute: what it needs of it, or what needs it."""
    duration = coarse_communication_time(
        phases=inputs["phases"], latency=inputs["latency"], payload=inputs["payload"], bandwidth=inputs["bandwidth"]
    )
    compute = Task(name="compute", stream=COMPUTE, duration=inputs["compute"], writes=("output",))
    exchange = Task(name="collective", stream=NETWORK, duration=duration, writes=("result",))
    if inputs["needs"] == "result":
        compute = replace(compute, after=("collective",), reads=(Read("result", "collective"),))
        return exchange, compute
    if inputs["needs"] == "output":
        exchange = replace(exchange, after=("compute",), reads=(Read("output", "compute"),))
    return compute, exchange


def exchanges(tasks: Tasks) -> list[Task]:
    """Return the tasks of the network, in their order."""
    return [task for task in tasks if task.stream == NETWORK]


def moved(tasks: Tasks, number: int, later: int) -> tuple[Tasks, int]:
    """Return the step with one exchange that waits for a piece of compute so many places later, or earlier.

    The order on the network stays: what stands behind it waits too. Before the first piece of compute and behind the
    last one there is no place left, so the second result is by how many places it really moved.
    """
    order = [task.name for task in tasks if task.stream == COMPUTE]
    exchange = exchanges(tasks)[number]
    now = max((order.index(name) for name in exchange.after), default=-1)
    then = max(-1, min(now + later, len(order) - 1))
    if then == now:
        return tasks, 0
    changed = replace(exchange, after=(order[then],) if then >= 0 else ())
    return tuple(changed if task is exchange else task for task in tasks), then - now
