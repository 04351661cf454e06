"""What `make bench` has measured: bench/results.json, read once into frozen records."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, StrictBool, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails

from macros.cards.fields import Line, refuse
from macros.cards.locate import Places, placed
from macros.cards.syntax import NotJson, line_and_column, read_document
from macros.cards.validate import EXPECTED, shown
from macros.problem import Finding, Problem

HINT = "delete the file, since the site builds without it; make bench writes it anew"
CLOSED = ConfigDict(extra="forbid")


class ResultsRefused(Exception):
    """The results cannot be shown; the message says where and why."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(problem.text() for problem in problems) + f"\n  hint: {HINT}")


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not 0 <= value < 10**30:
        refuse("a number, 0 or greater")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        refuse("a whole number, 1 or greater")
    return value


def _day(value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        refuse("a date such as 2026-01-31")


type Amount = Annotated[float, BeforeValidator(_amount)]
type Count = Annotated[int, BeforeValidator(_count)]
type Quantity = Literal["ratio", "median", "p95"]


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Machine:
    """What it was measured on. `load`: the system's average over a minute, before and after."""

    processor: Line
    cores: Count
    memory: Amount  # byte
    system: Line
    load: tuple[Amount, Amount]


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Summary:
    """What some values come to; the values themselves where each is a run."""

    count: Count
    median: Amount
    p95: Amount
    values: tuple[Amount, ...] = ()


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Measurement:
    """One measurement in one browser, and the same of what the site is compared with, if anything."""

    id: Line
    browser: Line
    title: Line
    how: Line
    unit: Literal["s", "byte"]
    ours: Summary
    against: Line | None  # the name of the other
    other: Summary | None
    ratio: Amount | None  # of the medians


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Claim:
    """A promise, held against a measurement."""

    measurement: Line
    browser: Line
    of: Quantity
    limit: Amount
    found: Amount
    met: StrictBool


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Weight:
    """Bytes of a file or of several: on disk, and as a host sends them."""

    raw: Amount
    sent: Amount


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Sizes:
    """What the site weighs: the whole, the browser's parts, the largest page of a card."""

    site: Weight
    parts: Mapping[str, Weight]
    page: Weight


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Build:
    """How long a site of so many cards took to build."""

    cards: Count
    seconds: Amount


@dataclass(frozen=True, kw_only=True, config=CLOSED)
class Results:
    """All that one call of `make bench` has found."""

    date: Annotated[date, BeforeValidator(_day)]
    runs: Count
    machine: Machine
    versions: Mapping[str, Line]
    measurements: tuple[Measurement, ...]
    claims: tuple[Claim, ...]
    sizes: Sizes
    builds: tuple[Build, ...]


def read_results(file: Path) -> Results | None:
    """Return what the file holds, or None where there is no file.

    Raises:
        ResultsRefused: it is no JSON, a value is not what it must be, or a claim is not what was measured
    """
    if not file.exists():
        return None
    try:
        document = read_document(file.read_bytes())
    except NotJson as error:
        line, column = line_and_column(error.text, error.position)
        problem = Problem(file=file, line=line, column=column, pointer="", message=error.message)
        raise ResultsRefused((problem,)) from None
    results = None
    try:
        results = TypeAdapter(Results).validate_python(document.data)
        findings = [*_one_sided(results), *_untrue(results)]
    except ValidationError as error:
        findings = [_finding(detail) for detail in error.errors(include_url=False)]
    if findings:
        places = Places(document.text)
        raise ResultsRefused(tuple(placed(file, places, finding) for finding in findings))
    return results


def _one_sided(results: Results) -> Iterator[Finding]:
    for i, found in enumerate(results.measurements):
        if len({found.against is None, found.other is None, found.ratio is None}) > 1:
            message = "expected against, other and ratio together or none of them, found some"
            yield Finding(at=("measurements", i), message=message)


def _untrue(results: Results) -> Iterator[Finding]:
    """Yield the claims that say something else than the measurements."""
    measured = {(found.id, found.browser): found for found in results.measurements}
    for i, claim in enumerate(results.claims):
        found = measured.get((claim.measurement, claim.browser))
        if found is None:
            message = f"expected one that was measured, found {claim.measurement} in {claim.browser}"
            yield Finding(at=("claims", i, "measurement"), message=message)
            continue
        value = found.ratio if claim.of == "ratio" else getattr(found.ours, claim.of)
        if claim.found != value:
            message = f"expected the {claim.of} that was measured, {value}, found {claim.found}"
            yield Finding(at=("claims", i, "found"), message=message)
        elif claim.met != (claim.found <= claim.limit):
            right = shown(not claim.met)
            message = f"expected {right} for {claim.found} of at most {claim.limit}, found {shown(claim.met)}"
            yield Finding(at=("claims", i, "met"), message=message)


def _finding(error: ErrorDetails) -> Finding:
    at = error["loc"]
    match error["type"]:
        case "missing":
            return Finding(at=at, message=f'expected the key "{at[-1]}", found none')
        case "unexpected_keyword_argument":
            return Finding(at=at, on_key=True, message=f'expected no such key here, found "{at[-1]}"')
        case "card":
            expected = str(error["ctx"]["expected"])
        case "literal_error":
            expected = f"one of {error['ctx']['expected']}"
        case "dataclass_type":
            expected = "an object in { }"
        case kind:
            expected = EXPECTED.get(kind) or error["msg"]
    return Finding(at=at, message=f"expected {expected}, found {shown(error['input'])}")
