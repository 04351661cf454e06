"""A number of the model as text, for hand-written pages."""

from collections.abc import Mapping

from labs.model.quantities.units import format_quantity, parse_quantity
from macros.model_calls import functions


def stated(call: str, inputs: Mapping[str, str | float]) -> str:
    """Return what a function of the model gives for quantities as people write them.

    Raises:
        ModelError: an input that the model refuses
        KeyError: no such function or argument

    >>> stated("ring_all_reduce_time", {"payload": "1 GB", "ranks": 32, "latency": "5 µs", "bandwidth": "100 GB/s"})
    '19.685 ms'
    """
    function = functions()[call]
    units = {argument.name: argument.unit or "1" for argument in function.arguments}
    values = {name: parse_quantity(str(value), units[name]) for name, value in inputs.items()}
    result = function.result
    return format_quantity(function.callable(**values), (result and result.unit) or "1")
