"""Labs that Python in the browser starts without: packed at build, found once they are there."""

import html
import importlib
import marshal
import subprocess
import sys
from importlib.util import module_from_spec

import pytest

import labs.answer
import labs.model.collectives.ring
import labs.network
from labs.catalog import EARLY, HOMES, LABS
from labs.supplement import Supplement, install, pack


class FromJavaScript:
    """Bytes as a worker hands them over."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def to_bytes(self) -> bytes:
        return self.content


def test_packed_modules_run_and_keep_their_docstrings():
    ring = "labs.model.collectives.ring"
    modules = marshal.loads(pack(["labs.model", ring, "html", "marshal"]))
    assert set(modules) == {"labs.model", ring, "html"}  # what is built into Python needs no code
    found = Supplement(modules)
    assert found.find_spec("labs.model").submodule_search_locations is not None
    assert found.find_spec("labs.model.quantities.units") is None
    spec = found.find_spec(ring)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__file__ == labs.model.collectives.ring.__file__
    assert module.ring_all_reduce_time(payload=1e9, ranks=32, latency=5e-6, bandwidth=100e9) == 0.019685
    assert module.ring_all_reduce_time.__doc__ == labs.model.collectives.ring.ring_all_reduce_time.__doc__


def test_an_installed_module_is_found_where_no_file_of_it_is(tmp_path):
    assert {html.__name__, labs.network.__name__} <= set(sys.modules)
    packed = tmp_path / "packed"
    packed.write_bytes(pack([name for name in list(sys.modules) if name.split(".")[0] == "labs"]))
    program = f"""
import sys
from pathlib import Path
from importlib.util import spec_from_file_location, module_from_spec
spec = spec_from_file_location("supplement", {str(importlib.import_module("labs.supplement").__file__)!r})
supplement = module_from_spec(spec)
spec.loader.exec_module(supplement)
class Given:
    to_bytes = lambda self: Path({str(packed)!r}).read_bytes()
supplement.install(Given())
from labs.answer import answer
print(answer('{{"id": 1, "lab": "network", "inputs": {{}}}}')[:30])
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == '{"id": 1, "lab": "network", "o\n', done.stderr


def test_what_is_early_is_a_lab_and_few_are():
    assert set(EARLY) < set(LABS)
    assert all(LABS[lab].LAB.id == lab for lab in HOMES)


def test_a_lab_whose_code_has_not_come_has_no_reply(monkeypatch):
    monkeypatch.setitem(HOMES, "later", "labs.not_here_yet")
    assert labs.answer.answer('{"id": 1, "lab": "later", "inputs": {}}') is None
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    with pytest.raises(EOFError):
        install(FromJavaScript(b""))
