"""The labs in a terminal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labs.catalog import LABS

ROOT = Path(__file__).parent.parent.parent


def labs(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "labs", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_run_prints_the_frame() -> None:
    done = labs("run", "network", "ranks=32", "payload=1e9", "bandwidth=1e11", "latency=5e-6")
    assert done.returncode == 0, done.stderr
    metrics = {metric["name"]: metric["value"] for metric in json.loads(done.stdout)["metrics"]}
    assert metrics["time"] == pytest.approx(0.019685, rel=1e-12)
    assert metrics["latency_term"] == pytest.approx(62 * 5e-6, rel=1e-12)


def test_units_may_be_typed() -> None:
    assert labs("run", "network", "payload=64 MiB").stdout == labs("run", "network", "payload=67108864").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["run", "network", "ranks=0"], 1, "ranks: expected ranks >= 1, found 0\n"),
        (
            ["run", "network", "rank=8"],
            1,
            "expected one of ranks, payload, bandwidth, latency, step, compare, found rank\n",
        ),
        (["run", "network", "ranks"], 2, "expected name=value, found ranks\n"),
        (["run", "ring"], 2, f"expected one of the labs {', '.join(LABS)}, found ring\n"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], code: int, message: str) -> None:
    done = labs(*arguments)
    assert (done.returncode, done.stderr, done.stdout) == (code, message, "")


def test_list_names_every_lab_and_input() -> None:
    assert "network: Ring all-reduce" in labs("list").stdout
    assert "payload='100 MB'" in labs("list").stdout
