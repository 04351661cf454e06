"""What a lab declares: its controls and presets. How they look is the views' business.

A lab is a module `labs/<id>.py`, and what it is made of lies in `labs/parts/<id>/`. The module holds

    LAB: Lab                            what it is called and which inputs it takes
    frame(**inputs) -> Frame            what these inputs come to, plain JSON in base units

What a reader types is any number of the control's unit: 0, -1 and 1e300 come too. `frame` refuses what it can't take by
raising labs.model.quantities.errors.ModelError with the input's name; the page shows the sentence at the field. The
build tries the ends of all sliders and hundreds of other inputs, and tells whatever else is raised.

A frame holds, in the order in which a page shows it:

    verdict    sentences, each a text or an action (labs/views/action.py)
    diagrams   charts as wide as the page (labs/views/chart.py)
    metrics    results: name, label, symbol, value, unit
    series     charts
    tables     tables (labs/views/table.py)
    notes      texts
    limits     of inputs that are of no use beyond a value, for these others: input -> that value
    unread     inputs that are not read at all, for these others
    taken      inputs that stand for another value than was given, for these others: input -> that value
    summary    the frame in a sentence; else the first results are

Metrics, series and tables are always there; the others where a lab has them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any, Protocol

Frame = dict[str, Any]
Value = float | str  # of an input: a quantity in base units, or a text


@dataclass(frozen=True, kw_only=True)
class Control:
    """One input of a lab: a field that takes a quantity, and a slider over the stops.

    The slider's stops are a convenience; the field takes any value, and the model says what it refuses.
    """

    name: str
    label: str
    symbol: str
    unit: str  # base unit of the value: s, byte, byte/s, 1
    default: float
    stops: tuple[float, ...]
    whole: bool = False
    note: str = ""
    group: str = ""  # controls of one group stand together, under its name
    play: bool = False  # whether the page can go through the stops by itself

    def __post_init__(self) -> None:
        if self.default not in self.stops:
            raise ValueError(f"control {self.name}: expected the default {self.default} among the slider's stops")
        if list(self.stops) != sorted(set(self.stops)):
            raise ValueError(f"control {self.name}: expected stops that rise")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One input of a lab that is one of a few: a list to choose from."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]  # the value that `frame` gets, and how a reader sees it
    default: str
    note: str = ""
    group: str = ""

    def __post_init__(self) -> None:
        if self.default not in self.values:
            raise ValueError(f"choice {self.name}: expected the default {self.default} among the options")

    @property
    def values(self) -> tuple[str, ...]:
        """What can be chosen."""
        return tuple(value for value, _ in self.options)


def switch(*, name: str, label: str, default: bool, note: str = "", group: str = "") -> Choice:
    """Return a choice of "on" and "off"."""
    options = (("off", "off"), ("on", "on"))
    return Choice(name=name, label=label, options=options, default="on" if default else "off", note=note, group=group)


@dataclass(frozen=True, kw_only=True)
class TextControl:
    """One input of a lab that is text: a name in one row, or many lines such as a log, to paste or to drop a file on.

    Many lines stay in the page: no link holds them, and the browser does not keep them for the next visit.
    """

    name: str
    label: str
    rows: int  # of the field, before it scrolls
    default: str = ""
    note: str = ""
    group: str = ""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named scenario: the inputs that differ from the defaults, and why it is worth a look.

    Its frame is computed at build and stands in the page, so that it answers at once and without Python.
    """

    id: str
    label: str
    inputs: Mapping[str, Value]
    note: str = ""
    source: str = ""  # where its numbers were published, if they were


@dataclass(frozen=True, kw_only=True)
class Lab:
    """What a lab is called, what it covers, and which inputs it takes."""

    id: str
    title: str
    scope: str
    controls: tuple[Control | Choice, ...]
    presets: tuple[Preset, ...] = field(default=())
    texts: tuple[TextControl, ...] = field(default=())
    folded: tuple[str, ...] = field(default=())  # groups of which only the name is seen at first

    def __post_init__(self) -> None:
        names = [control.name for control in (*self.texts, *self.controls)]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"lab {self.id}: expected one input called {name}, found two")
        ids = [preset.id for preset in self.presets]
        if len(set(ids)) < len(ids):
            raise ValueError(f"lab {self.id}: expected presets of different ids, found {', '.join(ids)}")
        for preset in self.presets:
            for name in preset.inputs:
                if name not in names:
                    raise ValueError(f"preset {preset.id}: expected one of {', '.join(names)}, found {name}")

    def defaults(self) -> dict[str, Value]:
        """Return the inputs of the first frame."""
        return self.inputs({})

    def inputs(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return every input's value, the default where none is given; counts whole, the rest as typed values are."""
        values: dict[str, Value] = {text.name: given.get(text.name, text.default) for text in self.texts}
        for control in self.controls:
            value = given.get(control.name, control.default)
            if isinstance(control, Control):
                value = int(value) if control.whole else float(value)
            values[control.name] = value
        return values


class LabModule(Protocol):
    """The shape of a lab: a module, or the calculator of an equation."""

    @property
    def LAB(self) -> Lab: ...

    @property
    def frame(self) -> Callable[..., Frame]: ...


def decades(low: float, high: float, steps: tuple[int, ...] = (1, 2, 5)) -> tuple[float, ...]:
    """Return round stops from low to high: 1, 2, 5, 10, 20, 50, …

    >>> decades(1e3, 1e5)
    (1000.0, 2000.0, 5000.0, 10000.0, 20000.0, 50000.0, 100000.0)
    """
    exponents = range(floor(log10(low)), ceil(log10(high)) + 1)
    every = (float(f"{step}e{exponent}") for exponent in exponents for step in steps)
    return tuple(stop for stop in every if low <= stop <= high)


def doublings(low: int, high: int) -> tuple[int, ...]:
    """Return powers of two times low, up to high.

    >>> doublings(1, 8)
    (1, 2, 4, 8)
    """
    stops = [low]
    while stops[-1] * 2 <= high:
        stops.append(stops[-1] * 2)
    return tuple(stops)
