"""A card as types: what a card file may hold. The field descriptions become the JSON Schema's, which editors show."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    ValidationInfo,
    field_validator,
)
from pydantic.alias_generators import to_camel

from macros.cards.fields import (
    Code,
    Id,
    Ids,
    Line,
    Number,
    Quantity,
    Tex,
    Text,
    Url,
    Year,
    at_least,
    different,
    refuse,
    year_of,
)


def paragraphs(text: str) -> tuple[str, ...]:
    r"""Return the paragraphs of a text: they are split by blank lines.

    >>> paragraphs("One.\n\nTwo,\nstill two.")
    ('One.', 'Two,\nstill two.')
    """
    return tuple(part.strip() for part in re.split(r"\n[^\S\n]*\n\s*", text.replace("\r\n", "\n")) if part.strip())


class Record(BaseModel):
    """A frozen record that knows all its keys; a key in the file is the attribute's name in camel case."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_alias=True, validate_by_name=False
    )


class Spec(Record):
    """One line of the table of specifications."""

    label: Line = Field(description="The property.", examples=["Collective cost"])
    value: Text = Field(description="Its value, in words or with a unit.", examples=["Latency plus payload transfer"])
    context: Text = Field(description="What the value depends on, or what follows from it, in one sentence.")


class Interface(Record):
    """What goes in or comes out."""

    name: Line = Field(description="What is connected. Two interfaces may share a name.", examples=["Distributed step"])
    direction: Line = Field(description="Seen from the thing that the card describes.", examples=["in", "out", "both"])
    signal: Text = Field(description="What passes.", examples=["Scheduled compute, collectives and synchronization"])


class Source(Record):
    """Where a statement comes from."""

    title: Line = Field(description="Title, with authors where that helps to find it.")
    url: Url = Field(
        description="http or https address; it may end in a #fragment.", examples=["https://arxiv.org/abs/1910.02054"]
    )


class Check(Record):
    """A question with options, one of them right."""

    question: Text = Field(description="One question, with one right option.")
    options: Annotated[tuple[Text, ...], AfterValidator(at_least(2)), AfterValidator(different("options"))] = Field(
        description="Two or more different options, in the order shown.",
        json_schema_extra={"minItems": 2, "uniqueItems": True},
    )
    answer: StrictInt = Field(
        description="Place of the right option, counted from 0.", json_schema_extra={"minimum": 0}
    )
    explanation: Text = Field(description="Why it is right, shown with the answer.")

    @field_validator("answer")
    @classmethod
    def _answer_is_an_option(cls, value: int, info: ValidationInfo) -> int:
        options = info.data.get("options", ())  # missing where the options themselves are wrong
        if options and not 0 <= value < len(options):
            hint = "the first option is 0" if value == len(options) else None
            refuse(f"an answer from 0 to {len(options) - 1}, as there are {len(options)} options", hint=hint)
        return value


class Symbol(Record):
    """One symbol of an equation."""

    symbol: Line = Field(
        description="The symbol as plain text, as it stands in the equation.", examples=["α", "B_eff", "x_<t", "|V|"]
    )
    meaning: Text = Field(description="What it stands for.", examples=["startup time of one phase"])
    unit: Line = Field(
        description="Its unit; 1 or count for a plain number.", examples=["s", "byte/s", "examples/update"]
    )
    value: Quantity | None = Field(
        None,
        description="A typical value, where the calculator starts: a number in base units, or a quantity with a unit.",
        examples=["5 µs", 64],
    )


class ScienceEntry(Record):
    """An equation and what it rests on."""

    title: Line = Field(description="Name of the equation.")
    equation: Tex = Field(
        description="The equation as text: Unicode mathematics, LaTeX or a sentence. Several are joined by '; '.",
        examples=["T = n α + Q / B_eff"],
    )
    explanation: Text = Field(description="What the symbols are and what the equation says.")
    assumptions: Text = Field(description="When the equation holds, and what it leaves out.")
    latex: Tex | None = Field(
        None,
        description=r"The same equation as LaTeX; it wins over `equation`. JSON doubles each backslash.",
        examples=["T = n\\alpha + Q/B"],
    )
    symbols: tuple[Symbol, ...] = Field(
        (), description="The symbols with their units, which are checked; a number of the equation with a unit is one."
    )
    model: Line | None = Field(
        None, description="Function of labs.model that computes this equation.", examples=["coarse_communication_time"]
    )


class Event(Record):
    """A date in the history of the thing."""

    year: Year = Field(description="Year, as a number or a text.", examples=[2021, "1990s"])
    title: Line = Field(description="What happened, in a few words.")
    description: Text = Field(description="What happened, in a sentence or two.")
    source: Source | None = Field(None, description="Where this is told.")


class Statement(Record):
    """The number that a sentence states."""

    value: Number = Field(
        description="The value, with the digits that are claimed: 2.02 means from 2.015 to 2.025.",
        examples=[2.02],
    )
    unit: Line = Field(
        "1",
        description="Unit of the value as it stands in the sentence; left out for a plain number.",
        examples=["ms", "%"],
    )
    field: Line | None = Field(
        None, description="The attribute that is stated, where the call returns a record.", examples=["bus_bandwidth"]
    )


