"""What an operation of a pipeline waits for, and why an order of them cannot be carried out."""

from collections import Counter
from collections.abc import Sequence

from labs.model.pipelines.orders import KINDS, Kind, Operation, StageOrder
from labs.model.quantities.errors import ModelError

Waiting = tuple[tuple[int, Operation], ...]


def needs(operation: Operation, stage: int, stages: int, chunks: int) -> Waiting:
    """Return the operations that must have ended before, each with its stage; layers pass stages, then chunks."""
    kind, microbatch, chunk = operation
    own = (stage, Operation("B" if kind == "W" else "F", microbatch, chunk))
    if kind == "W":
        return (own,)
    if kind == "F":
        if stage > 0:
            return ((stage - 1, operation),)
        return ((stages - 1, Operation("F", microbatch, chunk - 1)),) if chunk else ()
    if stage < stages - 1:
        return own, (stage + 1, operation)
    return (own, (0, Operation("B", microbatch, chunk + 1))) if chunk < chunks - 1 else (own,)


def whole(order: Sequence[Sequence[tuple[Kind, int, int]]]) -> tuple[StageOrder, ...]:
    """Return an order in which each stage has each operation once, or refuse the first that is not so."""
    stages = tuple(tuple(_operation(given) for given in stage) for stage in order)
    found = [operation for stage in stages for operation in stage]
    if not found:
        raise ModelError("expected an order of one operation or more, found none", argument="order")
    kinds: tuple[Kind, ...] = ("F", "B", "W") if any(kind == "W" for kind, _, _ in found) else ("F", "B")
    microbatches = 1 + max(microbatch for _, microbatch, _ in found)
    chunks = 1 + max(chunk for _, _, chunk in found)
    for number, stage in enumerate(stages):
        times = Counter(stage)
        if len(stage) == len(times) == len(kinds) * microbatches * chunks:
            continue
        every = (
            Operation(kind, microbatch, chunk)
            for kind in kinds
            for microbatch in range(microbatches)
            for chunk in range(chunks)
        )
        wrong = next(operation for operation in every if times[operation] != 1)
        raise ModelError(
            f"expected {_called(wrong, number, chunks)} once in the order, found it {times[wrong]} times",
            argument="order",
        )
    return stages


def _operation(given: tuple[Kind, int, int]) -> Operation:
    kind, microbatch, chunk = given if isinstance(given, tuple) and len(given) == 3 else ("", -1, -1)
    if kind not in KINDS or type(microbatch) is not int or type(chunk) is not int or min(microbatch, chunk) < 0:
        raise ModelError(
            "expected operations such as ('F', 0, 0): F, B or W, a microbatch and a chunk, found another",
            argument="order",
        )
    return Operation(kind, microbatch, chunk)


def stuck(stages: Sequence[StageOrder], at: Sequence[int], chunks: int) -> ModelError:
    """Return why nothing more can run, given how far each stage came: who waits for what, in a circle."""
    p = len(stages)
    ended = [set(stage[:done]) for stage, done in zip(stages, at, strict=True)]
    stage = next(number for number in range(p) if at[number] < len(stages[number]))
    chain: list[tuple[int, str]] = []
    while stage not in [seen for seen, _ in chain]:
        operation = stages[stage][at[stage]]
        other, needed = next(
            (other, needed) for other, needed in needs(operation, stage, p, chunks) if needed not in ended[other]
        )
        before, after = _called(needed, other, chunks), _called(operation, stage, chunks)
        if other == stage:
            return ModelError(f"expected {before} before {after}, found it after", argument="order")
        chain.append((stage, f"{after} needs {before}"))
        stage = other
    circle = chain[[seen for seen, _ in chain].index(stage) :]
    found = ", and ".join(waits for _, waits in circle)
    return ModelError(f"expected an order without a circle of waits, found that {found}", argument="order")


def _called(operation: Operation, stage: int, chunks: int) -> str:
    chunk = f", chunk {operation.chunk}" if chunks > 1 else ""
    return f"{operation.kind} of microbatch {operation.microbatch}{chunk} on stage {stage}"
