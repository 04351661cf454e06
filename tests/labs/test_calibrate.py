"""The calibration lab: from the text of a log to JSON, in a terminal and as a frame."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest

from labs import calibrate
from labs.answer import Refused, compute, read_inputs
from labs.lab import Lab, TextControl
from labs.model.quantities.errors import ModelError
from labs.views.frame import frame_html

ROOT = Path(__file__).parents[2]
LOGS = Path("tests/data/nccl")
NAMES = sorted(path.name for path in (ROOT / LOGS).glob("*.txt"))


def labs(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "labs", *arguments]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, check=False)


def text_of(name: str) -> str:
    return (ROOT / LOGS / name).read_text(encoding="utf-8")


def frame(name: str, **inputs: float) -> dict:
    return calibrate.frame(log=text_of(name), **inputs)


def metrics(found: dict) -> dict:
    return {metric["name"]: metric["value"] for metric in found["metrics"]}


def said(found: dict) -> list[str]:
    """Return the sentences of the verdict, ways to other labs apart."""
    return [sentence for sentence in found["verdict"] if isinstance(sentence, str)]


def table(found: dict, name: str) -> list:
    return next(table["rows"] for table in found["tables"] if table["id"] == name)


def numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [one for part in value.values() for one in numbers(part)]
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in numbers(part)]
    return [value] if isinstance(value, float) else []


def test_the_command_prints_what_the_frame_holds():
    done = labs("run", "calibrate", f"log=@{LOGS}/02.txt", "link=400 GB/s")
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed == json.loads(json.dumps(frame("02.txt", link=400e9)))
    assert "Bus bandwidth reaches 0.85 of the stated link (338.8 GB/s of 400 GB/s)." in printed["verdict"]
    assert "Small messages are dominated by 4.77 µs a step, 30 steps." in printed["verdict"]


@pytest.mark.parametrize("name", ["log=-", "log=@-"])
def test_a_log_may_be_piped_in(name):
    done = labs("run", "calibrate", name, given=text_of("27.txt").encode())
    assert json.loads(done.stdout) == json.loads(json.dumps(frame("27.txt")))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_may_be_in_what_a_windows_terminal_writes(encoding, tmp_path):
    file = tmp_path / "log.txt"
    file.write_bytes(text_of("27.txt").replace("\n", "\r\n").encode(encoding))
    printed = json.loads(labs("run", "calibrate", f"log=@{file}").stdout)
    assert metrics(printed) == metrics(frame("27.txt"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "log: expected the text of a log, found nothing\n"),
        (["log=@none.txt"], "log: expected a file, found none to read at none.txt (no such file or directory)\n"),
        (["log=@tests"], "log: expected a file, found none to read at tests (is a directory)\n"),
        ([f"log=@{LOGS}/02.txt", "ranks=8"],
         "ranks: expected ranks 16 (the lines that name each rank), found 8\n"),
        ([f"log=@{LOGS}/02.txt", "ranks=1.5"], "ranks: expected ranks to be a whole number, found 1.5\n"),
        ([f"log=@{LOGS}/02.txt", "link=-1"], "link: expected link >= 0 byte/s, found -1 byte/s\n"),
        (["text=1"], "expected one of log, ranks, link, found text\n"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(arguments, message):
    done = labs("run", "calibrate", *arguments)
    assert (done.returncode, done.stderr.decode(), done.stdout) == (1, message, b"")


def test_the_list_says_how_a_log_is_given():
    listed = labs("list").stdout.decode()
    assert "calibrate: α and B from a log" in listed
    assert "    log=@FILE  Output of all_reduce_perf" in listed


@pytest.mark.parametrize("name", NAMES)
def test_every_log_gives_a_frame_that_views_and_json_take(name):
    found = frame(name)
    assert json.loads(json.dumps(found, allow_nan=False))
    assert all(map(math.isfinite, numbers(found)))
    assert said(found) and all(sentence.endswith(".") for sentence in said(found))
    assert 'data-table="skipped"' in frame_html(found)


def test_where_b_is_not_known_no_number_stands_for_it():
    for name in ("31.txt", "50.txt"):
        found = frame(name)
        (run,) = found["runs"]
        assert metrics(found)["bandwidth"] is None
        assert not run["ring"]["bandwidth_identifiable"]
        assert any(sentence.startswith("B is not identifiable: ") for sentence in said(found))
        assert [row[4] for row in table(found, "regimes")] == [None] * len(table(found, "regimes"))
        assert [regime["rate"] for regime in run["regimes"]["regimes"]] == [None] * len(run["regimes"]["regimes"])


def test_what_is_refused_has_its_sentence_and_no_fit():
    found = frame("34.txt")
    assert found["runs"][0]["refused"].startswith("expected an all-reduce, found all-gather")
    assert said(found) == [f"Lines 13 to 36: not fitted; {found['runs'][0]['refused']}."]
    assert set(metrics(found).values()) == {None}
    assert [item["id"] for item in found["tables"]] == ["skipped"] and found["series"] == []


def test_rows_at_an_edge_are_named():
    found = frame("02.txt")
    named = {row[0]: row[7] for row in table(found, "rows") if row[7]}
    regimes = table(found, "regimes")
    for number, regime in enumerate(regimes, start=1):
        assert number == 1 or named[regime[0]] == f"first of regime {number}"
        assert number == len(regimes) or named[regime[1]] == f"last of regime {number}"
    assert len(named) == 2 * (len(regimes) - 1)
    (sentence,) = [sentence for sentence in said(found) if sentence.startswith("Least certain")]
    assert all(f"(line {row[1]})" in sentence for row in table(found, "rows") if row[7])


def test_a_row_has_both_errors():
    for row in table(frame("02.txt"), "rows"):
        assert row[4] == pytest.approx(row[3] / row[2] - 1)
        assert row[6] == pytest.approx(row[5] / row[2] - 1)


def test_the_largest_regime_has_the_bus_bandwidth_of_its_rows():
    *_, last = table(frame("02.txt"), "regimes")
    assert last[4] == pytest.approx(338.82e9, rel=0.02)


def test_skipped_lines_are_listed_and_beyond_a_bound_counted():
    row = "1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 10.00 17.50 0"
    found = calibrate.frame(log=row + "\n..." * 300)
    (skipped,) = [item for item in found["tables"] if item["id"] == "skipped"]
    assert len(skipped["rows"]) == calibrate.MOST_SKIPPED
    assert skipped["caption"] == "Lines not read, and 100 more"
    assert skipped["rows"][0] == [2, "rows are left out here", "..."]


def test_more_than_the_link_is_no_measurement_of_it():
    assert any("measures no link" in sentence for sentence in said(frame("02.txt", link=100e9)))


@pytest.mark.parametrize("link", [5e-324, 1e-300, 1.0, 1e9])
def test_a_link_of_next_to_nothing_was_meant_in_another_unit(link):
    """The log reaches 338.8 GB/s: hundreds of times any of these."""
    sentences = said(frame("02.txt", link=link))
    assert any("more than 100 times the stated link" in sentence for sentence in sentences)
    assert not any("inf" in sentence.split() for sentence in sentences)


def test_a_link_that_is_hardly_used_is_not_said_to_be_unused():
    assert any("reaches less than 0.01 of the stated link" in sentence for sentence in said(frame("02.txt", link=1e15)))


def test_nothing_is_refused():
    with pytest.raises(ModelError, match="expected the text of a log, found nothing"):
        calibrate.frame(log=" \n")


def test_a_log_without_a_table_says_so():
    found = calibrate.frame(log="mpirun: command not found")
    assert said(found) == ["No row of a table of nccl-tests was read."]
    assert found["runs"] == [] and "expected lines with size" in found["notes"][-1]


def line(size: int, time: float, factor: float) -> str:
    """Return a row as nccl-tests prints it, measured out of place only; time in µs."""
    rate = size / time / 1e3
    return f"{size} {size // 4} float sum -1 {time:.2f} {rate:.2f} {factor * rate:.2f} 0 N/A N/A N/A N/A"


def test_ranks_that_the_log_does_not_tell_may_be_given():
    rows = "\n".join(line(size, 10 + size / 2e3, 1.75) for size in (128, 256, 512, 1024))
    assert "say how many took part" in calibrate.frame(log=rows)["runs"][0]["refused"]
    found = calibrate.frame(log=rows, ranks=8)
    assert found["runs"][0]["fitted"] and "8 ranks (as given)" in said(found)[0]
    with pytest.raises(ModelError, match="as busbw/algbw says, found 2"):
        calibrate.frame(log=rows, ranks=2)


def test_a_refusal_points_at_its_control():
    values = read_inputs(calibrate, {"log": text_of("02.txt"), "ranks": "8"})
    with pytest.raises(Refused) as refused:
        compute(calibrate, values)
    assert refused.value.control == "ranks"


def test_a_jump_is_told():
    sizes = [2**k for k in range(12, 34)]
    rows = "\n".join(line(size, 20 + size / (1e3 if size < 2**22 else 1e4), 1) for size in sizes)
    verdict = said(calibrate.frame(log=rows))
    assert any(one.startswith("Between 2.1 MB and 4.19 MB time falls by ") for one in verdict)


def test_scatter_of_the_rows_is_told():
    noise = random.Random(5)
    rows = "\n".join(line(2**k, (20 + 2**k / 1e4) * noise.gauss(1, 0.06), 1) for k in range(12, 34))
    assert any(one.startswith("The rows scatter: ") for one in calibrate.frame(log=rows)["verdict"])
    assert not any(one.startswith("The rows scatter: ") for one in said(frame("02.txt")))


def test_a_regime_that_bends_is_told_and_has_no_startup():
    rows = "\n".join(line(2**k, 100 * (2**k / 2**12) ** 0.4, 1) for k in range(12, 34))
    found = calibrate.frame(log=rows)
    (regime,) = table(found, "regimes")
    assert regime[3] is None and regime[6] == pytest.approx(0.4, abs=0.01)
    assert any("grows as the power 0.4 of the payload" in one for one in found["verdict"])


def test_an_input_has_one_name():
    with pytest.raises(ValueError, match="lab l: expected one input called ranks, found two"):
        Lab(id="l", title="L", scope="", controls=calibrate.LAB.controls,
            texts=(TextControl(name="ranks", label="R", rows=2),))  # fmt: skip
