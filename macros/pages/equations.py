"""The equations of a card as calculators, and the reason for each that stays text."""

import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from labs import definition as calculators
from labs.engineering import Calculator, calculator
from labs.equation import Name, Number, Operation, Tree, dimension, names_in, unit_of
from labs.model.errors import ModelError
from labs.model.units import UNITS, parse_quantity
from labs.solve import solve
from macros.cards.calls import Refused, made
from macros.cards.symbols import spread
from macros.cards.tex import GREEK, without_tex
from macros.cards.told import told
from macros.cards.types import Card, ScienceEntry, Symbol
from macros.cards.units import unit_dimension
from macros.equations.arithmetic import FUNCTIONS, RELATIONS, Unclear, parse, plain_name
from macros.equations.tree import tree
from macros.equations.typeset import typeset
from macros.model_calls import functions

EQUAL, NEARLY = frozenset({"=", "≡", ":="}), frozenset({"≈", "≃"})
LATIN = {letter: name for name, letter in reversed(GREEK.items())}
TAKEN = {*keyword.kwlist, *FUNCTIONS, "sqrt", "log", calculators.SOLVE_FOR}
# Where neither an example nor the table of symbols has a value: by the unit as it is written, else by its base unit.
ROUND = {
    "parameter": 1e9, "byte/parameter": 2, "token": 4096, "layer": 32, "ratio": 0.5, "fraction": 0.5, "share": 0.5,
    "s": 1e-3, "byte": 1e9, "byte/s": 1e11, "FLOP": 1e15, "FLOP/s": 1e15, "FLOP/byte": 100, "1": 8,
}  # fmt: skip
PER_STEP = 5e-6  # a time for each of something, such as s/phase, is a startup
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
OF_UNITS = "The units are those of the explanation; that of {} follows from the equation."


@dataclass(frozen=True)
class AsText:
    """An equation that is not computed."""

    title: str
    source: str
    reason: str


def equation_labs(card: Card) -> tuple[tuple[dict[str, Any], Calculator], ...]:
    """Return each equation of a card that can be computed: its definition as data, and its lab."""
    definitions = (one for one in card_equations(card) if isinstance(one, calculators.Definition))
    written = map(calculators.write_definition, definitions)
    return tuple((data, calculator(data)) for data in written)


def card_equations(card: Card) -> tuple[calculators.Definition | AsText, ...]:
    """Return the equations of a card in their order, each computed or with the reason why it is not.

    What two entries state in the same words is computed once.
    """
    found: dict[str, calculators.Definition | AsText] = {}
    for entry in card.science:
        for one in _entry(entry, card):
            found.setdefault(one.source if isinstance(one, AsText) else one.equation, one)
    return tuple(found.values())


def _entry(entry: ScienceEntry, card: Card) -> list[calculators.Definition | AsText]:
    """Return the equations of an entry, by its LaTeX or by its text, whichever more can be computed of."""
    sources = ((entry.latex, True), (entry.equation, False))
    readings = [_read(source, entry, card, latex=latex) for source, latex in sources if source]
    best = max(readings, key=lambda parts: sum(isinstance(part, calculators.Definition) for part in parts))
    return list(_titled(best))


def _read(source: str, entry: ScienceEntry, card: Card, *, latex: bool) -> list[calculators.Definition | AsText]:
    """Return the equations of a source; what the page does not typeset is none."""
    if not latex and any(piece.kind == "text" for piece in typeset(source, None)):
        reason = "it can be read in two ways" if RELATIONS.search(source) else "it is a sentence"
        return [AsText(entry.title, source, reason)]
    parts = (part.strip() for part in without_tex(source).removesuffix(".").split("; "))
    return [_equation(part, entry, card, glued="\\" in source) for part in parts if part]


def _titled(parts: Sequence[calculators.Definition | AsText]) -> Iterator[calculators.Definition | AsText]:
    """Yield the equations of one entry, told apart by what they give, or else by number."""
    given = [one.shown[one.solve_for] for one in parts if isinstance(one, calculators.Definition)]
    for number, one in enumerate(parts, start=1):
        if isinstance(one, AsText) or len(parts) == 1:
            yield one
        else:
            own = one.shown[one.solve_for]
            yield replace(one, title=f"{one.title}: {own if given.count(own) == 1 else f'{number} of {len(parts)}'}")


def _equation(source: str, entry: ScienceEntry, card: Card, *, glued: bool) -> calculators.Definition | AsText:
    try:
        return _definition(source, entry, card, glued=glued)
    except (Unclear, ModelError) as refusal:
        return AsText(entry.title, source, str(refusal))


def _definition(source: str, entry: ScienceEntry, card: Card, *, glued: bool) -> calculators.Definition:
    texts, approximate = _sides(source)
    stated = list(spread(entry.symbols)) or list(told(entry))
    rows = {plain_name(row.symbol): row for row in stated}
    lone = None if entry.symbols else _lone(texts, rows)
    names = _input_names({lone: lone} if lone else {}, {plain: row.symbol for plain, row in rows.items()})
    units = {row.symbol: _base_unit(row) for row in stated if NUMBER.fullmatch(row.symbol)}
    sides = tuple(tree(parse(text, names, glued=glued), names, units) for text in texts)
    used = frozenset().union(*map(names_in, sides))
    if not used:
        raise Unclear("it has no symbols")
    if lone:
        rows = {lone: _implied(texts, sides, rows, names, lone, entry), **rows}
    rows = {plain: row for plain, row in rows.items() if names.get(plain) in used}
    _expect_no_conversion(rows.values(), sides)
    symbols = tuple(
        calculators.Symbol(
            name=names[plain],
            symbol=row.symbol,
            meaning=_on_one_line(row.meaning),
            unit=_base_unit(row),
            written=row.unit,
            default=_default(row, _examples(entry, card)),
        )
        for plain, row in rows.items()
    )
    alone = [side.name for side in sides if isinstance(side, Name)]
    found = calculators.Definition(
        title=entry.title,
        sides=sides,
        symbols=symbols,
        solve_for=alone[0] if alone else symbols[0].name,
        approximate=approximate,
        assumptions=_on_one_line(f"{entry.assumptions} {OF_UNITS.format(rows[lone].symbol) if lone else ''}"),
    )
    try:
        found.kind()
    except ModelError as refusal:
        raise Unclear(f"its units do not fit: {refusal}") from None
    return calculators.read_definition(calculators.write_definition(_started(found)))  # within the reader's limits


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _sides(source: str) -> tuple[list[str], bool]:
    signs = RELATIONS.findall(source)
    if not signs:
        raise Unclear("it has no equals sign")
    for sign in signs:
        if sign not in EQUAL | NEARLY:
            raise Unclear(f"{sign} is no equals sign")
    return RELATIONS.split(source), bool(NEARLY & set(signs))


