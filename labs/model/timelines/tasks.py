"""Tasks on streams: what each waits for, and which buffers that leaves unprotected."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from labs.model.quantities.errors import ModelError
from labs.model.quantities.inputs import amount

COMPUTE = "compute"


class Read(NamedTuple):
    """What a task reads: a buffer, as one task has left it.

    Attributes:
        buffer: its name
        writer: the task whose values are meant, or None for what the buffer held as the step began
    """

    buffer: str
    writer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A piece of computation or one exchange.

    What a schedule waits for (after) and what the data demand (reads and writes) are two things: a schedule is valid
    where the first keeps the second safe.

    Attributes:
        name: not that of any other task
        stream: compute, or any other name for a stream of communication; tasks of a stream run one after another
        duration: from start to end [s]
        after: tasks on other streams that must have ended before
        reads: buffers, each with the task that wrote what is meant
        writes: buffers that it writes as a whole
    """

    name: str
    stream: str
    duration: float
    after: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    writes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        amount(f"duration of {self.name}", self.duration, "s")


@dataclass(frozen=True, slots=True)
class Waits:
    """Tasks by name; what each waits for directly; an order in which they may run; a bit set of all that is before."""

    tasks: Mapping[str, Task]
    direct: Mapping[str, tuple[str, ...]]
    order: tuple[str, ...]
    bit: Mapping[str, int]
    earlier: Mapping[str, int]

    def is_before(self, one: str, other: str) -> bool:
        """Return whether one task has always ended when the other starts."""
        return bool(self.earlier[other] & self.bit[one])


def waits(tasks: Iterable[Task]) -> Waits:
    """Return what each task waits for, or refuse waits that can never end."""
    named: dict[str, Task] = {}
    direct: dict[str, tuple[str, ...]] = {}
    last: dict[str, str] = {}
    for task in tasks:
        if task.name in named:
            raise ModelError(f"expected each task once, found {task.name} again", argument="tasks")
        named[task.name] = task
        direct[task.name] = (*((last[task.stream],) if task.stream in last else ()), *task.after)
        last[task.stream] = task.name
    for name, others in direct.items():
        for other in others:
            if other not in named:
                raise ModelError(f"expected {name} to wait for a task, found no {other}", argument="tasks")
    order = _sorted(direct)
    bit = {name: 1 << number for number, name in enumerate(order)}
    earlier: dict[str, int] = {}
    for name in order:
        earlier[name] = 0
        for other in direct[name]:
            earlier[name] |= earlier[other] | bit[other]
    return Waits(named, direct, order, bit, earlier)


def refuse_races(tasks: Iterable[Task], before: Waits) -> None:
    """Refuse a schedule that reads a buffer before it is written, or overwrites it while it is in use."""
    writers: dict[str, list[str]] = {}
    for task in tasks:
        for buffer in task.writes:
            writers.setdefault(buffer, []).append(task.name)
    for task in tasks:
        for buffer, writer in task.reads:
            if writer is not None and writer not in writers.get(buffer, ()):
                raise ModelError(f"expected {task.name} to read {buffer} of a task that writes it, found {writer}")
            if writer is not None and not before.is_before(writer, task.name):
                raise _race(f"{task.name} to wait for {writer}, which writes {buffer} that it reads")
            for other in writers.get(buffer, ()):
                replaced = other != writer and (writer is None or before.is_before(writer, other))
                if replaced and other != task.name and not before.is_before(task.name, other):
                    raise _race(f"{other} to wait for {task.name}, which reads {buffer} that it overwrites")
    for buffer, names in writers.items():
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                if not before.is_before(one, other) and not before.is_before(other, one):
                    raise _race(f"{other} to wait for {one}, as both write {buffer}")


def _race(missing: str) -> ModelError:
    return ModelError(f"expected {missing}, found no such wait", argument="tasks")


def _sorted(direct: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    order: list[str] = []
    left = {name: set(others) for name, others in direct.items()}
    waiting: dict[str, list[str]] = {name: [] for name in direct}
    for name, others in left.items():
        for other in others:
            waiting[other].append(name)
    ready = [name for name, others in left.items() if not others]
    while ready:
        name = ready.pop()
        order.append(name)
        for other in waiting[name]:
            left[other].discard(name)
            if not left[other]:
                ready.append(other)
    if len(order) < len(direct):
        raise _circle({name: others for name, others in left.items() if others})
    return tuple(order)


def _circle(left: Mapping[str, set[str]]) -> ModelError:
    chain = [next(iter(left))]
    while chain[-1] not in chain[:-1]:
        chain.append(min(left[chain[-1]]))
    circle = chain[chain.index(chain[-1]) :]
    found = " waits for ".join(circle)
    return ModelError(f"expected waits that can end, found that {found}", argument="tasks")
