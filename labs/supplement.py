"""Labs that the browser's memory was made without: their code, put in place when a page first asks for one of them.

Python starts from a memory with the first lab in it; with all labs it would be a fifth larger, and every page would
wait for that. `pack` runs at build, in the very Python that will run in the browser.
"""

import marshal
import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

Packed = tuple[str, bool, bytes]  # its file, whether it is a package, its code


class Supplement:
    """Finds modules in what was packed, and runs their code."""

    def __init__(self, modules: Mapping[str, Packed]) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load a module, or None where it is not among these."""
        if name not in self._modules:
            return None
        file, is_package, _ = self._modules[name]
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        exec(marshal.loads(self._modules[module.__name__][2]), vars(module))


def install(packed: Any) -> None:
    """Let Python find the modules that were packed; they come from JavaScript."""
    sys.meta_path.insert(0, Supplement(marshal.loads(packed.to_bytes())))


def pack(names: Iterable[str]) -> bytes:
    """Return the code of modules that are imported, but for what is built into Python.

    The same sources give the same bytes. The standard library's go along: Python in the browser has its files only
    once a reader's own code runs.
    """
    modules = {}
    for name in sorted(names):
        module = sys.modules[name]
        file = getattr(module, "__file__", None)
        if file:
            modules[name] = (file, hasattr(module, "__path__"), marshal.dumps(_code(name, file)))
    return marshal.dumps(modules)


def _code(name: str, file: str) -> CodeType:
    if name.partition(".")[0] != "labs":
        found: CodeType = sys.modules[name].__spec__.loader.get_code(name)  # type: ignore[union-attr]
        return found
    with open(file, encoding="utf-8") as source:  # noqa: PTH123 -- the browser's memory has no pathlib
        # With docstrings, so that help(...) tells a reader something.
        own: CodeType = compile(source.read(), file, "exec", dont_inherit=True, optimize=0)
    return own