def _base_unit(row: Symbol) -> str:
    found = unit_dimension(row.unit)
    if found is None:
        raise Unclear(f"the unit {row.unit} of {row.symbol} is not known")
    if "%" in row.unit:
        raise Unclear(f"{row.symbol} in % may be meant as a share or as hundredths")
    unit = unit_of(found)
    if unit is None:
        raise Unclear(f"no field takes {row.unit}, the unit of {row.symbol}")
    return unit


def _expect_no_conversion(rows: Iterable[Symbol], sides: Sequence[Tree]) -> None:
    """Refuse numbers beside units with a prefix: they may convert one into the other."""
    scaled = [row for row in rows if any(_is_scaled(part) for part in re.split(r"[\s/·*×^]+", row.unit))]
    if scaled and any(number not in (1, 2) for side in sides for number in _numbers(side)):
        raise Unclear(f"{scaled[0].symbol} is in {scaled[0].unit}, and a number in the equation may convert it")


def _is_scaled(unit: str) -> bool:
    return unit in UNITS and UNITS[unit].numerator != UNITS[unit].denominator


def _numbers(side: Tree) -> Iterator[float]:
    if isinstance(side, Operation):
        for part in side.parts:
            yield from _numbers(part)
    elif isinstance(side, Number):
        yield side.value


def _lone(texts: Sequence[str], rows: Mapping[str, Symbol]) -> str | None:
    """Return the one symbol without a unit, where it is a whole side: its unit is that of the other side."""
    alone = [plain for text in texts if (plain := plain_name(text.strip())).isidentifier() and plain not in rows]
    return alone[0] if len(alone) == 1 and rows else None


def _implied(
    texts: Sequence[str], sides: Sequence[Tree], rows: Mapping[str, Symbol], names: Mapping[str, str], lone: str,
    entry: ScienceEntry,
) -> Symbol:  # fmt: skip
    units = {names[plain]: _base_unit(row) for plain, row in rows.items()}
    others = [side for side in sides if side != Name(names[lone])]
    unit = unit_of(dimension(others[0], units)) if others else None
    if unit is None:
        raise Unclear(f"the unit of {lone} does not follow")
    shown = next(text.strip() for text in texts if plain_name(text.strip()) == lone)
    return Symbol(symbol=shown, meaning=entry.title, unit=unit)


def _input_names(*symbols: Mapping[str, str]) -> dict[str, str]:
    """Return a name of ASCII letters, digits and _ for each symbol, all different, by its plain name."""
    names: dict[str, str] = {}
    for plain, symbol in (pair for some in symbols for pair in some.items()):
        spelt = "".join(LATIN.get(mark, mark) for mark in unicodedata.normalize("NFKD", symbol))
        name = re.sub("[^A-Za-z0-9_]+", "_", spelt).strip("_") or "x"
        name = f"x_{name}" if name[0].isdigit() else name[:30]
        name = f"{name}_" if name in TAKEN else name
        while name in names.values():
            name += "_"
        names[plain] = name
    return names


def _examples(entry: ScienceEntry, card: Card) -> dict[str, float]:
    """Return the inputs of the first example of the entry's model, by the plain name of their symbols."""
    function = functions().get(entry.model or "")
    example = next((one for one in card.examples if one.call == entry.model), None)
    if function is None or example is None:
        return {}
    try:
        values = dict(zip(example.inputs, made(example, ()).inputs, strict=True))
    except Refused:
        return {}
    arguments = [argument for argument in function.arguments if argument.symbol and argument.name in values]
    return {plain_name(argument.symbol or ""): values[argument.name].value for argument in arguments}


def _default(row: Symbol, examples: Mapping[str, float]) -> float:
    """Return where a field starts: at the row's own value, at an example's, or at a round one for the unit."""
    unit = _base_unit(row)
    if row.value is not None:
        return float(row.value) if isinstance(row.value, Decimal) else parse_quantity(row.value, unit)
    if unit == "s" and "/" in row.unit:
        return examples.get(plain_name(row.symbol), PER_STEP)
    singular = re.sub(r"(?<=\w)s\b", "", row.unit)
    return examples.get(plain_name(row.symbol), ROUND.get(singular, ROUND[unit]))


def _started(found: calculators.Definition) -> calculators.Definition:
    """Return the definition with the symbol that it gives at the value that the others make."""
    values = {symbol.name: symbol.default for symbol in found.symbols if symbol.name != found.solve_for}
    try:
        value = float(f"{solve(found.sides, found.solve_for, values).value:.12g}")
    except ModelError:
        return found
    symbols = (replace(one, default=value) if one.name == found.solve_for else one for one in found.symbols)
    return replace(found, symbols=tuple(symbols))
