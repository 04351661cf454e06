"""A plan's arguments in the words of the controls: the model's sentences call them as its functions do."""

import re
from collections.abc import Mapping
from itertools import starmap

# Of one, and of several.
COUNTED = {
    "tensor": ("tensor rank", "tensor ranks"),
    "context": ("context rank", "context ranks"),
    "data": ("data rank", "data ranks"),
    "pipeline": ("pipeline stage", "pipeline stages"),
    "expert": ("expert rank", "expert ranks"),
    "interleave": ("chunk of a stage", "chunks of a stage"),
    "accumulation": ("microbatch in a step", "microbatches in a step"),
}
NAMED = {
    **{name: several for name, (_, several) in COUNTED.items()},
    "sequence": "the tokens of a sequence",
    "sequence_parallel": "sequence parallelism",
    "kv_heads": "key and value heads",
    "ffn of experts": "columns of an expert",
    "ffn": "columns of the MLP",
}
CHOSEN = {
    ("replicate_kv", True): "copies of key and value heads",
    ("uneven", True): "uneven stages",
    ("sequence_parallel", True): "sequence parallelism",
    ("sequence_parallel", False): "no sequence parallelism",
    ("recompute", "selective"): "recomputed attention scores",
    ("recompute", "full"): "full recomputation",
}
# A number comes behind what it counts; "a pipeline" is a word already.
_NAMES = re.compile(rf"(?<!\ba )\b({'|'.join(sorted(NAMED, key=len, reverse=True))})\b(?: (\d+)\b)?")


def reason(message: str) -> str:
    """Return what the model has against a plan, in the words of the controls.

    >>> reason("expected tensor to divide kv_heads, found 16 and 8")
    'expected tensor ranks to divide key and value heads, found 16 and 8'
    >>> reason("expected expert 1 for a model without experts, found 2")
    'expected 1 expert rank for a model without experts, found 2'
    """
    return _NAMES.sub(lambda match: change(match[1], int(match[2])) if match[2] else NAMED[match[1]], message)


def change(name: str, value: int | str) -> str:
    """Return a change of one argument, to stand behind "take".

    >>> change("tensor", 8), change("interleave", 1), change("zero", 3), change("uneven", True)
    ('8 tensor ranks', '1 chunk of a stage', 'ZeRO-3', 'uneven stages')
    >>> change("sequence", 8196), change("microbatch", 1)
    ('sequences of 8,196 tokens', 'microbatches of 1 sequence')
    """
    if (name, value) in CHOSEN:
        return CHOSEN[name, value]
    if name == "zero":
        return f"ZeRO-{value}"
    if name == "sequence":
        return f"sequences of {value:,} tokens"
    if name == "microbatch":
        return f"microbatches of {value:,} {'sequence' if value == 1 else 'sequences'}"
    one, several = COUNTED[name]
    return f"{value:,} {one if value == 1 else several}"


def changes(sets: Mapping[str, int | str]) -> str:
    """Return changes that are made together.

    >>> changes({"zero": 3, "pipeline": 4, "data": 1})
    'ZeRO-3, 4 pipeline stages and 1 data rank'
    """
    *others, last = starmap(change, sets.items())
    return f"{', '.join(others)} and {last}" if others else last
