"""The numbers of a card's prose, run: each example's call gives the value that its sentence states, or a finding."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext

from labs.model.quantities.errors import ModelError
from labs.model.quantities.names import abbreviated
from labs.model.quantities.units import UNITS, Unit, format_quantity, parse_quantity
from macros.cards.amounts import SAME, Amount, Reading, amounts, written_unit
from macros.cards.calls import Call, Refused, made
from macros.cards.prose import Prose, difference
from macros.cards.types import Card, Example, Statement
from macros.problem import Finding, Pointer, listed, quoted

SHOWN_DIGITS = 5
DECIMAL_COMMA = re.compile(r"(?<![\w,.])[0-9]+,[0-9]{1,2}(?![\d,])")
DIGITS = 700  # of decimal arithmetic: enough to write out any float


@dataclass(frozen=True, kw_only=True)
class CheckedExample:
    """A number of the prose that the model gives: where it stands, and the call that gives it."""

    index: int  # among the card's examples
    field: str  # the attribute the sentence stands in: "engineering_example", "mechanism.2", "science.0.explanation"
    pointer: str  # the same as a JSON pointer
    sentence: str  # as it stands there
    start: int  # of the stated value, inside the sentence
    end: int  # after its unit
    call: str
    value: float  # in the base unit
    unit: str  # the base unit
    shown: str  # the value with its unit, as read


@dataclass(frozen=True)
class Claim:
    """What an example claims, beside what its call gives."""

    states: Statement
    stated: Reading
    call: Call

    def confirms(self, reading: Reading) -> bool:
        """Return whether the model's value rounds to this one."""
        value = self.call.value
        return reading.base == self.call.unit and abs(value - reading.value) <= reading.half + SAME * abs(value)

    def stated_text(self) -> str:
        """Return the stated value as the card writes it."""
        return _with_unit(str(self.states.value), self.states.unit)

    def model_text(self) -> str:
        """Return the model's value in the stated unit, with as many digits as are stated."""
        with localcontext(prec=DIGITS):
            value = self._in_stated_unit().quantize(Decimal(1).scaleb(_exponent(self.states)))
            return _with_unit(str(value), self.states.unit) if value or not self.call.value else self.shown()

    def shown(self) -> str:
        """Return the model's value in the stated unit, with the digits a reader may want to compare."""
        digits = max(SHOWN_DIGITS, len(self.states.value.as_tuple().digits))
        if self.states.unit == "1":
            return format_quantity(self.call.value, "1", digits=min(digits, 17))
        with localcontext(prec=digits):
            value = +self._in_stated_unit()
        if not -SHOWN_DIGITS < value.adjusted() < SHOWN_DIGITS:
            return format_quantity(self.call.value, self.call.unit)
        return _with_unit(f"{value.normalize():f}", self.states.unit)

    def _in_stated_unit(self) -> Decimal:
        unit = written_unit(self.states.unit) or Unit("1", 1)
        return Decimal(self.call.value) * unit.denominator / unit.numerator


def checked(card: Card) -> tuple[CheckedExample, ...]:
    """Return the examples of a card that the model confirms."""
    return tuple(result for result in _examined(card, whole=True) if isinstance(result, CheckedExample))


def number_findings(card: Card, *, whole: bool = True) -> tuple[Finding, ...]:
    """Return what is wrong with a card's numbers. Where the card is not whole, it is not told of sentences it lacks."""
    return tuple(result for result in _examined(card, whole=whole) if isinstance(result, Finding))


def _examined(card: Card, *, whole: bool) -> Iterator[CheckedExample | Finding]:
    prose = Prose(card)
    for index, example in enumerate(card.examples):
        at: Pointer = ("examples", index)
        try:
            call = made(example.call, example.inputs, example.states.field, at)
            claim = Claim(example.states, _stated(example.states, call, (*at, "states", "unit")), call)
        except Refused as refused:
            yield from refused.findings
            continue
        amount, findings = _in_sentence(example.sentence, claim, (*at, "sentence"))
        place = prose.find(example.sentence)
        if place is None and whole and not findings:
            findings.append(_not_in_prose(example, claim, prose, (*at, "sentence")))
        if not claim.confirms(claim.stated):
            expected = f"{claim.model_text()} as the model gives ({call.gives()})"
            findings.append(_finding((*at, "states", "value"), expected, claim.stated_text()))
        yield from findings
        if amount and place and not findings:
            yield CheckedExample(
                index=index,
                field=place.field,
                pointer=place.pointer,
                sentence=place.sentence,
                start=amount.start,
                end=amount.end,
                call=call.text,
                value=call.value,
                unit=call.unit,
                shown=claim.shown(),
            )


