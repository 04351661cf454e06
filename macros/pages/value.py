"""A number of the model as text, for hand-written pages."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from labs.model.quantities.units import format_quantity
from macros.cards.calls import Refused, made
from macros.pages.written import Misused


def stated(call: str, inputs: Mapping[str, str | float]) -> str:
    """Return what a function of the model gives for quantities as people write them.

    Raises:
        Misused: no such function or argument, or an input that the model refuses

    >>> stated("ring_all_reduce_time", {"payload": "1 GB", "ranks": 32, "latency": "5 µs", "bandwidth": "100 GB/s"})
    '19.685 ms'
    """
    try:
        given = {name: value if isinstance(value, str) else Decimal(str(value)) for name, value in inputs.items()}
        result = made(call, given, None, ())
    except InvalidOperation:
        raise Misused(f"expected inputs that are numbers or quantities in quotes, found {inputs}") from None
    except Refused as refused:
        first = refused.findings[0]
        raise Misused(first.message, first.hint) from None
    return format_quantity(result.value, result.unit)