class Example(Record):
    """A sentence of the card bound to the call of the model that gives its number. `check` runs it."""

    sentence: Text = Field(
        description="A sentence of this card's prose, word for word. Each number in it is an input or the stated value."
    )
    call: Line = Field(description="Function of labs.model.", examples=["coarse_communication_time"])
    inputs: Annotated[Mapping[str, Quantity], AfterValidator(MappingProxyType)] = Field(
        description="The function's arguments by name: numbers in base units, or quantities with a unit.",
        examples=[{"phases": 4, "latency": "5 µs", "payload": "100 MB", "bandwidth": "50 GB/s"}],
    )
    states: Statement = Field(description="The value that the sentence states.")


class Cell(Record):
    """Python that the reader can run in the page, and change."""

    title: Line = Field(description="What the code computes.", examples=["Bus bandwidth of a row in the log"])
    code: Code = Field(
        description="Python, with its standard library and labs.model. A last expression is shown as the value.",
        examples=["from labs.model import convert\n\nconvert(400, 'Gbit/s', 'GB/s')"],
    )
    note: Text | None = Field(None, description="What to look at, or what to change, in a sentence or two.")


class LabLink(Record):
    """A state of a lab that the card leads to."""

    label: Line = Field(description="What the reader will see.", examples=["Try it with 64 ranks"])
    lab: Id = Field(description="Id of the lab.", examples=["network"])
    inputs: Annotated[Mapping[str, Quantity], AfterValidator(MappingProxyType)] = Field(
        description="The lab's inputs that differ from its defaults, as a reader types them. `check` runs the lab.",
        examples=[{"ranks": 64, "payload": "1 GB"}],
    )


def earliest_first(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the dates of a history if none stands behind a later one."""
    latest: int | None = None
    for index, event in enumerate(events):
        year = year_of(event.year)
        if year is not None and latest is not None and year < latest:
            refuse("dates, earliest first", at=index, found=f"{event.year} behind {latest}")
        latest = latest if year is None else year
    return events


class Card(Record):
    """One card is one page."""

    json_schema: Text | None = Field(None, alias="$schema", description="Address of this schema, for editors.")
    id: Id = Field(description="The file's name without .json: lower-case letters, digits, hyphens.", examples=["nccl"])
    level: Line = Field(description="The layer of the field that the card belongs to.", examples=["software"])
    name: Line = Field(description="Title of the page.")
    short_name: Line = Field(description="Title where there is little room.")
    role: Text = Field(description="What the thing does, in one sentence.")
    description: Text = Field(description="What the thing is and how it works. A blank line starts a new paragraph.")
    specs: tuple[Spec, ...] = Field(description="The table of specifications.")
    interfaces: tuple[Interface, ...] = Field(description="What goes in and what comes out.")
    tradeoff: Text = Field(description="What is gained and what it costs.")
    why_ai: Text = Field(alias="whyAI", description="Why it matters for training or serving models.")
    related: Ids = Field(description="Ids of related cards.", examples=[["nccl", "parallelism"]])
    sources: Annotated[tuple[Source, ...], AfterValidator(at_least(1))] = Field(
        description="What the statements rest on.", json_schema_extra={"minItems": 1}
    )
    scale: Line = Field(
        description="From what size to what size the card speaks.", examples=["Accelerator group to serving pool"]
    )
    kind: Line = Field(description="What sort of thing it is.", examples=["workload"])
    branch: Line | None = Field(None, description="Branch of the index, below the level.")
    subbranch: Line | None = Field(None, description="Part of the branch.")
    mechanism: Annotated[tuple[Text, ...], AfterValidator(at_least(1))] = Field(
        description="The steps, in order, a sentence each.", json_schema_extra={"minItems": 1}
    )
    misconception: Text = Field(description="What is often misunderstood, and what is true.")
    check: Check = Field(description="The question that a reader can answer after reading.")
    checks: tuple[Check, ...] = Field((), description="Further questions.")
    science: tuple[ScienceEntry, ...] = Field(description="The equations.")
    prerequisites: Ids = Field(
        description="Ids of the cards to read first; they form no cycle.", examples=[["parallelism"]]
    )
    learning_objective: Text = Field(description="What a reader can do afterwards, in one sentence.")
    engineering_example: Text = Field(description="A worked case with numbers. A blank line starts a new paragraph.")
    examples: tuple[Example, ...] = Field(
        (), description="The numbers of the prose, each bound to a call of the model."
    )
    evidence_notes: Text = Field(
        description="What the statements rest on and where they stop. A blank line starts a new paragraph."
    )
    history: Annotated[tuple[Event, ...], AfterValidator(earliest_first)] = Field(
        (), description="Dates, earliest first."
    )
    figures: Ids = Field((), description="Ids of figures that the build draws.", examples=[["ring-all-reduce-time"]])
    lab_id: Id | None = Field(
        None, description="Id of the lab with the card's own equations.", examples=["engineering"]
    )
    deep_lab_id: Id | None = Field(None, description="Id of the lab that goes deeper.", examples=["network"])
    investigation_id: Id | None = Field(None, description="Id of the lab to explore with.", examples=["execution"])
    lab_scope: Text | None = Field(
        None, description="What the lab varies and what it leaves out; shown beside the lab."
    )
    lab_links: tuple[LabLink, ...] = Field((), description="States of labs to open from this card.")
    cells: tuple[Cell, ...] = Field(
        (), description="Code to try, shown with the labs. `check` compiles it and never runs it."
    )
    scope: Text | None = Field(None, description="What the card leaves out.")
    workstream: Line | None = Field(
        None, description="Where the card comes from in the plan of work.", examples=["W11"]
    )
    visual_family: Line | None = Field(
        None, description="Family of drawings that the card belongs to.", examples=["model-workload"]
    )