def _stated(states: Statement, call: Call, at: Pointer) -> Reading:
    """Return the stated value in base units, with half of its last digit."""
    unit = written_unit(states.unit)
    if unit is None or unit.base != call.unit:
        wanted = "no unit, or %," if call.unit == "1" else f"a unit of {call.unit}"
        found = "none" if states.unit == "1" else quoted(states.unit)
        message = f"expected {wanted} for what {call.name} gives, found {found}"
        raise Refused(Finding(at=at, message=message, hint=_unit_hint(states.unit, call.unit)))
    return Reading(float(states.value), float(f"5e{_exponent(states) - 1}"), "1").in_unit(states.unit)


def _in_sentence(sentence: str, claim: Claim, at: Pointer) -> tuple[Amount | None, list[Finding]]:
    """Return the place of the stated value in the sentence, and a finding for each number that nothing accounts for."""
    call, stated, right = claim.call, claim.stated, claim.confirms(claim.stated)
    value, hint = f"the stated value, {claim.stated_text()}", _hint(call)
    more = f"it has more digits than the example states, which is {claim.stated_text()}"
    place: Amount | None = None
    strange: list[Amount] = []
    findings: list[Finding] = []
    for amount in amounts(sentence):
        reading = amount.reads(stated.value, stated.base)
        is_input = any(amount.reads(given.value, given.unit) for given in call.inputs)
        if reading and (place is None or not is_input):
            place = amount
            if right and not claim.confirms(reading):  # the sentence writes more digits than the example states
                findings.append(_finding(at, call.gives(), amount.text, amount.start, more))
        elif not (reading or is_input or (not right and any(claim.confirms(other) for other in amount.readings))):
            strange.append(amount)
    if place is None:
        suspect = next((amount for amount in reversed(strange) if amount.measures(stated.base)), None)
        if suspect:
            strange.remove(suspect)
            findings.append(_finding(at, value, suspect.text, suspect.start, hint))
        elif right:
            findings.append(_finding(at, f"{value}, in this sentence", "none", None, hint))
    inputs = listed([given.text for given in call.inputs])
    findings += [_finding(at, f"an input ({inputs}) or {value}", other.text, other.start) for other in strange]
    if findings and (comma := DECIMAL_COMMA.search(sentence)):
        point = f'is "{comma[0]}" {comma[0].replace(",", ".")}? A number is written with a point'
        return place, [_finding(at, value, comma[0], comma.start(), point)]
    return place, findings


def _not_in_prose(example: Example, claim: Claim, prose: Prose, at: Pointer) -> Finding:
    near, hint = prose.nearest(example.sentence), _hint(claim.call)
    if near is None:
        return _finding(at, "a sentence that stands word for word in this card's prose", "none like this", None, hint)
    start, here, there = difference(example.sentence, near.sentence)
    return _finding(at, f"these words in {near.pointer}, {quoted(here, 100)}", quoted(there, 100), start, hint)


def _finding(at: Pointer, expected: str, found: str, character: int | None = None, hint: str | None = None) -> Finding:
    return Finding(at=at, message=f"expected {expected}, found {found}", character=character, hint=hint)


def _hint(call: Call) -> str:
    return f"the model gives {call.gives()}"


def _unit_hint(unit: str, base: str) -> str | None:
    """Return what the model would say to someone who typed a quantity in this unit."""
    try:
        parse_quantity(f"1 {unit}", base)
    except ModelError as error:
        return error.hint if unit != "1" else None
    return f'did you mean "{abbreviated(unit)}"?' if unit not in UNITS else None


def _exponent(states: Statement) -> int:
    exponent = states.value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _with_unit(number: str, unit: str) -> str:
    return number if unit == "1" else f"{number} {unit}"
