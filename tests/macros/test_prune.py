"""Pyodide without what only compiled packages need: smaller, and to a reader the same Python."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labs.catalog import LABS
from macros.browser import build_parts
from tests.labs.cases import cases

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent
PYODIDE = ROOT / "node_modules" / "pyodide"


def node(*arguments: object) -> subprocess.CompletedProcess[str]:
    own = Path(sys.prefix) / "bin" / "node"
    command = [str(own) if own.exists() else "node", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def pruned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("pruned") / "pyodide"
    done = node(ROOT / "macros" / "prune.mjs", PYODIDE, target)
    assert done.returncode == 0, done.stderr[-1000:]
    return target


def test_modules_of_pruning() -> None:
    done = node("--test", HERE / "prune.test.mjs")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_most_of_the_exports_and_of_the_script_are_gone(pruned: Path) -> None:
    """Pyodide 314 exports 8,560 names; its JavaScript has a use for fewer than 300."""
    program = """
import { readFile } from "node:fs/promises";
const module = new WebAssembly.Module(await readFile(process.argv[1]));
const imports = WebAssembly.Module.imports(module);
const addresses = imports.filter((one) => one.module.startsWith("GOT."));
const script = await readFile(process.argv[2], "utf8");
const [, table] = /wasmImports=[{]([^}]*)[}]/.exec(script);
const offered = table.split(",").filter(Boolean).map((entry) => entry.split(":")[0].replaceAll('"', ""));
const wanted = new Set(imports.map(({ name }) => name));
const others = offered.filter((name) => !wanted.has(name));
console.log(WebAssembly.Module.exports(module).length, addresses.length, offered.length, others.length);
"""
    done = node("--input-type=module", "-e", program, pruned / "pyodide.asm.wasm", pruned / "pyodide.asm.mjs")
    exports, addresses, offered, unasked = map(int, done.stdout.split())
    assert 100 < exports < 400
    assert addresses == 0
    assert offered > 200
    assert unasked < 100  # a text of the script may be a name of theirs
    for name, share in (("pyodide.asm.mjs", 0.3), ("pyodide.asm.wasm", 0.93)):
        assert (pruned / name).stat().st_size < share * (PYODIDE / name).stat().st_size
    for name in ("python_stdlib.zip", "pyodide-lock.json"):
        assert (pruned / name).read_bytes() == (PYODIDE / name).read_bytes()


def test_a_reader_meets_the_same_python(pruned: Path) -> None:
    done = node(HERE / "python_without_packages.mjs", pruned)
    assert done.returncode == 0, done.stderr[-1000:]
    said = json.loads(done.stdout)
    assert said["missing"] == []
    assert said["found"] == {
        "the last value": "45",
        "an exception": "ZeroDivisionError: division by zero",
        "a proxy of JavaScript": "3",
        "a function for JavaScript": "2",
        "a function for C": "3",
        # The one thing that is lost, beside compiled packages.
        "a function of C by name": (
            'AttributeError: Tried to lookup unknown symbol "Py_GetVersion" in dynamic lib: __main__'
        ),
        "a file": "kept",
        "a coroutine": "awake",
    }


def test_every_lab_gives_the_same_frames(pruned: Path, tmp_path: Path) -> None:
    parts = build_parts(ROOT, ROOT / ".build" / "browser")
    (tmp_path / "cases.json").write_text(json.dumps(cases()), encoding="utf-8")
    script = ROOT / "tests" / "labs" / "pyodide_in_node.mjs"
    done = node(script, pruned, parts.files[parts.wheel], tmp_path / "cases.json")
    assert LABS and done.stdout.splitlines() == [f"{len(cases())} cases"], done.stderr[-1000:]


def test_another_pyodide_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for file in PYODIDE.iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "pyodide.asm.mjs").unlink()
    (folder / "pyodide.asm.mjs").write_text("export default async () => {};")
    done = node(ROOT / "macros" / "prune.mjs", folder, tmp_path / "target")
    assert done.returncode == 1
    assert done.stderr.startswith("expected try{")
    assert done.stderr.endswith("}catch{return!1} once in Pyodide's script\n")
