"""One step on one device: tasks on streams, their waits, and the buffers that they must not disturb."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from labs.model.quantities.inputs import outcome
from labs.model.timelines.tasks import COMPUTE, Task, refuse_races, waits


class TimedTask(NamedTuple):
    """A task as it ran.

    Attributes:
        name: of the task
        stream: that it ran on
        start: since the step began [s]
        end: since the step began [s]
    """

    name: str
    stream: str
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A step of computation and communication on several streams.

    Attributes:
        tasks: as they ran, in the order given
        step_time: until the last task has ended [s]
        compute: time of all tasks on the stream compute [s]
        communication: time of all tasks on the other streams [s]
        exposed: time in which the device computes nothing: what communication adds to the step [s]
    """

    tasks: tuple[TimedTask, ...]
    step_time: float
    compute: float
    communication: float
    exposed: float


def simulate_timeline(*, tasks: tuple[Task, ...]) -> Timeline:
    """Return a step in which each stream runs its tasks in the order given, each as soon as its waits are over.

        start = max(end of the task before on the stream, ends of the tasks that it waits for)

    The step lies between its busiest stream and the sum of all tasks. Where no wait keeps a buffer from being read or
    overwritten too early, the schedule is refused, also if with these times all would go well.

    Args:
        tasks: in the order in which they are issued

    Returns:
        the attributes of Timeline

    Raises:
        ModelError: an input out of range, waits in a circle, or a buffer that a missing wait leaves unprotected

    Source:
        NVIDIA, CUDA C++ Programming Guide, "Streams" and "Events" (order within a stream, waits between streams)

    >>> tasks = (
    ...     Task(name="backward", stream="compute", duration=3.0),
    ...     Task(name="reduce", stream="network", duration=2.0, after=("backward",)),
    ...     Task(name="next", stream="compute", duration=1.5),
    ... )
    >>> step = simulate_timeline(tasks=tasks)
    >>> step.step_time, step.exposed
    (5.0, 0.5)
    """
    before = waits(tasks)
    refuse_races(tasks, before)
    ends: dict[str, float] = {}
    timed: dict[str, TimedTask] = {}
    for name in before.order:
        task = before.tasks[name]
        start = max((ends[other] for other in before.direct[name]), default=0.0)
        ends[name] = start + task.duration
        timed[name] = TimedTask(name, task.stream, start, ends[name])
    step = outcome("time", max(ends.values(), default=0.0), "s")
    computing = [timed[task.name] for task in tasks if task.stream == COMPUTE]
    # Gaps one by one, and not the step less a sum: without a gap nothing is exposed, to the last digit.
    gaps = (later.start - earlier.end for earlier, later in pairwise(computing))
    exposed = computing[0].start + sum(gaps) + step - computing[-1].end if computing else step
    return Timeline(
        tasks=tuple(timed[task.name] for task in tasks),
        step_time=step,
        compute=sum(task.duration for task in tasks if task.stream == COMPUTE),
        communication=sum(task.duration for task in tasks if task.stream != COMPUTE),
        exposed=exposed,
    )
