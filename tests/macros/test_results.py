"""bench/results.json as the site reads it: what the bench writes is taken, everything else refused with its place."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from macros.results import HINT, ResultsRefused, read_results

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "pages" / "results.json"

JUDGED = """
import { judge } from "./bench/claims.mjs";
import { MEASUREMENTS } from "./bench/measurements.mjs";
import { Runs } from "./bench/results.mjs";
const runs = new Runs();
for (const { id, other } of MEASUREMENTS) {
  if (other) runs.add(other, { [id]: 2 });
  runs.add("site", { [id]: [1, 3] });
}
const measurements = ["chromium", "firefox"].flatMap((browser) => runs.measurements(browser));
console.log(JSON.stringify({ measurements, claims: judge(measurements) }));
"""


def refusal(tmp_path: Path, text: str) -> list[str]:
    """Return the lines of the refusal of this text, each from its line and column on."""
    file = tmp_path / "results.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ResultsRefused) as caught:
        read_results(file)
    *lines, hint = str(caught.value).splitlines()
    assert hint == f"  hint: {HINT}"
    return [line.removeprefix(f"{file.as_posix()}:") for line in lines]


def changed(old: str, new: str) -> str:
    text = SAMPLE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    return text.replace(old, new)


def test_no_file_is_no_results(tmp_path: Path) -> None:
    assert read_results(tmp_path / "results.json") is None


def test_a_file_is_read_into_records() -> None:
    results = read_results(SAMPLE)
    assert results is not None
    assert (results.date, results.runs, results.machine.load) == (date(2025, 3, 4), 3, (0.25, 1.5))
    first, frame, _ = results.measurements
    assert first.ours.values == (0.6, 0.4, 0.3)
    assert (frame.ours.values, frame.other, frame.ratio) == ((), None, None)
    assert [claim.met for claim in results.claims] == [True, False, False]


def test_what_the_bench_writes_is_what_the_site_reads(tmp_path: Path) -> None:
    own = Path(sys.prefix) / "bin" / "node"
    command = [str(own) if own.exists() else "node", "--input-type=module", "--eval", JUDGED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = {**json.loads(SAMPLE.read_text(encoding="utf-8")), **json.loads(done.stdout)}
    (tmp_path / "results.json").write_text(json.dumps(data), encoding="utf-8")
    results = read_results(tmp_path / "results.json")
    assert results is not None
    # 1 and 3 against 2: each ratio is 1
    assert {found.ratio for found in results.measurements} == {1.0, None}
    assert {found.browser for found in results.measurements} == {"chromium", "firefox"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"runs": 3,', '"runs": 3', "3:12: /: expected a comma"),
        ('"runs": 3,', '"runs": 0,', "3:11: /runs: expected a whole number, 1 or greater, found 0"),
        ('"runs": 3,', "", '1:1: /runs: expected the key "runs", found none'),
        ('"runs": 3,', '"runs": 3, "rums": 3,', '3:14: /rums: expected no such key here, found "rums"'),
        ('"2025-03-04"', '"4 March"', '2:11: /date: expected a date such as 2026-01-31, found "4 March"'),
        ('"cores": 2', '"cores": "2"', '4:51: /machine/cores: expected a whole number, 1 or greater, found "2"'),
        ('"median": 0.005', '"median": -1', "16:40: /measurements/1/ours/median: expected a number, 0 or greater"),
        ('"sent": 4e6', '"sent": NaN', "32:34: /: expected a number that JSON knows, found NaN"),
        ('{"worker"', '[], "p": {"worker"', "33:14: /sizes/parts: expected an object in { }, found an empty list"),
        ('"ratio": 0.2\n', '"ratio": null\n', "7:5: /measurements/0: expected against, other and ratio together"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert refusal(tmp_path, changed(old, new))[0].startswith(expected)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            '"limit": 0.016, "found": 0.02', '"limit": 0.016, "found": 0.01',
            "29:91: /claims/2/found: expected the p95 that was measured, 0.02, found 0.01",
        ),
        (
            '"found": 0.5, "met": false', '"found": 0.5, "met": true',
            "28:108: /claims/1/met: expected false for 0.5 of at most 0.25, found true",
        ),
        (
            '"measurement": "frame"', '"measurement": "fame"',
            "29:21: /claims/2/measurement: expected one that was measured, found fame in chromium",
        ),
    ],
)  # fmt: skip
def test_a_claim_that_is_not_what_was_measured_is_refused(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert refusal(tmp_path, changed(old, new)) == [expected]


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = changed('"runs": 3,', '"runs": 0,').replace('"cards": 4', '"cards": "4"')
    assert [line.split(" ")[1] for line in refusal(tmp_path, text)] == ["/runs:", "/builds/0/cards:"]
