import inspect
from typing import get_type_hints

import labs.model
from labs.model.quantities.units import KINDS
from macros.model_calls import describe, functions


def documented(*, payload: float, ranks: int = 2) -> float:
    """Return something.

    A sentence
    on two lines.

        T = M / p

    Args:
        payload: buffer on each rank,
            which may be long, M [byte]
        ranks: members, from 1 [1]

    Returns:
        until done [s]

    Raises:
        ModelError: an input out of range

    Source:
        A book, chapter 1

    >>> documented(payload=1.0)
    0.5
    """
    return payload / ranks


def test_a_docstring_is_taken_apart():
    function = describe(documented)
    assert function.summary == "Return something."
    assert function.body == ("A sentence\non two lines.", "    T = M / p")
    payload, ranks = function.arguments
    assert (payload.name, payload.unit, payload.symbol) == ("payload", "byte", "M")
    assert payload.meaning == "buffer on each rank, which may be long, M"
    assert (ranks.name, ranks.unit, ranks.symbol) == ("ranks", "1", None)
    assert function.optional == {"ranks"}
    assert function.result is not None
    assert (function.result.meaning, function.result.unit) == ("until done", "s")
    assert function.raises == "ModelError: an input out of range"
    assert function.source == "A book, chapter 1"
    assert function.example == ">>> documented(payload=1.0)\n0.5"


def test_every_public_function_of_quantities_is_there():
    """A card gives numbers: a function that takes a record, a name or a choice is for Python."""
    public = [getattr(labs.model, name) for name in labs.model.__all__]
    named = {
        function.__name__
        for function in public
        if inspect.isfunction(function)
        and all(
            parameter.kind is parameter.KEYWORD_ONLY and get_type_hints(function)[name] in (int, float)
            for name, parameter in inspect.signature(function).parameters.items()
        )
    }
    assert set(functions()) == named
    assert {"coarse_communication_time", "global_batch", "ring_all_reduce_time"} <= named


def test_every_argument_and_result_has_a_base_unit():
    for function in functions().values():
        assert [argument.name for argument in function.arguments] == list(
            inspect.signature(function.callable).parameters
        )
        assert all(argument.unit in KINDS and argument.meaning for argument in function.arguments)
        assert function.fields or function.result is not None
        assert all(field.unit in KINDS for field in function.fields)


def test_units_and_symbols_of_the_coarse_form():
    # T = n α + Q / B_eff
    arguments = functions()["coarse_communication_time"].arguments
    assert [(argument.name, argument.symbol, argument.unit) for argument in arguments] == [
        ("phases", "n", "1"),
        ("latency", "α", "s"),
        ("payload", "Q", "byte"),
        ("bandwidth", "B_eff", "byte/s"),
    ]
