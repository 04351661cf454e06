"""The wheel's long description: its examples run, its file name is the wheel's, and it names no host."""

import doctest
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "labs" / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [block for found, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", README) if found == language]


def test_the_python_example_gives_what_it_says():
    (block,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "labs/README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_command_prints_json():
    (command,) = (block for block in blocks("") if block.startswith("python -m labs"))
    arguments = shlex.split(command)[1:]
    result = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["metrics"][0]["value"] == 0.019685


def test_the_wheel_is_named_as_it_is_built():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = f"{project['name'].replace('-', '_')}-{project['version']}-py3-none-any.whl"
    assert f"pip install ./{name}\n" in README


def test_it_links_to_no_host():
    assert not re.search(r"https?:|www\.", README)
