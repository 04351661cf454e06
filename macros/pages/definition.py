"""An equation of a card, as written, with its symbols: the definition of a calculator."""

import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from labs.model.quantities.errors import ModelError
from labs.model.quantities.units import KINDS
from labs.parts.engineering.definition import SOLVE_FOR, Definition, read_definition, write_definition
from labs.parts.engineering.definition import Symbol as Input
from labs.parts.engineering.equation import Name, Number, Operation, Tree, dimension, evaluate, names_in, unit_of
from macros.cards.symbols import spread
from macros.cards.tex import GREEK
from macros.cards.told import told
from macros.cards.types import Card, ScienceEntry, Symbol
from macros.cards.units import is_scaled, unit_dimension
from macros.equations.arithmetic import FUNCTIONS, RELATIONS, Unclear, parse, plain_name
from macros.equations.tree import tree
from macros.pages.starts import examples, start, started

EQUAL, NEARLY = frozenset({"=", "≡", ":="}), frozenset({"≈", "≃"})
LATIN = {letter: name for name, letter in reversed(GREEK.items())}
TAKEN = {*keyword.kwlist, *FUNCTIONS, "log", SOLVE_FOR}
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
OF_UNITS = "The units are those of the explanation; that of {} follows from the equation."


def definition(source: str, entry: ScienceEntry, card: Card, *, glued: bool) -> Definition:
    """Return the definition of a calculator.

    Args:
        source: one equation, as plain text
        entry: what the card says of it
        card: the card, whose examples tell where fields start
        glued: whether letters that touch are factors, as in TeX

    Raises:
        Unclear: it can't be computed for certain; why, in a few words
        ModelError: it is beyond what a calculator takes, or a part without symbols is not defined
    """
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
    for side in sides:
        _expect_numbers(side)
    if lone:
        rows = {lone: _implied(texts, sides, rows, names, lone, entry), **rows}
    rows = {plain: row for plain, row in rows.items() if names.get(plain) in used}
    _expect_no_conversion(rows.values(), sides)
    given = examples(entry, card)
    symbols = tuple(
        Input(
            name=names[plain],
            symbol=row.symbol,
            meaning=_on_one_line(row.meaning),
            unit=_base_unit(row),
            written=row.unit.strip(),
            default=start(row, _base_unit(row), given),
        )
        for plain, row in rows.items()
    )
    alone = [side.name for side in sides if isinstance(side, Name)]
    found = Definition(
        title=entry.title,
        sides=sides,
        symbols=symbols,
        solve_for=alone[0] if alone else symbols[0].name,
        approximate=approximate,
        assumptions=_on_one_line(f"{entry.assumptions} {OF_UNITS.format(rows[lone].symbol) if lone else ''}"),
    )
    _expect_units_that_fit(found)
    return read_definition(write_definition(started(found)))  # within the reader's limits


def _expect_units_that_fit(found: Definition) -> None:
    """Refuse sides of several kinds, and name the number and the unit that would mend it: 6 FLOP in C = 6 N D."""
    try:
        found.kind()
    except ModelError as refusal:
        for number in sorted({number for side in found.sides for number in _numbers(side) if number}):
            units = [unit for unit in KINDS if unit != "1" and _fits(found, Number(number), unit)]
            if units:
                row = f'give it a row {{"symbol": "{number:g}", "unit": "{units[0]}", …}} among the symbols'
                raise Unclear(f"its units do not fit: {refusal}; if {number:g} is in {units[0]}, {row}") from None
        raise Unclear(f"its units do not fit: {refusal}") from None


def _fits(found: Definition, number: Number, unit: str) -> bool:
    """Return whether the units fit once a number carries one, wherever it stands as a factor or a term."""

    def with_unit(tree: Tree) -> Tree:
        if isinstance(tree, Operation):
            return replace(tree, parts=tuple(map(with_unit, tree.parts)))
        return replace(number, unit=unit) if tree == number else tree

    try:
        replace(found, sides=tuple(map(with_unit, found.sides))).kind()
    except ModelError:
        return False
    return True


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
    scaled = [row for row in rows if is_scaled(row.unit)]
    if scaled and any(number not in (0, 1, 2) for side in sides for number in _numbers(side)):
        raise Unclear(f"{scaled[0].symbol} is in {scaled[0].unit}, and a number in the equation may convert it")


def _numbers(side: Tree) -> Iterator[float]:
    if isinstance(side, Operation):
        for part in side.parts:
            yield from _numbers(part)
    elif isinstance(side, Number):
        yield side.value


def _expect_numbers(side: Tree) -> None:
    if not names_in(side):
        evaluate(side, {})
    elif isinstance(side, Operation):
        for part in side.parts:
            _expect_numbers(part)


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
