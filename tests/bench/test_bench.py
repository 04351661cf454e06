"""The bench's own arithmetic and its host, run by node's test runner. Nothing here measures a time."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.mjs"))
def test_modules_of_the_bench(file: Path) -> None:
    own = Path(sys.prefix) / "bin" / "node"
    node = str(own) if own.exists() else "node"
    done = subprocess.run([node, "--test", str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
