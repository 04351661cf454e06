"""The map of the model, README.md beside it: every module once, and packages in the order in which they build up."""

import ast
import pkgutil
import re
from pathlib import Path

import pytest

import labs.model

FOLDER = Path(labs.model.__path__[0])
TABLE = (FOLDER / "README.md").read_text(encoding="utf-8").partition("| --- |")[2]
ROWS = re.findall(r"(?m)^\| (?:`(\w+)` )?\| [^|]+ \| ((?:`\w+` )+)\|$", TABLE)
PACKAGES = [package for package, _ in ROWS if package]


def listed():
    package = ""
    for name, modules in ROWS:
        package = name or package
        yield from (f"{package}.{module}" for module in re.findall(r"\w+", modules))


def test_it_has_every_module_once():
    found = pkgutil.walk_packages(labs.model.__path__)
    assert sorted(PACKAGES) == sorted(module.name for module in found)
    modules = (module for module in pkgutil.walk_packages(labs.model.__path__, "labs.model.") if not module.ispkg)
    assert sorted(listed()) == sorted(module.name.removeprefix("labs.model.") for module in modules)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_from_those_above_it(package):
    allowed = {f"labs.model.{above}" for above in PACKAGES[: PACKAGES.index(package) + 1]}
    for file in (FOLDER / package).glob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        names = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
        ours = {".".join(name.split(".")[:3]) for name in names if name.startswith("labs.")}
        assert ours <= allowed, file.name
