"""Docstrings are read by people on the model page and by machine for units: each part must be there, and true."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from dataclasses import is_dataclass
from typing import get_type_hints

import pytest

import labs.model
from labs.model.quantities.units import KINDS

MODULES = [module.name for module in pkgutil.walk_packages(labs.model.__path__, "labs.model.")]
PUBLIC = {name: getattr(labs.model, name) for name in labs.model.__all__}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
NUMBERS = {name: one for name, one in FUNCTIONS.items() if one.__module__ != "labs.model.quantities.units"}
RECORDS = {name: value for name, value in PUBLIC.items() if is_dataclass(value)}
AMOUNTS = (int, float, int | None, float | None)  # what has a unit
ENTRY = re.compile(r"(?:(\w+): )?\S.*?(?: \[([^\[\]]+)\])?")


def section(documented: object, title: str) -> list[tuple[str, str | None]]:
    """Return name and unit of each line under a title."""
    found = re.search(rf"(?m)^{title}:\n((?:    .*\n?)+)", inspect.getdoc(documented) or "")
    assert found, f"no section {title}"
    lines = [ENTRY.fullmatch(line.strip()) for line in found[1].splitlines()]
    assert all(lines)
    return [(line[1], line[2]) for line in lines if line]


def test_the_list_of_names_is_whole_and_in_order():
    assert sorted(labs.model.__all__, key=lambda name: (not name.isupper(), name)) == labs.model.__all__
    assert len(NUMBERS) >= 12


def test_a_name_is_loaded_when_it_is_asked_for_and_none_is_a_module():
    """A module of the same name would stand in its place once something has imported it."""
    assert not {name.rpartition(".")[2] for name in MODULES} & set(labs.model.__all__)
    program = "import sys, labs.network; print([name for name in sys.modules if name.startswith('labs.model.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "labs.model.collectives.ring" in done.stdout and "labs.model.steps.step" not in done.stdout
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        labs.model.nothing  # noqa: B018


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_documented_in_every_part(name):
    function = FUNCTIONS[name]
    doc = inspect.getdoc(function)
    assert re.match(r"Return .+[^ ]\.\n\n", doc), "a first sentence on one line"
    assert [argument for argument, _ in section(function, "Args")] == list(inspect.signature(function).parameters)
    assert section(function, "Returns")
    assert section(function, "Raises")[0][0] == "ModelError"
    assert section(function, "Source")
    examples = doctest.DocTestParser().get_examples(doc)
    assert examples and examples[-1].want.strip()


@pytest.mark.parametrize("name", NUMBERS)
def test_a_function_of_numbers_takes_keywords_each_with_a_base_unit_and_gives_its_formula(name):
    function = NUMBERS[name]
    parameters = inspect.signature(function).parameters.values()
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)
    hints = get_type_hints(function)
    for name, unit in section(function, "Args"):
        assert (unit in KINDS) if hints[name] in AMOUNTS else (unit is None), name
    before_arguments = inspect.getdoc(function).split("\nArgs:")[0]
    assert re.search(r"(?m)^    \S.*(=|chunk)", before_arguments), "a formula, indented"


@pytest.mark.parametrize("name", NUMBERS)
def test_a_result_has_a_base_unit_or_is_a_record_whose_attributes_have(name):
    returned = get_type_hints(NUMBERS[name])["return"]
    (_, unit), *more = section(NUMBERS[name], "Returns")
    assert not more
    assert (unit in KINDS) if returned in AMOUNTS else (unit is None)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_documents_each_attribute_and_the_unit_of_each_number(name):
    hints = get_type_hints(RECORDS[name])
    attributes = section(RECORDS[name], "Attributes")
    assert [attribute for attribute, _ in attributes] == list(hints)
    for attribute, unit in attributes:
        assert (unit in KINDS) if hints[attribute] in AMOUNTS else (unit is None), attribute


def test_a_record_cannot_be_changed():
    ring = labs.model.ring_all_reduce(payload=1e9, ranks=2, latency=1e-6, bandwidth=1e9)
    assert is_dataclass(ring)
    with pytest.raises(AttributeError):
        ring.time = 0.0
