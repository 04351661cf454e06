"""The collective operations, by the names that people and logs give them."""

from typing import Literal, get_args

from labs.model.quantities.errors import ModelError, nearest, shown

Operation = Literal["all-reduce", "reduce-scatter", "all-gather", "broadcast", "reduce", "all-to-all", "send-recv"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)


def known_operation(operation: object) -> Operation:
    """Return an operation that the model knows, or refuse."""
    for known in OPERATIONS:
        if operation == known:
            return known
    hint = nearest(operation, dict.fromkeys(OPERATIONS)) if isinstance(operation, str) else None
    raise ModelError(
        f"expected operation to be one of {', '.join(OPERATIONS)}, found {shown(operation)}",
        argument="operation",
        hint=hint,
    )
