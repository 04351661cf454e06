"""What the labs are tried with at build.

Inputs at which each must give one frame wherever it runs, and samples of whatever else a reader may do.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from labs.catalog import LABS
from labs.lab import Choice, Control, LabModule, TextControl, Value
from labs.model.quantities.units import KINDS, format_quantity
from labs.parts.engineering.equation import OPERATIONS

Request = dict[str, object]  # in the page's own form

TYPED = ("64 MiB", "5us", "400 Gb/s", "1,024", "0", "-1", "3.7", "", "?", "1e400", "\N{GREEK SMALL LETTER ALPHA}")
CHANCES = 40  # requests of each lab by chance
CHANGED = 0.4  # of the inputs in each


def requests() -> Iterator[Request]:
    """Yield a request for each lab's defaults, its presets, and the ends of its controls."""
    number = 0
    for lab_id, module in LABS.items():
        defaults = module.LAB.defaults()
        cases = [defaults, *_presets(module)]
        for control in module.LAB.controls:
            cases += [defaults | {control.name: end} for end in ends(control)]
        for inputs in cases:
            number += 1
            yield {"id": number, "lab": lab_id, "inputs": _texts(inputs), "numbers": True}


def ends(control: Control | Choice) -> Sequence[Value]:
    """Return the ends of a control's slider, or all that can be chosen."""
    return control.values if isinstance(control, Choice) else (control.stops[0], control.stops[-1])


def more_requests(seed: int = 1) -> Iterator[Request]:
    """Yield what a reader may do besides: drawn by chance, the same for a seed every time. Some of it is refused."""
    chance = Random(seed)
    for lab_id, module in LABS.items():
        for name in module.LAB.defaults():
            for text in TYPED:
                yield {"id": 0, "lab": lab_id, "inputs": _texts(module.LAB.defaults()) | {name: text}}
        for _ in range(CHANCES):
            yield {"id": 0, "lab": lab_id, "inputs": _drawn(module, chance), "numbers": chance.random() < CHANGED}
    for sides in _equations():
        for solve_for in _names(sides) * 3:
            yield _calculation(sides, solve_for, chance)
    for unit in KINDS:
        for solve_for in ("whole", "part", "rest"):
            yield _calculation(["whole", ["+", "part", "rest"]], solve_for, chance, unit)


def _drawn(module: LabModule, chance: Random) -> dict[str, str]:
    """Return the inputs of a preset, some of them changed."""
    inputs = _texts(chance.choice([module.LAB.defaults(), *_presets(module)]))
    for control in (*module.LAB.texts, *module.LAB.controls):
        if chance.random() < CHANGED:
            inputs[control.name] = _typed(control, inputs[control.name], chance)
    return inputs


def _typed(control: Control | Choice | TextControl, text: str, chance: Random) -> str:
    if isinstance(control, TextControl):
        lines = text.splitlines(keepends=True)
        return "".join(line for line in lines if chance.random() > 1 / (1 + len(lines)))
    if isinstance(control, Choice):
        return chance.choice(control.values)
    between = chance.uniform(control.stops[0], control.stops[-1])
    return repr(chance.choice([*control.stops, between, round(between)]))


def _equations() -> Iterator[list[object]]:
    """Yield equations, as data, that have every operation and every way to solve."""
    for sign, (_, fewest, _) in OPERATIONS.items():
        yield ["y", [sign, *("x", "z")[:fewest]]]
    yield ["t", ["*", 2, ["-", "p", 1], ["+", "a", ["/", "m", ["*", "p", "b"]]]]]
    yield ["t", ["/", ["*", "x", "n"], 4], ["^", "n", 2]]
    yield [["/", "x", ["+", "x", "y"]], ["/", ["-", "p", 1], ["-", ["+", "m", "p"], 1]]]
    yield ["t", ["+", ["ceil", ["log2", "p"]], ["sqrt", ["/", "m", "b"]]]]


def _calculation(sides: list[object], solve_for: str, chance: Random, unit: str = "1") -> Request:
    names = _names(sides)
    drawn = {name: 10 ** chance.uniform(-3, 9) for name in names}
    symbols = [
        {"name": name, "symbol": name, "meaning": name, "unit": unit, "written": unit, "default": value}
        for name, value in drawn.items()
    ]
    words = {"title": "", "assumptions": "", "approximate": False}
    equation = {"sides": sides, "symbols": symbols, "solve_for": names[0], **words}
    inputs = {name: format_quantity(10 ** chance.uniform(-9, 15), unit, chance.randint(1, 17)) for name in names}
    return {"id": 0, "lab": "engineering", "equation": equation, "inputs": inputs | {"solve_for": solve_for}}


def _names(tree: object) -> list[str]:
    """Return the symbols of sides, or of a part of one: all that is a text and no sign."""
    if isinstance(tree, str):
        return [] if tree in OPERATIONS else [tree]
    return list(dict.fromkeys(name for part in tree for name in _names(part))) if isinstance(tree, list) else []


def _presets(module: LabModule) -> list[dict[str, Value]]:
    return [module.LAB.defaults() | dict(preset.inputs) for preset in module.LAB.presets]


def _texts(inputs: Mapping[str, Value]) -> dict[str, str]:
    return {name: value if isinstance(value, str) else repr(value) for name, value in inputs.items()}
