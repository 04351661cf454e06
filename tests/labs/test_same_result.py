"""CPython and Pyodide give the same frames; tests/browser/same.test.mjs holds the browsers to it too."""

import json
import subprocess
import sys
from pathlib import Path

from labs.catalog import LABS
from macros.tries import ends
from tests.labs.cases import cases

ROOT = Path(__file__).parent.parent.parent


def test_the_cases_are_enough() -> None:
    found = cases()
    labs = [module.LAB for module in LABS.values()]
    presets = sum(len(lab.presets) for lab in labs)
    assert len(found) == len(labs) + presets + sum(len(ends(control)) for lab in labs for control in lab.controls)
    replies = [case["reply"] for case in found]
    assert sum(not reply["ok"] for reply in replies) <= 1  # type: ignore[index]  # a log of 16 ranks has not 65,536


def test_pyodide_gives_the_same_frames(site: Path, tmp_path: Path) -> None:
    (tmp_path / "cases.json").write_text(json.dumps(cases()), encoding="utf-8")
    (wheel,) = (site / "downloads").glob("*.whl")
    script = Path(__file__).with_name("pyodide_in_node.mjs")
    node = Path(sys.prefix) / "bin" / "node"
    command = [str(node if node.exists() else "node"), str(script), str(ROOT / "node_modules" / "pyodide"), str(wheel)]
    done = subprocess.run(
        [*command, str(tmp_path / "cases.json")], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    *different, last = done.stdout.splitlines()
    assert different == []
    assert last == f"{len(cases())} cases"


def test_the_comparison_sees_a_difference() -> None:
    script = Path(__file__).with_name("same.mjs").as_uri()
    program = f"""
import {{ differences }} from {script!r};
console.log(JSON.stringify([
  differences({{ a: [1, "x", null] }}, {{ a: [1 + 1e-13, "x", null] }}),
  differences({{ a: [1, "x"] }}, {{ a: [1 + 1e-11, "y"] }}),
  differences({{ a: 1 }}, {{}}),
  differences(0, 1e-300),
].map((found) => found.length)));
"""
    node = Path(sys.prefix) / "bin" / "node"
    command = [str(node if node.exists() else "node"), "--input-type=module", "-e", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [0, 2, 1, 1]
